"""Nothing that setters wrote, and no hidden test, goes out by any door: pages, API, exports, feeds, measures.

A mark stands in all of it: in programs, in hidden inputs and answers, in evidence, in what setters answered.
"""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from factories import World, web_app
from fastapi import FastAPI
from pipeline.flow import LEASE, NOW, judge_one
from served import NO_AUTHORITIES, served
from sqlalchemy import Connection, func, select
from support import doors
from support.consensus import Says, add_setter, asked, fresh, ranked, settle
from support.servers import rolled_back

from app.db.kernel.session import Engine, Session, SessionMaker
from app.db.problems.problems import add_test_set
from app.db.tables import ConsensusRow, Model, Problem, ProgramRow, ProtocolRow, Run, Sample, Snapshot, TestRow
from app.domain.boards.named_boards import boards
from app.domain.consensus.result import ConsensusResult, ProvingProgram
from app.domain.errors import NotFound
from app.domain.exports import ExportTable
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, ProblemSpec, Test
from app.domain.publishing.holds import ProofOutcome
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, ProblemState
from app.services.boards import snapshots
from app.services.boards.board_views import CubeStore
from app.services.boards.export import Format, write_rows
from app.services.operations import access
from app.services.problems import publishing
from app.services.runs import cell_updates
from app.services.runs.consensus import consensus_jobs

MARK = "quokka"
# A vendor of ranked models and of a setter: it is told no more of what its setter wrote than anybody.
VENDOR = "tern-labs"
# Routes that say no here: they are maintainers', or need what this world lacks: a token, an order, two rows of a board.
CLOSED = {
    "/api/v1/boards/{name}/compare", "/api/v1/human-ratings", "/login",
    "/readyz",
    "/badge/{model}.svg",  # no model has a row on the first board here
    "/ops", "/ops/activity", "/ops/drift", "/ops/drift/{id:int}", "/ops/gpus", "/ops/machinery",
    "/ops/quarantine", "/ops/rejudging",
    "/ops/rejudging/{id:int}", "/ops/runs", "/ops/setters", "/ops/setters/{id:int}", "/ops/contamination",
    "/ops/cutoffs", "/ops/tests", "/ops/tests.json",
    "/", "/en", "/zh",  # they lead to the protocol that has rows
    "/holistic", "/ratings",  # old addresses, which lead to tabs of boards
}  # fmt: skip
# Under every protocol, and in all their files, these boards: where results are, and one without any. The others are
# other columns over the same: of each, its page and its JSON.
ENTERED = ("codegen", "setting", "repair")
OF_EACH = ("/api/v1/boards/{name}", "/en/boards/{board}")
OTHER_BOARD = re.compile(rf"/(\w\w/|api/v1/)?boards/(?!({'|'.join(ENTERED)})\b)")
# What a page shows of a sample it shows in both languages: of each kind of sample one is seen in the other.
OTHER_LANGUAGE = re.compile(r"/zh/samples/")
# Parameters of which one value is seen: another window, reference or opened row is of the same rows.
ALIKE = {"from", "to", "ref", "open"}


def many_of_a_kind() -> Callable[[str], bool]:
    """Whether a link leads to more of what was seen, or is seen elsewhere: each value of each parameter is seen at each
    path, not each with every other."""
    seen = set[tuple[str, ...]]()

    def passed_by(link: str) -> bool:
        path, asked = urlsplit(link).path, parse_qsl(urlsplit(link).query)
        new = {(path,), *((path, name, "" if name in ALIKE else value) for name, value in asked)} - seen
        seen.update(new)
        return not new or bool(OTHER_LANGUAGE.match(link) or OTHER_BOARD.match(link))

    return passed_by


def marked(name: str) -> Says:
    """What a setter answers: text that must not come out."""
    return lambda request: f"```python\nprint('{MARK}-said-by-{name}')\n```"


