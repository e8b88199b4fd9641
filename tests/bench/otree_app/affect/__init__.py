"""The questionnaire of the measurement as an oTree app, as its documentation says to write one.

The texts come from a file that the measurement writes, so that both programs show the same.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from otree.api import BaseConstants, BaseGroup, BasePlayer, BaseSubsession, Page, models, widgets

TEXTS = json.loads(Path(os.environ["QUESTIONNAIRE"]).read_text(encoding="utf-8"))
PHASES = ("default", "evoked")
ITEMS_PER_PAGE = 10


class C(BaseConstants):
    NAME_IN_URL = "affect"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = 1


class Subsession(BaseSubsession):
    pass


class Group(BaseGroup):
    pass


def _rating(text):
    return models.IntegerField(label=text, choices=TEXTS["options"], widget=widgets.RadioSelect)


def _choice(label, choices, **widget):
    return models.StringField(label=label, choices=choices, **widget)


_RADIOS = {"widget": widgets.RadioSelect}
_QUESTIONS = {
    "gender": _choice("What is your gender?", TEXTS["genders"], **_RADIOS),
    "year_of_birth": models.IntegerField(label="In which year were you born?", min=1900, max=2010),
    "country": _choice("Which country are you from?", TEXTS["countries"]),
    "employment": _choice("What is your employment status?", TEXTS["employments"], **_RADIOS),
    "education": _choice("What is your education?", TEXTS["educations"], **_RADIOS),
}
_ITEMS = {
    f"item_{phase}_{key}": _rating(text) for phase in PHASES for key, text in TEXTS["items"].items()
}
Player = type(BasePlayer)(
    "Player",
    (BasePlayer,),
    {"__module__": __name__, "situation": models.IntegerField(), **_QUESTIONS, **_ITEMS},
)


def creating_session(subsession):
    for player in subsession.get_players():
        player.situation = random.randrange(len(TEXTS["situations"]))


def _items_of(player, phase, part):
    keys = list(TEXTS["items"])
    random.Random(player.participant.code).shuffle(keys)
    start = part * ITEMS_PER_PAGE
    return [f"item_{phase}_{key}" for key in keys[start : start + ITEMS_PER_PAGE]]


class Consent(Page):
    @staticmethod
    def vars_for_template(player):
        return {"paragraphs": TEXTS["consent"].split("\n\n")}


class AboutYou(Page):
    form_model = "player"
    form_fields = list(_QUESTIONS)


class Situation(Page):
    @staticmethod
    def vars_for_template(player):
        return {"text": TEXTS["situations"][player.situation]}


class _Ratings(Page):
    form_model = "player"
    template_name = "affect/Ratings.html"

    @staticmethod
    def vars_for_template(player):
        return {"instruction": TEXTS["instruction"]}


def _ratings_page(name, phase, part):
    form_fields = staticmethod(lambda player: _items_of(player, phase, part))
    return type(name, (_Ratings,), {"__module__": __name__, "get_form_fields": form_fields})


Default1 = _ratings_page("Default1", "default", 0)
Default2 = _ratings_page("Default2", "default", 1)
Evoked1 = _ratings_page("Evoked1", "evoked", 0)
Evoked2 = _ratings_page("Evoked2", "evoked", 1)


class Finish(Page):
    @staticmethod
    def vars_for_template(player):
        return {"paragraphs": TEXTS["debrief"].split("\n\n")}


page_sequence = [Consent, AboutYou, Default1, Default2, Situation, Evoked1, Evoked2, Finish]
