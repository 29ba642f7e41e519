"""An answer that chooses its language: judged in it, counted, and no way out of being judged."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pipeline.flow import LEASE, NOW, answer_all, result, standing
from sqlalchemy import Connection, select
from support.batches import batch, problem
from support.servers import Servers, rolled_back

from app.db.kernel.session import Session
from app.db.problems import audits
from app.db.tables import Problem, Sample
from app.domain.asking.protocols import PRESETS
from app.domain.judging.verdicts import Verdict
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.runs import cell_updates, grade, imports, items, sample_views

OPEN = next(protocol for protocol in PRESETS if protocol.slug == "house-codeelo-open")
ANSWERS = {
    "cpp": "```cpp\nint main() {}\n```",
    "python": "Fast enough.\n```python3\nprint(1)\n```",
    "java": "```java\nclass Main {}\n```",
    "none": "I give up.",
}


def answer(session: Session) -> None:
    imports.store_batch(session, batch(replace(problem(0), tags=("quagga",))), NOW)
    for name, text in ANSWERS.items():
        standing(session, name, protocol=OPEN)
        assert answer_all(session, text) == 1


@pytest.fixture(scope="module")
def there(servers: Servers) -> Iterator[Connection]:
    """A model for each answer; the problem has a tag that no prompt may show."""
    with servers.arranged(answer) as connection:
        yield connection


@pytest.fixture
def session(there: Connection) -> Iterator[Session]:
    with rolled_back(there) as sessions, sessions() as made:
        yield made


@pytest.fixture
def answered(session: Session) -> dict[str, Sample]:
    """The answers, by the name of their model."""
    samples = session.scalars(select(Sample).order_by(Sample.id)).all()
    return dict(zip(ANSWERS, samples, strict=True))


def judge(session: Session, *languages: str) -> list[tuple[int, str, str | None]]:
    """Judge what somebody with these languages can judge."""
    jobs = []
    while (job := grade.claim(session, NOW, LEASE, languages)) is not None:
        jobs.append((job.sample_id, job.language, job.answer))
        assert grade.record(session, job, result(Verdict.ACCEPTED if job.answer else Verdict.NO_ANSWER), NOW)
    return jobs


def test_a_program_is_judged_in_the_language_it_chose(session: Session, answered: dict[str, Sample]) -> None:
    assert judge(session, "rust") == [
        (answered["java"].id, "python", None), (answered["none"].id, "python", None),
    ], "without a program anybody judges"  # fmt: skip
    assert judge(session, "python") == [(answered["python"].id, "python", "print(1)\n")]
    assert judge(session, "python") == []
    assert judge(session, "cpp") == [(answered["cpp"].id, "cpp", "int main() {}\n")]
    assert [sample.followed_format for sample in answered.values()] == [True, True, False, False]
    [stored] = session.scalars(select(Problem)).all()
    programs = audits.accepted_programs(session, stored.id)
    assert {program.language for program in programs} == {"cpp", "python"}
    assert sample_views.sample(session, answered["cpp"].id).language == "cpp"


def test_shares_of_languages_are_on_the_board(session: Session, answered: dict[str, Sample], tmp_path: Path) -> None:
    judge(session, "python", "cpp")
    cell_updates.update_changed_cells(session)
    board = board_views.board(session, parse_query([("protocol", OPEN.slug)], "codeelo"), CubeStore(tmp_path))
    rows = {row["model"]: row for row in board_views.board_json(board)["rows"]}
    assert {name: row.get("languages") for name, row in rows.items()} == {
        "cpp": {"cpp": 1.0}, "python": {"python": 1.0}, "java": {"other": 1.0}, "none": None,
    }  # fmt: skip
    assert {name: (row["columns"]["chose_cpp"], row["columns"]["chose_python"]) for name, row in rows.items()} == {
        "cpp": (100.0, 0.0), "python": (0.0, 100.0), "java": (0.0, 0.0), "none": (None, None),
    }  # fmt: skip
    assert {name: row["score"] for name, row in rows.items()} == {"cpp": 100, "python": 100, "java": 0, "none": 0}


def test_the_tags_of_a_problem_are_in_no_prompt(session: Session, answered: dict[str, Sample]) -> None:
    for protocol in (OPEN.slug, "house-codeelo"):
        [posed] = items.pose_items(session, "house/sum-0", protocol)
        assert posed.prompt is not None
        assert all("quagga" not in message.content for message in posed.prompt.messages)
