"""The suite that the guide writes down, imported as soon as its file is there."""

import json
from pathlib import Path

import pytest
from support.files import READ_AT
from support.snippets import plug_in, plugged

from app.db.kernel.session import Session
from app.domain.errors import InvalidImport, NotFound
from app.services.runs import imports
from scrapers.suite import find_suite

ROWS = [{"id": "a", "title": "Two", "numbers": [1, 2]}, {"id": "b", "title": "None", "numbers": []}]


def test_a_new_suite_is_one_file(session: Session, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        find_suite("sums")
    (tmp_path / "plugged").mkdir()
    path = tmp_path / "sums.jsonl"
    with plugged(plug_in("adding-a-suite.md"), tmp_path / "plugged"):
        suite = find_suite("sums")
        path.write_text("\n".join(json.dumps(row) for row in ROWS))
        batch = suite.read(suite.load(path), {}, READ_AT)
        assert [(problem.external_id, problem.tests[0].expected) for problem in batch.problems] == [
            ("a", "3\n"), ("b", "0\n"),
        ]  # fmt: skip
        assert imports.store_batch(session, batch, READ_AT).problems == 2
        path.write_text(json.dumps(ROWS[0]) + '\n{"id": "c"}\nnot json\n')
        batch = suite.read(suite.load(path), {}, READ_AT)
        assert [row.line for row in batch.bad_rows] == [2, 3]
        assert [problem.external_id for problem in batch.problems] == ["a"]
        path.write_text("not json\n")
        with pytest.raises(InvalidImport) as refused:
            suite.read(suite.load(path), {}, READ_AT)
        assert [row.line for row in refused.value.bad_rows] == [1]
