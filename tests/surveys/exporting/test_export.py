from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from django.core.management import CommandError, call_command

from surveys.exporting.formats import Format
from surveys.exporting.people import Selection, load_people
from surveys.models import AttentionCheck, Participation, StudyEvent, WebhookDelivery
from tests.factories import (
    ParticipationFactory,
    SituationFactory,
    SituationVersionFactory,
    StudyFactory,
)
from tests.surveys.exporting.people import (
    DEFAULT,
    EVOKED,
    PROLIFIC_ID,
    SESSION_ID,
    answered,
    measure,
    visited,
)

pytestmark = pytest.mark.django_db


def export(
    study, folder: Path, *options: str, form: str = "csv", rows: str = "participant"
) -> Path:
    """The file of data."""
    call_command(
        "export_study", study.slug, "--out", str(folder), "--format", form, "--rows", rows,
        *options, stdout=io.StringIO(),
    )  # fmt: skip
    extension = Format(form).extension
    return folder / f"{study.slug}-{rows}s.{extension}"


def read(path: Path) -> pd.DataFrame:
    match path.suffix:
        case ".csv":
            return pd.read_csv(path)
        case ".xlsx":
            return pd.read_excel(path)
        case ".jsonl":
            return pd.DataFrame([json.loads(line) for line in path.open(encoding="utf-8")])
        case ".parquet":
            return pq.read_table(path).to_pandas()
    return pyreadstat.read_sav(path)[0]


def test_a_row_holds_a_participant_in_fixed_columns(tmp_path: Path) -> None:
    study = StudyFactory(n_situations=0)
    version = SituationVersionFactory(text="word " * 40, number=1)
    person = answered(
        study, situations=[version], gender="Female", year_of_birth=1990, country="Åland",
        declined_questions=["employment"], comment="ä 你 😀\r\nzwei", language="en",
        is_translated=True, viewport_class="small", layout="stacked", consent_version="2",
        flags=[{"code": "fast_reading", "reason": "1200 words a minute"}],
    )  # fmt: skip
    visited(person, 2)
    AttentionCheck.objects.create(
        participation=person, measure_position=0, place=2, asked_value=2, text="x",
        answered_value=4,
    )  # fmt: skip

    row = read(export(study, tmp_path)).iloc[0]

    keys = study.instrument.spec.item_keys
    assert [row[f"default_{key}"] for key in keys] == DEFAULT
    assert [row[f"evoked_{key}"] for key in keys] == EVOKED
    assert row.item_order.split() == list(reversed(keys))
    before, after = person.administrations.order_by("position")
    for subscale, score in before.scores.items():
        assert row[f"default_{subscale}"] == score
        assert row[f"evoked_{subscale}"] == after.scores[subscale]
        assert row[f"change_{subscale}"] == after.scores[subscale] - score
    assert row.participant == f"p_{person.participant.code}"
    assert (row.study, row.state, row.outcome) == (study.slug, "completed", "completed")
    assert row.situation_code == version.situation.code
    assert (row.situation_version, row.situation_emotion) == (1, "Anger")
    assert row.situation_factor == version.situation.factor.name
    assert (row.situation_seconds, row.situation_words_per_minute) == (2, 1200)
    assert (row.default_seconds, row.evoked_seconds) == (8, 8)
    assert (row.default_longest_string, row.evoked_within_person_sd) == (
        1,
        pytest.approx(1.451, abs=1e-3),
    )
    assert (row.gender, row.year_of_birth, row.country) == ("Female", 1990, "Åland")
    assert row.declined_questions == "employment"
    assert row.comment == "ä 你 😀\nzwei"
    assert (row.language, row.is_translated) == ("en", 1)
    assert (row.viewport_class, row.layout, row.consent_version) == ("small", "stacked", 2)
    assert row.consented_at == "2026-03-01T23:30:00.000+00:00"
    assert row.completed_at == "2026-03-01T23:35:00.000+00:00"
    assert row.duration_seconds == 300
    assert (row.n_flags, row.flag_fast_reading, row.flag_all_equal) == (1, 1, 0)
    assert row.flag_reasons == "1200 words a minute"
    assert row.default_attention_asked == 2
    assert (row.default_attention_answered, row.default_attention_failed) == (4, 1)
    assert "evoked_attention_asked" not in row
    assert row.is_excluded == 0


def test_several_situations_are_numbered_blocks(tmp_path: Path) -> None:
    study = StudyFactory(n_situations=2, situations_per_person=2)
    both = answered(study)
    one = answered(study, situations=[both.assignments.get(position=1).situation_version])

    frame = read(export(study, tmp_path)).set_index("participant")

    first, second = frame.loc[f"p_{both.participant.code}"], frame.loc[f"p_{one.participant.code}"]
    codes = [a.situation_version.situation.code for a in both.assignments.order_by("position")]
    assert [first.situation1_code, first.situation2_code] == codes
    assert second.situation1_code == codes[1]
    assert second[["situation2_code", "evoked2_interested", "change2_positive_affect"]].isna().all()
    assert first.evoked2_interested == EVOKED[0]