def made(problem: ProblemSpec, reason: str | None = None) -> ConsensusResult:
    hidden = Test(f"{MARK}-input\n", f"{MARK}-expected\n")
    programs = tuple(
        ProvingProgram(f"{name} solution 0", "python", f"print('{MARK}-program-{name}')\n", right=right)
        for name, right in (("first", True), ("second", True), ("third", False))
    )
    told = [{"setter": name, "vendor": name} for name in ("first", "second")]
    answers = [{"setter": "first", "role": "brute", "state": "refuted", "witness": f"{MARK}-witness"}]
    return ConsensusResult(
        None if reason is None else text_reason(reason),
        replace(problem, tests=(*problem.tests, hidden)), programs, {"legal": 9, "setters": told},
        {"legal": 9, "answers": answers},
    )  # fmt: skip


def set_both(session: Session) -> None:
    """One problem is set, proven, published and judged; setters disagree on the other, which is held."""
    world = World(session, now=NOW)
    problems = [fresh(session, name, world=world) for name in ("best", "odd")]
    ranked(session, "tern", VENDOR)
    add_setter(session, "first", VENDOR)
    add_setter(session, "second", "b")
    for problem in problems:
        settle(session, problem)
    while asked(session, marked):
        pass
    for reason in (None, f"setters disagree on {len(MARK)} inputs"):
        job = consensus_jobs.claim(session, NOW, LEASE)
        assert job is not None
        assert MARK in str(job.answers)
        assert consensus_jobs.record(session, job, made(job.problem, reason), NOW)
    proof = publishing.claim_proof(session, NOW, LEASE)
    assert proof is not None
    assert publishing.record_proof(session, proof, ProofOutcome(proven=True, reason=None, references=2, wrong=1), NOW)
    while judge_one(session, Verdict.WRONG_ANSWER):
        pass
    while cell_updates.update_changed_cells(session):
        pass
    assert [problem.state for problem in problems] == [ProblemState.PUBLISHED, ProblemState.HELD]


@pytest.fixture(scope="module")
def both(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """Where both are stored, and what was set is in the boards and frozen."""
    with engine.connect() as connection, rolled_back(connection) as sessions:
        with sessions() as session:
            set_both(session)
            snapshots.freeze_due(session, CubeStore(tmp_path_factory.mktemp("cubes")), NOW)
            session.commit()
        yield connection


@pytest.fixture
def sessions(both: Connection) -> Iterator[SessionMaker]:
    with rolled_back(both) as made:
        yield made


@pytest.fixture
def app(sessions: SessionMaker, tmp_path: Path) -> FastAPI:
    return web_app(sessions, tmp_path)


@pytest.fixture
def world(session: Session) -> Session:
    return session


@pytest.fixture
def client(world: Session, app: FastAPI) -> Iterator[httpx.Client]:
    key = access.issue_key(world, VENDOR, list(access.KeyScope), NOW)
    world.commit()
    with (
        served(app) as url,
        httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120, verify=NO_AUTHORITIES
        ) as made,
    ):
        yield made


def values(session: Session) -> dict[str, list[Any]]:
    """What the parameters of routes may be: everything there is, what is of setters too."""
    runs, samples = session.scalars(select(Run.id)).all(), session.scalars(select(Sample.id)).all()
    return {
        "slug": (models := [*session.scalars(select(Model.slug))]), "model": models, "source": ["atcoder"],
        "external_id": [*session.scalars(select(Problem.external_id))],
        "id": [*samples], "sample_id": [*samples], "run_id": [*runs], "part": ["response", "answer"],
        "sha256": [*session.scalars(select(Snapshot.sha256))], "form": ["atom", "json"], "public_id": ["none"],
        "webhook_id": ["none"], "dispute_id": ["none"], "endpoint": ["none"], "endpoint_id": ["none"],
        "dispute": ["none"], "prefix": ["none"], "webhook": ["none"],
    }  # fmt: skip


