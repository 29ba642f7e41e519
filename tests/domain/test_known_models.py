"""The table of known models: facts with sources, found under the names that boards and vendors write."""

import json
from collections import Counter
from datetime import date

import pytest
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.domain.cutoffs import is_public_url
from app.domain.imports import ImportedModel
from app.domain.known_models import find_known_model, known_models, with_known_dates
from app.domain.slugs import model_slug

TABLE = known_models()


def test_each_fact_has_a_source_and_can_be_true() -> None:
    for known in TABLE:
        assert known.organisation, known
        assert known.cutoff_on or known.released_on, f"a line says something: {known}"
        for day, source in ((known.cutoff_on, known.cutoff_source), (known.released_on, known.released_source)):
            assert (day is not None) == (source is not None) == is_public_url(source), known
            assert day is None or date(2020, 1, 1) < day, known
        if known.cutoff_on and known.released_on:
            # Many are told by the month.
            months = [(day.year, day.month) for day in (known.cutoff_on, known.released_on)]
            assert months[0] <= months[1], f"nothing is trained after it came out: {known}"


def test_a_name_is_one_model() -> None:
    names = Counter(model_slug(name) for known in TABLE for name in known.names)
    assert [name for name, count in names.items() if count > 1] == []
    assert len(TABLE) > 90


def test_a_model_is_found_however_it_was_asked() -> None:
    for name, cutoff, released in [
        ("GPT-4O-2024-08-06", date(2023, 10, 31), date(2024, 8, 6)),
        ("gpt-4o-2024-08-06", date(2023, 10, 31), date(2024, 8, 6)),
        ("O3-Mini-2025-01-31 (High)", date(2023, 10, 31), date(2025, 1, 31)),
        ("O1-2024-12-17 (N=1) (Low)", None, date(2024, 12, 17)),
        ("Claude-3.7-Sonnet (Thinking)", date(2024, 11, 30), date(2025, 2, 24)),
        ("Gemini-Pro-1.5 (n=1)", date(2024, 5, 31), None),
        ("Command-R+", None, date(2024, 4, 4)),
        ("Command-R", None, date(2024, 3, 11)),
    ]:
        known = find_known_model(name)
        assert known is not None, (name, cutoff, released)
        assert (known.cutoff_on, known.released_on) == (cutoff, released), (name, cutoff, released)


@pytest.mark.parametrize("name", ["", "Kestrel", "GPT-4O", "o3-mini (huge)", "(High)", "Codestral-Latest", "o4-mini+"])
def test_what_is_not_there_is_not_guessed(name: str) -> None:
    assert find_known_model(name) is None


def test_a_file_is_dated_by_the_table_where_it_has_no_later_date() -> None:
    bare = with_known_dates(ImportedModel("o3-mini-high", "O3-Mini-2025-01-31 (High)"))
    assert (bare.cutoff_on, bare.released_on) == (date(2023, 10, 31), date(2025, 1, 31))
    assert is_public_url(bare.cutoff_evidence)
    own = ImportedModel("dbrx", "DBRX-Ins", "", date(2025, 1, 1), date(2025, 1, 1), cutoff_evidence="https://a.test/b")
    assert with_known_dates(own) == own, "a later date makes nobody cleaner"
    assert with_known_dates(ImportedModel("kestrel", "Kestrel")) == ImportedModel("kestrel", "Kestrel")


def test_the_table_is_printed() -> None:
    door = CliRunner()
    told = json.loads(door.invoke(build_parser(["model"]), ["model", "cutoffs", "--json"]).stdout)["models"]
    assert [each["names"] for each in told] == [list(known.names) for known in TABLE]
    assert next(each for each in told if each["names"] == ["GPT-3.5-Turbo-0301"]) == {
        "names": ["GPT-3.5-Turbo-0301"], "organisation": "OpenAI", "cutoff_on": "2021-09-30",
        "cutoff_source": "https://platform.openai.com/docs/models/gpt-3.5-turbo", "released_on": "2023-03-01",
        "released_source": "https://github.com/anomalyco/models.dev", "several": False,
    }  # fmt: skip
    shown = door.invoke(build_parser(["model"]), ["model", "cutoffs"]).stdout
    assert "Claude-3-Haiku" in shown
    assert "2023-08-31" in shown
