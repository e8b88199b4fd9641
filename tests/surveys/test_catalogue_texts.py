"""The starter catalogue's texts: complete, readable, neutral in wording, and our own.

The file is read by path, without the database. The wording rules keep out of the measurement: the
emotion's name, the answer words of PANAS, and telling the reader what to feel. The distance rules
show that no text is a near copy of another or of a published one, which are never quoted here.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

CATALOGUE = Path(__file__).parents[2] / "surveys" / "data" / "catalogue" / "situations.json"

FACTORS = {
    "Anger": "Facing Self-Opinioned People; Blaming, Slandering, and Tattling; Bullying, Teasing,"
    " Insulting, and Disparaging; Silly and Thoughtless Behaviors; Driving Situations",
    "Anxiety": "External Factors; Self-Imposed Pressure; Personal Growth and Relationships;"
    " Uncertainty and Unknowns",
    "Depression": "Failure of Important Goals; Death of Loved Ones; Romantic Loss; Chronic Stress;"
    " Social Isolation; Winter",
    "Frustration": "Disappointments and Letdowns; Unforeseen Obstacles and Accidents;"
    " Miscommunications and Misunderstanding; Rejection and Interpersonal Issues",
    "Jealousy": "Romantic (Opposite Gender); Romantic (Same Gender); Material Possession;"
    " Experiential",
    "Guilt": "Betrayal and Deception; Relationship and Interpersonal; Broken Promises and"
    " Responsibilities; Personal and Moral",
    "Fear": "Social Fears; Agoraphobia Fears; Injury Fears; Dangerous Environments;"
    " Harmless Animals",
    "Embarrassment": "Intimate; Stranger; Sticky Scenarios; Centre of Attention",
}
# In catalogue order: the pairs that both the file and the published table must hold.
PLACES = [(emotion, name) for emotion, names in FACTORS.items() for name in names.split("; ")]

# The emotion's own name and its nearest synonyms, as word beginnings.
EMOTION_FAMILIES = {
    "Anger": r"ang(?:er|r)|rage\b|enrag|fur(?:y|ious)|irritat|indign|outrag|mad\b",
    "Anxiety": r"anxi|worr|nervous|uneas|apprehens|tense\b|tension",
    "Depression": r"depress|sad|hopeless|despair|gloom|miser|melanchol|sorrow|grie[fv]|lonel",
    "Frustration": r"frustrat|annoy|exasperat|disappoint",
    "Jealousy": r"jealous|env(?:y|i(?:ous|ed|es)\b)",
    "Guilt": r"guilt|remors|asham|shame|regret",
    "Fear": r"fear|afraid|scar(?:e|ed|es|y)\b|terrif|terror|fright|dread|panic|horr",
    "Embarrassment": r"embarrass|asham|shame|humiliat|mortif|awkward",
}
TOLD_TO_FEEL = re.compile(r"\b(?:feel\w*|felt|emotion\w*|mood|your (?:heart|mind) \w+s)\b")
WORD = re.compile(r"[A-Za-z0-9]+(?:['-][A-Za-z0-9]+)*")
QUOTED = re.compile(r'"[^"]*"')
SENTENCE_END = re.compile(r'[.!?]"?(?=\s+["A-Z]|$)')


def vocabulary(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


PANAS_WORDS = vocabulary(
    "interested distressed excited upset strong guilty scared hostile enthusiastic proud",
    "irritable alert ashamed inspired nervous determined attentive jittery active afraid",
)
# Roles, address, dress and body that would give the reader a gender; third parties have theirs.
GENDERED = vocabulary(
    "wife husband boyfriend girlfriend fiance fiancee groom bridesmaid widow widower sir madam",
    "ma'am gentleman pregnant breastfeeding beard moustache skirt blouse lipstick waitress",
)
NARRATOR = vocabulary("i i'm i've me my mine myself we us our ours")
# Capitalised inside a sentence without naming a brand, a person or an institution.
CAPITALS = vocabulary(
    "Monday Mondays Tuesday Tuesday's Wednesday Thursday Friday Fridays Saturday Saturdays Sunday",
    "January March April July September November Donkey",
)
FUNCTION_WORDS = vocabulary(
    "a an the and or but so if as of to in on at by for from with into over under out up down",
    "than that this there it its is are be been has have do not no you your he his him she her",
    "they their them who which what when where while after before until because one two every all",
)


class Text(NamedTuple):
    place: str
    emotion: str
    factor: str
    text: str


class Fingerprint:
    """A near copy shares many trigrams, many content words, or `run` words in a row."""

    def __init__(self, text: str, *, run: int = 9) -> None:
        tokens = words(text)
        self.trigrams = ngrams(tokens, 3)
        self.runs = ngrams(tokens, run)
        self.content = frozenset(tokens) - FUNCTION_WORDS

    def is_near_copy_of(self, other: Fingerprint) -> bool:
        return (
            share(self.trigrams, other.trigrams) >= 0.2
            or share(self.content, other.content) >= 0.6
            or not self.runs.isdisjoint(other.runs)
        )


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def narration(text: str) -> set[str]:
    """The narrator's own words, without what is quoted."""
    return set(words(QUOTED.sub(" ", text)))


