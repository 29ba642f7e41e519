"""The states of a submission in the documents are those of the code.

With TIDEMARK_TEST_RECORD=1 the diagram is written into the document.
"""

import os
import re

from support.proven import RECORDS
from support.rules import ROOT

from app.domain.states import SUBMISSION_MOVES, SubmissionState
from app.domain.vendors.state_diagrams import draw_submission

PAGE = ROOT / "docs" / "vendors" / "submissions.md"
BLOCK = re.compile(r"(<!-- submission states -->\n```mermaid\n)(.*?)(```\n<!-- end -->)", re.DOTALL)


def test_the_document_draws_the_moves_of_the_code() -> None:
    text, diagram = PAGE.read_text(encoding="utf-8"), f"{draw_submission()}\n"
    if os.environ.get(RECORDS) == "1":
        text = BLOCK.sub(lambda found: f"{found[1]}{diagram}{found[3]}", text)
        PAGE.write_text(text, encoding="utf-8")
    found = BLOCK.search(text)
    assert found is not None
    assert found[2] == diagram


def test_the_diagram_has_every_move() -> None:
    lines = {line.strip() for line in draw_submission().splitlines()}
    for old, followers in SUBMISSION_MOVES.items():
        for new in followers:
            assert f"{old} --> {new}" in lines or f"any_active --> {new}" in lines, (old, new)
    for state in SubmissionState:
        assert any(str(state) in line for line in lines), state