def test_an_item_row_says_where_and_how_it_was_answered(tmp_path: Path) -> None:
    study = StudyFactory()
    person = answered(study)

    frame = read(export(study, tmp_path, rows="item"))

    assert len(frame) == 40
    keys = list(study.instrument.spec.item_keys)
    default = frame[frame.phase == "default"]
    assert default.item.tolist() == keys[::-1]
    assert default.place.tolist() == list(range(1, 21))
    assert default.rating.tolist() == DEFAULT[::-1]
    assert default[["situation_code", "emotion"]].isna().all(axis=None)
    evoked = frame[frame.measure == 1].set_index("item")
    assert evoked.rating[keys].tolist() == EVOKED
    version = person.assignments.get().situation_version
    assert set(evoked.situation_code) == {version.situation.code}
    assert (evoked.item_text["upset"], evoked.changes["interested"]) == ("Upset", 2)
    assert evoked.shown_at["interested"] == "2026-03-01T23:30:00.000+00:00"
    assert pd.isna(evoked.answered_at["interested"])


@pytest.mark.parametrize("form", [f.value for f in Format if f is not Format.EXCEL_CSV_COMMA])
@pytest.mark.parametrize("rows", ["participant", "item"])
def test_every_format_holds_the_same(tmp_path: Path, form: str, rows: str) -> None:
    study = StudyFactory()
    answered(study, comment="ä 你 😀")
    answered(study, default=EVOKED, gender="Male")

    frame, reference = (read(export(study, tmp_path / f, form=f, rows=rows)) for f in (form, "csv"))

    assert list(frame) == list(reference)
    assert len(frame) == len(reference) == (2 if rows == "participant" else 80)
    for name in ("default_upset", "change_positive_affect", "comment", "rating", "item"):
        if name in reference:
            assert frame[name].fillna("").tolist() == reference[name].fillna("").tolist()
    time = "consented_at" if rows == "participant" else "shown_at"
    instants = [pd.to_datetime(f[time], utc=True) for f in (frame, reference)]
    assert instants[0].tolist() == instants[1].tolist()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {"counted"}),
        (("--include-excluded",), {"counted", "excluded"}),
        (("--include-active",), {"counted", "active"}),
        (
            ("--include-excluded", "--include-active"),
            {"counted", "excluded", "active", "active and excluded"},
        ),
    ],
)
def test_who_is_in_an_export(tmp_path: Path, options: tuple[str, ...], expected: set[str]) -> None:
    study = StudyFactory()
    answered(study, comment="counted")
    answered(study, comment="excluded", excluded_because="2 flags")
    for comment, reason in (("active", ""), ("active and excluded", "2 flags")):
        person = ParticipationFactory(study=study, comment=comment, excluded_because=reason)
        measure(person, 0, [3] * 5 + [None] * 15)
    for state in ("completed", "active"):
        answered(study, comment="test", is_test=True, state=state)
    answered(study, comment="withdrawn", state="withdrawn")
    answered(StudyFactory(), comment="another study")

    frame = read(export(study, tmp_path, *options)).set_index("comment")

    assert set(frame.index) == expected
    for comment, row in frame.iterrows():
        assert row.is_excluded == ("excluded" in comment)
        assert row.state == ("active" if "active" in comment else "completed")
    if "--include-active" in options:
        active = frame.loc["active"]
        assert active.default_interested == 3
        assert active[["default_active", "default_positive_affect", "evoked_upset"]].isna().all()
    items = read(export(study, tmp_path, *options, rows="item"))
    assert items.participant.nunique() == len(expected)


@pytest.mark.parametrize("form", [f.value for f in Format])
@pytest.mark.parametrize("rows", ["participant", "item"])
def test_no_file_holds_an_id_an_address_or_the_secret_of_a_participation(
    tmp_path: Path, form: str, rows: str
) -> None:
    study = StudyFactory()
    person = answered(
        study, prolific_id=PROLIFIC_ID, comment=f"I am {PROLIFIC_ID}, at 10.11.12.13 (a@b.example)",
        excluded_because=f"{PROLIFIC_ID} wrote to us",
    )  # fmt: skip
    person.submission.prolific_session_id = SESSION_ID
    person.submission.save()
    WebhookDelivery.objects.create(event_id="e1", event_type="x", body={"id": PROLIFIC_ID})

    export(study, tmp_path, "--include-excluded", form=form, rows=rows)

    seeds = [PROLIFIC_ID, SESSION_ID, "study1", "10.11.12.13", "a@b.example", person.code]
    files = list(tmp_path.iterdir())
    assert len(files) == 4
    for path in files:
        for content in contents(path):
            assert [seed for seed in seeds if seed.encode() in content] == []
    # What is looked for would be found: the pseudonym is.
    data = contents(tmp_path / f"{study.slug}-{rows}s.{Format(form).extension}")
    assert any(f"p_{person.participant.code}".encode() in content for content in data)