def ngrams(tokens: list[str], size: int) -> frozenset[tuple[str, ...]]:
    return frozenset(zip(*(tokens[start:] for start in range(size)), strict=False))


def share(left: frozenset, right: frozenset) -> float:
    return len(left & right) / len(left | right) if left and right else 0.0


def read_catalogue() -> dict:
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


def read_factors() -> list[tuple[str, dict]]:
    return [(e["name"], factor) for e in read_catalogue()["emotions"] for factor in e["factors"]]


def read_texts() -> list[Text]:
    texts = []
    for emotion, factor in read_factors():
        numbered = dict(enumerate(factor["situations"], start=1)) | {"positive": factor["positive"]}
        for number, text in numbered.items():
            place = f"{emotion} / {factor['name']} / {number}"
            texts.append(Text(place, emotion, factor["name"], text))
    for number, text in enumerate(read_catalogue()["neutral"], start=1):
        texts.append(Text(f"neutral / {number}", "", "", text))
    return texts


TEXTS = read_texts()


def offenders(is_wrong) -> list[tuple[str, str]]:
    return [(entry.place, entry.text) for entry in TEXTS if is_wrong(entry)]


def names_emotion(emotion: str, text: str) -> bool:
    families = [EMOTION_FAMILIES[emotion]] if emotion else EMOTION_FAMILIES.values()
    return any(re.search(rf"\b(?:{family})", text.lower()) for family in families)


def foreign_capitals(text: str) -> set[str]:
    """Capitalised words inside a sentence that are neither "I" nor in the list above."""
    inside = re.findall(r"(?<=[a-z0-9,;:] )[A-Z][A-Za-z']*|(?<=\w \")[A-Z][A-Za-z']*", text)
    return set(inside) - CAPITALS - {"I"}


def test_emotions_and_factors_stand_in_the_published_order():
    assert [emotion["name"] for emotion in read_catalogue()["emotions"]] == list(FACTORS)
    assert [(emotion, factor["name"]) for emotion, factor in read_factors()] == PLACES
    assert (len(FACTORS), len(PLACES)) == (8, 36)


def test_file_is_complete():
    catalogue = read_catalogue()
    keys = ["collection", "name", "citation", "licence", "emotions", "neutral"]
    assert list(catalogue) == keys
    assert (catalogue["collection"], catalogue["licence"]) == ("starter", "CC BY 4.0")
    assert all(list(f) == ["name", "situations", "positive"] for _, f in read_factors())
    assert [len(factor["situations"]) for _, factor in read_factors()] == [5] * 36
    assert len(catalogue["neutral"]) == 12
    assert len(TEXTS) == 180 + 36 + 12


def test_length_is_25_to_70_words_in_two_to_four_sentences():
    assert offenders(lambda entry: not 25 <= len(words(entry.text)) <= 70) == []
    assert offenders(lambda entry: not 2 <= len(SENTENCE_END.findall(entry.text)) <= 4) == []


def test_spacing_and_characters_are_plain():
    plain = re.compile(r"""[A-Z](?:[A-Za-z0-9 ',.:?!-]|"[^"]+")*(?<=[."])""")
    assert offenders(lambda entry: not plain.fullmatch(entry.text) or "  " in entry.text) == []


def test_narrator_speaks_to_the_reader_in_the_present():
    assert offenders(lambda entry: not narration(entry.text) & {"you", "your"}) == []
    assert offenders(lambda entry: narration(entry.text) & NARRATOR) == []
    assert offenders(lambda entry: narration(entry.text) & {"was", "were", "had"}) == []


def test_reader_has_no_gender():
    role = r"\byou(?:'re| are|,| as)? (?:an? )?(?:\w+ )?(?:man|woman|boy|girl|mother|father)\b"
    assert offenders(lambda entry: set(words(entry.text)) & GENDERED) == []
    assert offenders(lambda entry: re.search(role, entry.text.lower())) == []


def test_only_the_romantic_factors_say_a_gender_and_it_is_relative_to_the_partner():
    found = [(e.factor, said) for e in TEXTS for said in re.findall(r"(\w+) gender", e.text)]
    assert found[:6] == [("Romantic (Opposite Gender)", "opposite")] * 6
    assert {*found[6:]} == {("Romantic (Same Gender)", said) for said in ("same", "own")}
    assert len(found) == 12
    assert offenders(lambda entry: "gender" in entry.text and "partner" not in entry.text) == []


