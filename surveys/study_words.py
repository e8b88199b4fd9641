"""The researcher's sentences for the codes that services refuse and advise with."""

from __future__ import annotations

from collections.abc import Mapping

from surveys.domain.needs import Need
from surveys.domain.pages import DemographicsPage, Page, RatingsPage, SituationPage
from surveys.domain.study_changes import Refusal

FAULTS: Mapping[str, str] = {
    "study_imported": "An imported study holds answers from elsewhere and takes in nobody.",
    "instrument_incomplete": "The instrument's items have no words yet: import or enter them.",
    "consent_text_missing": "Write the information and consent text first.",
    "completion_code_missing": "Set the completion code of the outcome “completed” first.",
    "situations_too_few": "Add at least as many open situations as each person is given.",
    "situations_unpublished": "Publish every situation of the study first, or close it there.",
    "options_unlabelled": "An instructed item names the option to choose, and the instrument has "
    "options without words. Ask for no instructed items, or choose another instrument.",
    "exclusion_unreachable": "The exclusion rule asks for more signs than anybody can show in this "
    "study, so it would never exclude. Lower “Exclude from so many flags”, or empty it.",
    "target_zero": "A target of 0 people for each situation lets nobody in. Empty it for no limit.",
    "transition_illegal": "The study has changed in the meantime and cannot take this step now.",
    "action_unknown": "This button is not known here. Reload the page and try again.",
    "situation_unknown": "This situation is no longer in the study.",
    "study_has_takers": "Somebody has taken part: a situation can be closed, but not taken out.",
    "test_was_paid": "A bonus was paid to somebody who is marked as a test: nothing was deleted.",
    "study_archived": "The study is in the archive. Take it out of the archive first.",
}
ADVICE: Mapping[str, str] = {
    "codes_few": "Some outcomes have no completion code. Whoever ends with one of them is asked to "
    "return the submission by hand. “Propose codes” fills the gaps.",
    "contact_missing": "No contact is named, so participants cannot ask you anything.",
    "debrief_missing": "There is no debriefing text.",
    "exclusion_rule_missing": "No rule says when careless answers are excluded. It can only be set "
    "before the first person takes part.",
    "reward_missing": "No reward is set, so pay cannot be watched.",
    "pilot_missing": "Nobody has tried this study to its end. Start the pilot and try it.",
}
REFUSALS: Mapping[Refusal, str] = {
    Refusal.MEASURE: "People have taken part: this is part of what they answered and stays as it "
    "is. For another setting make another study.",
    Refusal.RULE: "People have taken part: rules for careless answers are fixed before the first "
    "answer, so that they cannot be chosen to suit the results.",
    Refusal.PROMISE: "People took part under a better promise than this. It can be improved, but "
    "not taken back.",
    Refusal.VERSION: "You changed the consent text after people agreed to it. Give the new text a "
    "version of its own, so that it stays known who agreed to which.",
    Refusal.ADDRESS: "The study has been open or is known to Prolific: its address is in links "
    "that people hold.",
    Refusal.CODE: "People have taken part and may have handed this code to Prolific: it can be "
    "neither altered nor taken away.",
    Refusal.ARCHIVE: "The study is in the archive. Take it out of the archive to change it.",
}
# By state and the state that follows: the button, and what to say when it is done.
STEPS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("draft", "pilot"): ("Start the pilot", "The pilot runs: use the link “Try it”."),
    ("draft", "open"): ("Open the study", "The study is open."),
    ("pilot", "draft"): ("End the pilot", "The pilot has ended; the study is a draft again."),
    ("pilot", "open"): ("Open the study", "The study is open."),
    ("open", "paused"): ("Pause the study", "The study is paused; who has begun may finish."),
    ("open", "closed"): ("Close the study", "The study is closed; who has begun may finish."),
    ("paused", "open"): ("Resume the study", "The study is open again."),
    ("paused", "closed"): ("Close the study", "The study is closed; who has begun may finish."),
    ("closed", "open"): ("Open the study again", "The study is open again."),
    ("closed", "archived"): ("Put it into the archive", "The study is in the archive."),
    ("archived", "closed"): ("Take it out of the archive", "The study is closed, not archived."),
}
# What the monitor says; `n` and `name` come from the need itself.
NEEDS: Mapping[str, str] = {
    "full": "Every situation has as many people as you wanted. The study can be closed.",
    "waiting": "Nobody new gets in: too few situations have room. People under way: {n}.",
    "paused": "The study is paused and lets nobody new in.",
    "unpublished": "{name} is no longer published, so nobody new gets it. Close it here as well.",
    "pay_short": "Pay falls short of Prolific's minimum. At the median time each person would need "
    "{n} more in pence or cents.",
    "slow_return": "From the last answer to the code people need {n} seconds at the median, which "
    "Prolific counts as working time. A shorter debriefing would help.",
    "prolific_sends": "The study on Prolific is active and sends people whom this study does not "
    "let in. Pause it there, or open the study here.",
    "prolific_paused": "The study is open, and paused on Prolific, which sends nobody new.",
    "prolific_cases": "Submissions on Prolific that need a decision: {n}.",
    "overdue_ids": "Prolific's ids should have been deleted by now. They stay while somebody's pay "
    "is open: settle it, and the nightly clean-up deletes them.",
    "unjudged": "{n} who completed were never checked for careless answers.",
    "many_excluded": "{n} were excluded, which is more than one in four. Look at the flags below.",
    "stuck": "{n} under way have been silent for more than 20 minutes. Their places become free by "
    "themselves.",
    "tests_kept": "{n} tests are still stored. They count nowhere.",
}
REMEDIES: Mapping[tuple[str, str], str] = {
    ("full", "step"): "Close the study",
    ("paused", "step"): "Resume the study",
    ("unpublished", "close-situation"): "Close the situation",
    ("unjudged", "judge"): "Check them now",
    ("tests_kept", "reset-pilot"): "Delete the tests",
}
FIXED = "Fixed since the first person took part."


def sentence(code: str, detail: str = "") -> str:
    """What a refusal or a fault means for the researcher; its detail where none is written."""
    return FAULTS.get(code) or detail or code


def need_sentence(need: Need) -> str:
    """What is the matter, in words."""
    if need.code == "fault":
        return f"People cannot come in: {sentence(need.name)}"
    return NEEDS[need.code].format(n=need.n, name=need.name)


def steps_from(state: str) -> list[tuple[str, str]]:
    """The states that may follow, each with the words of its button."""
    return [(after, words[0]) for (before, after), words in STEPS.items() if before == state]


def page_title(page: Page) -> str:
    """What a page is, to whoever runs the study."""
    match page:
        case DemographicsPage():
            return "About the person"
        case SituationPage():
            return "Situation" if page.total == 1 else f"Situation {page.ordinal}"
        case RatingsPage():
            wave = "Before" if not page.ordinal else "After"
            which = f" situation {page.ordinal}" if page.ordinal and page.total > 1 else ""
            part = f", part {page.part} of {page.parts}" if page.parts > 1 else ""
            return f"{wave}{which}{part}"