def contents(path: Path) -> list[bytes]:
    """The bytes of a file, and uncompressed those of what it packs."""
    raw = path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as packed:
            return [packed.read(name) for name in packed.namelist()]
    if path.suffix == ".parquet":
        return [raw, pq.read_table(path).to_pandas().to_csv().encode()]
    if path.suffix == ".sav":
        return [raw, pyreadstat.read_sav(path)[0].to_csv().encode()]
    return [raw]


def test_words_that_a_spreadsheet_would_run_are_made_safe_where_spreadsheets_read(
    tmp_path: Path,
) -> None:
    study = StudyFactory(n_situations=0)
    place = SituationFactory(factor__name="=cmd|' /C calc'!A0")
    version = SituationVersionFactory(situation=place, text="@SUM(1+1)")
    answered(study, situations=[version], comment='=HYPERLINK("http://x")')

    for form in ("csv", "excel-csv", "xlsx"):
        row = read(export(study, tmp_path, form=form)).iloc[0]
        assert row.comment == '\'=HYPERLINK("http://x")'
        assert row.situation_factor.startswith("'=cmd")
    for form in ("jsonl", "parquet", "sav"):
        row = read(export(study, tmp_path, form=form)).iloc[0]
        assert row.comment == '=HYPERLINK("http://x")'
    situations = pd.read_csv(tmp_path / f"{study.slug}-situations.csv")
    assert situations.words[0] == "'@SUM(1+1)"
    changes = read(export(study, tmp_path)).change_positive_affect
    assert changes.dtype.kind == "i"


def test_the_codebook_describes_every_column(tmp_path: Path) -> None:
    study = StudyFactory()
    answered(study)

    for rows in ("participant", "item"):
        frame = read(export(study, tmp_path, rows=rows))
        book = pd.read_csv(tmp_path / f"{study.slug}-{rows}s-codebook.csv")
        assert book.variable.tolist() == list(frame)
        assert book.label.notna().all()

    participants = pd.read_csv(tmp_path / f"{study.slug}-participants-codebook.csv")
    upset = participants.set_index("variable").loc["evoked_upset"]
    assert upset.label == "Upset, after the situation"
    assert upset.value_labels.startswith("1 = very slightly or not at all; 2 = a little;")
    assert (upset.instrument, upset.version, upset.type) == ("PANAS", 1, "integer")


def test_the_readme_has_the_norms_both_ways(tmp_path: Path) -> None:
    study = StudyFactory(exclusion_flags=2)
    answered(study)
    answered(study, evoked=[1] * 20, excluded_because="Quality rule: 2 flags: x, y")

    export(study, tmp_path)

    text = (tmp_path / f"{study.slug}-readme.txt").read_text(encoding="utf-8")
    assert (
        "1 of the people who finished; the rule, fixed before collection: 2 flags or more" in text
    )
    (line,) = [line for line in text.splitlines() if line.startswith("Negative Affect, after")]
    assert line.split("  ")[-1].strip().endswith("n 2)")
    assert "(SD –, n 1)" in line
    assert f"{study.slug}-participants.csv\n    1 rows, one participant a row" in text


def test_an_older_answer_keeps_the_words_that_were_shown(tmp_path: Path) -> None:
    study = StudyFactory(n_situations=0)
    old = SituationVersionFactory(text="The first words.")
    answered(study, situations=[old])
    new = SituationVersionFactory(situation=old.situation, number=2, text="Other words.")
    answered(study, situations=[new])

    frame = read(export(study, tmp_path))
    situations = pd.read_csv(tmp_path / f"{study.slug}-situations.csv")

    assert frame.situation_version.tolist() == [1, 2]
    assert situations.words.tolist() == ["The first words.", "Other words."]
    assert situations.participants.tolist() == [1, 1]


def test_a_study_without_people_is_a_file_with_its_columns(tmp_path: Path) -> None:
    study = StudyFactory()
    for form in ("csv", "xlsx", "parquet", "sav"):
        frame = read(export(study, tmp_path, form=form))
        assert len(frame) == 0
        assert "change_negative_affect" in frame


def test_an_export_is_noted_and_an_unknown_study_refused(tmp_path: Path) -> None:
    study = StudyFactory()
    answered(study)

    export(study, tmp_path, rows="item")

    event = StudyEvent.objects.get(kind="exported")
    assert event.detail == "40 rows, one item a row, as csv: people who count"
    with pytest.raises(CommandError, match="no study nowhere"):
        call_command("export_study", "nowhere", "--out", str(tmp_path))


def test_queries_do_not_grow_with_people(tmp_path: Path, django_assert_max_num_queries) -> None:
    study = StudyFactory()
    for _ in range(6):
        visited(answered(study), 3)

    with django_assert_max_num_queries(30):
        export(study, tmp_path)


def test_who_withdraws_while_an_export_is_written_is_not_in_it() -> None:
    study = StudyFactory()
    person = answered(study)
    person.administrations.all().delete()

    assert list(load_people(study, Selection())) == []
    assert Participation.objects.counted().count() == 1