def names_of(template: str) -> Sequence[str]:
    """The boards of a route, or its feeds."""
    if template.startswith("/static"):
        return []
    if "/feeds/" in template:
        return ["changes", "problems", "models"]
    return [*boards(), "setting"] if template in OF_EACH else ENTERED


def every_address(app: FastAPI, session: Session) -> dict[str, str]:
    """Each address with the route that it is of; boards under every protocol, those of setters too."""
    known, found = values(session), {}
    few = {"id": session.scalars(select(func.min(Sample.id)).group_by(Sample.run_id, Sample.state)).all()}
    protocols = session.scalars(select(ProtocolRow.slug)).all()
    for template in doors.templates(app):
        ids = {} if template.startswith(("/api/", "/en/samples/")) and "{part}" not in template else few
        names = names_of(template)
        for address in doors.addresses(template, known | ids | {"name": names, "board": names}):
            found[address] = template
            if "/boards/" in template and not OTHER_BOARD.match(address):
                found |= {f"{address}?protocol={slug}": template for slug in protocols}
    return found


def test_no_door_lets_out_what_setters_wrote_or_a_hidden_test(
    world: Session, app: FastAPI, client: httpx.Client
) -> None:
    routes = every_address(app, world)
    well = set[str]()
    count = 0
    for address, status, said in doors.walk(client, routes, many_of_a_kind()):
        count += 1
        assert MARK not in said, (address, said[max(0, said.index(MARK) - 300) :][:400])
        assert status < 500 or address == "/readyz", (address, said[:500])
        if status == 200:
            well.add(routes.get(address, ""))
    bare = {template for template in routes.values() if not template.startswith(("/en/", "/zh/"))}
    closed = CLOSED | {template for template in bare if template.startswith(("/api/v1/vendor/", "/console"))}
    assert bare - well <= closed, "the walk saw what it was to see"
    assert count > 300


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("table", list(ExportTable))
def test_no_export_contains_the_tests_or_answers_of_setters(world: Session, table: ExportTable, form: Format) -> None:
    for protocol in (None, "fresh") if table in (ExportTable.CELLS, ExportTable.SAMPLES) else (None,):
        out = io.BytesIO()
        assert write_rows(world, table, form, out, protocol) > 0
        assert not any(MARK in text for text in doors.texts(out.getvalue()))


def test_no_export_holds_it_once_better_tests_are_used(world: Session) -> None:
    problem = world.scalars(select(Problem).where(Problem.state == ProblemState.PUBLISHED)).one()
    better = ProblemSpec("best", Form.STDIN, (Test("1\n1\n", "1\n"),))
    facts = {"origin": "official", "proof": "proven"}
    problem.current_test_set_id, new = add_test_set(world, problem.id, better, facts)
    world.flush()
    assert new
    for table in ExportTable:
        out = io.BytesIO()
        assert write_rows(world, table, Format.JSONL, out, None) > 0
        assert MARK not in out.getvalue().decode()


@pytest.mark.parametrize("table", [ExportTable.CELLS, ExportTable.SAMPLES])
def test_nothing_is_exported_of_a_setters_protocol(world: Session, table: ExportTable) -> None:
    out = io.BytesIO()
    with suppress(NotFound):
        write_rows(world, table, Format.JSONL, out, "setting-first")
    assert out.getvalue() == b""


def test_the_world_has_what_is_looked_for(world: Session) -> None:
    """Else nothing could be found, whatever the doors did."""
    assert sum(MARK in (text or "") for text in world.scalars(select(Sample.response))) > 10
    assert sum(MARK in test.input for test in world.scalars(select(TestRow))) == 1
    assert sum(MARK in program.code for program in world.scalars(select(ProgramRow))) == 3
    held = world.scalars(select(ConsensusRow).where(ConsensusRow.state == ConsensusState.HELD)).one()
    assert MARK in str(held.evidence)