def test_text_neither_names_the_emotion_nor_tells_the_reader_what_to_feel():
    assert offenders(lambda entry: names_emotion(entry.emotion, entry.text)) == []
    assert offenders(lambda entry: set(words(entry.text)) & PANAS_WORDS) == []
    assert offenders(lambda entry: TOLD_TO_FEEL.search(entry.text.lower())) == []


def test_no_brand_person_or_institution_is_named():
    assert offenders(lambda entry: foreign_capitals(entry.text)) == []


def test_wording_checks_catch_what_they_forbid():
    assert names_emotion("Anger", "You are angry.")
    assert names_emotion("Jealousy", "You are green with envy.")
    assert not names_emotion("Jealousy", "You open the envelope.")
    assert names_emotion("", "A frightening walk.")
    assert not names_emotion("Fear", "You fold the scarf.")
    assert foreign_capitals("On Monday you meet Zorblax and I wait.") == {"Zorblax"}
    assert TOLD_TO_FEEL.search("your heart races")


def test_openings_and_rhythm_vary():
    openings = [words(entry.text) for entry in TEXTS]
    sentences = Counter(len(SENTENCE_END.findall(entry.text)) for entry in TEXTS)
    assert max(Counter(tuple(opening[:3]) for opening in openings).values()) <= 3
    assert Counter(opening[0] for opening in openings)["you"] <= len(TEXTS) / 5
    assert Counter(tuple(opening[:2]) for opening in openings)["you", "are"] <= 5
    assert min(sentences[2], sentences[4]) >= len(TEXTS) / 20


def test_positive_counterpart_plays_in_the_scene_of_the_first_situation():
    for _, factor in read_factors():
        first, turned = Fingerprint(factor["situations"][0]), Fingerprint(factor["positive"])
        assert len(first.content & turned.content) >= 3, factor["name"]


def test_texts_are_unique_and_none_is_a_near_copy_of_another():
    prints = [(entry.place, Fingerprint(entry.text)) for entry in TEXTS]
    pairs = itertools.combinations(prints, 2)
    assert len({" ".join(words(entry.text)) for entry in TEXTS}) == len(TEXTS)
    assert [(left, right) for (left, a), (right, b) in pairs if a.is_near_copy_of(b)] == []


def near_copies(text: str) -> list[str]:
    """Every ninth word changed, the words shuffled, the sentences turned round, one part lifted."""
    tokens = text.split()
    swapped = [f"x{word}" if number % 9 == 4 else word for number, word in enumerate(tokens)]
    turned = reversed(re.split(r"(?<=[.]) ", text))
    lifted = [*tokens[:12], "and everything that comes after this is quite another story."]
    return [" ".join(copy) for copy in (swapped, sorted(tokens), turned, lifted)]


def test_distance_check_catches_near_copies_of_our_texts():
    for entry in TEXTS:
        copies = [Fingerprint(copy) for copy in near_copies(entry.text)]
        assert all(copy.is_near_copy_of(Fingerprint(entry.text)) for copy in copies), entry.place


def published_rows(shared_data: Path) -> list[list[str]]:
    """The published table: one column a factor, its name in the first row, situations below."""
    path = shared_data / "emotionbench" / "situations" / "situations.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [[cell.strip() for cell in row] for row in csv.reader(file)]


@pytest.mark.needs_shared_data
def test_emotions_and_factors_are_the_published_ones(shared_data):
    columns, names = published_rows(shared_data)[:2]
    emotions = [column.rpartition("-")[0] for column in columns]
    assert list(zip(emotions, names, strict=True)) == PLACES


@pytest.mark.needs_shared_data
def test_no_text_is_a_near_copy_of_a_published_one(shared_data):
    # Seven words in a row are suspicious here already: no wording is shared on purpose.
    cells = [cell for row in published_rows(shared_data)[2:] for cell in row if cell]
    published = [Fingerprint(cell, run=7) for cell in cells]
    ours = [(entry.place, Fingerprint(entry.text, run=7)) for entry in TEXTS]
    pairs = itertools.product(ours, published)
    assert len(cells) > 400
    assert [place for (place, mine), theirs in pairs if mine.is_near_copy_of(theirs)] == []


@pytest.mark.needs_shared_data
def test_distance_check_catches_near_copies_of_published_texts(shared_data):
    cells = [cell for row in published_rows(shared_data)[2:] for cell in row]
    long_enough = [cell for cell in cells if len(words(cell)) >= 25]
    assert len(long_enough) > 50
    for number, cell in enumerate(long_enough):
        copies = [Fingerprint(copy, run=7) for copy in near_copies(cell)]
        assert all(copy.is_near_copy_of(Fingerprint(cell, run=7)) for copy in copies), number
