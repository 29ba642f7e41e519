"""Grading workers hold the password of a role that claims and records, and that reads no secret."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from pipeline.flow import answer_all, drain, judge_one, standing
from sqlalchemy import make_url, select, text, update
from sqlalchemy.exc import ProgrammingError
from support.batches import SUM, WRONG, batch, counting, problem
from support.consensus import add_setter, asked, fresh, says, setting_of, settle
from support.servers import Servers
from support.setters import FROM_ZERO, fenced
from support.waiting import until

from app.db.kernel.roles import GRADING, grant_grading
from app.db.kernel.session import Engine, make_engine
from app.db.tables import DerivedItem, Heartbeat, Problem, Rejudging, Sample, TestSet, VerdictRow
from app.domain.imports import ImportedProgram
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.domain.states import SampleState
from app.services.rejudging import rejudge
from app.services.runs import imports, plan
from workers import tasks, upkeep
from workers.context import Context, leave, make_context, now, use
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness

PASSWORD = 'it\'s a 100% "odd" one'


def as_role(url: str) -> str:
    """The address of a database for the role, which was given its rights there."""
    for _each in range(2):  # at every start
        grant_grading(url, PASSWORD)
    return url.replace("tidemark@", f"{GRADING}@")


@pytest.fixture
def grading(ctx: Context, tested_judge: AnsweringJudge) -> Iterator[Context]:
    """A worker that knows the role alone; what there is to do was made by the owner."""
    made = make_context(ctx.settings.model_copy(update={"database_url": as_role(ctx.settings.database_url)}))
    made.parts[Readiness] = Readiness(made, tested_judge)
    yield made
    made.close()


@pytest.fixture(scope="module")
def granted(servers: Servers) -> Iterator[Engine]:
    """A database by that role, for statements that it may not make."""
    with servers.database() as url:
        made = make_engine(as_role(url))
        yield made
        made.dispose()


@pytest.mark.sandbox
def test_a_worker_with_that_role_proves_claims_and_records(ctx: Context, grading: Context) -> None:
    """The owner does its own part meanwhile."""
    ctx.commit(imports.store_batch, batch(problem(0, shipped=False)), now())
    use(grading)
    tasks.prove_tests()
    with ctx.sessions.begin() as session:
        assert session.scalars(select(TestSet.proof)).one() == "proven"
        assert session.scalars(select(Problem.state)).one() == "published"
        standing(session, "tern")
        assert answer_all(session, f"```python\n{SUM}\n```", now()) == 1
    tasks.grade_answers()
    upkeep.canary()
    upkeep.compare_accepted()
    upkeep.beat("grade")
    upkeep.self_test()  # last: compilers that are looked for beside the grading end with it
    with ctx.sessions() as session:
        assert session.scalars(select(Heartbeat.detail).where(Heartbeat.queue == "grade")).one()["grading"] == "ready"
        assert session.scalars(select(Sample.state)).one() == SampleState.GRADED
        assert session.scalars(select(VerdictRow.verdict)).one() == "accepted"


@pytest.mark.sandbox
def test_a_worker_with_that_role_derives_items(ctx: Context, grading: Context) -> None:
    ctx.commit(imports.store_batch, batch(counting()), now())
    ctx.commit(plan.plan_samples, now())
    use(grading)
    tasks.derive_items()
    with ctx.sessions() as session:
        kinds = Counter(session.scalars(select(DerivedItem.kind)))
        assert kinds["test_output"] == 2, "its public tests"
        assert kinds["execution"] == kinds["execution_input"] == 6, "runs on inputs that are in no test"
        assert kinds["bug_fix"] > 0 < kinds["review"]


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize("lies", [False, True])
def test_a_worker_with_that_role_sets_problems(ctx: Context, grading: Context, lies: bool) -> None:
    """The suite is stored and proven, and the problem is published; or setters are asked again with the evidence."""
    liar = {"brute": fenced("input()\nprint(sum(map(int, input().split())))")} if lies else {}
    with ctx.sessions.begin() as session:
        problem_id = fresh(session).id
        for vendor in ("a", "b"):
            add_setter(session, vendor, vendor, now())
        settle(session, session.get_one(Problem, problem_id), now())
        asked(
            session,
            lambda name: says(name, solution_2=fenced(FROM_ZERO), **(liar if name == "b" else {})),
            now(),
        )
    use(grading)
    tasks.build_suites()
    tasks.prove_tests()
    leave()
    owner = make_context(ctx.settings)
    with owner.sessions() as session:
        problem = session.get_one(Problem, problem_id)
        consensus = setting_of(session, problem)
        assert (problem.state, consensus.state) == (("checked", "asking") if lies else ("published", "stored"))
        assert consensus.round == lies
        assert bool(consensus.evidence["answers"])
    owner.close()


@pytest.mark.sandbox
def test_a_worker_with_that_role_judges_kept_answers_again_and_refutes(ctx: Context, grading: Context) -> None:
    refuted = replace(problem(1), programs=(ImportedProgram("reference", "python", WRONG),))
    ctx.commit(imports.store_batch, batch(problem(0), refuted), now())
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        assert answer_all(session, f"```python\n{SUM}\n```", now()) == 2
        while judge_one(session, now=now()):
            pass
        drain(session)
        scope = RejudgingScope(ScopeKind.PROBLEM, "house/sum-0")
        number = rejudge.propose(session, scope, "mended", "a maintainer", now())
        rejudge.begin(session, number, "looked at it", "a maintainer", now())
        other = session.scalars(select(Problem.current_test_set_id).where(Problem.external_id == "sum-1")).one()
        session.execute(update(TestSet).where(TestSet.id == other).values(proof="waiting", attempts=0))
    use(grading)
    tasks.grade_answers()
    tasks.prove_tests()
    with ctx.sessions() as session:
        assert session.scalars(select(Rejudging.state)).one() == "predicted"
        states = [(problem.external_id, problem.state) for problem in session.scalars(select(Problem))]
        assert sorted(states) == [("sum-0", "published"), ("sum-1", "held")]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT secret_encrypted FROM endpoints", "SELECT * FROM endpoints", "SELECT 1 FROM users",
        "SELECT 1 FROM api_keys", "SELECT 1 FROM web_sessions", "SELECT 1 FROM login_links", "SELECT 1 FROM blobs",
        "DELETE FROM verdicts", "UPDATE programs SET code = ''", "UPDATE tests SET expected = ''",
        "UPDATE samples SET answer = ''", "UPDATE samples SET run_id = 1", "UPDATE verdicts SET verdict = 'accepted'",
        "UPDATE problems SET released_on = now()", "UPDATE problems SET title = ''", "DELETE FROM tests",
        "INSERT INTO setters DEFAULT VALUES", "UPDATE settings SET problem_id = 1",
        "INSERT INTO users DEFAULT VALUES", "CREATE TABLE mine (a int)", "UPDATE cells SET c = n",
    ],
)  # fmt: skip
def test_it_reads_no_secret_and_changes_nothing_else(granted: Engine, statement: str) -> None:
    with granted.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM samples")) == 0
        with pytest.raises(ProgrammingError, match=r"permission denied"):
            connection.execute(text(statement))


def test_two_databases_of_one_server_make_the_role_at_one_moment(ctx: Context, servers: Servers) -> None:
    """A lock of one database does not keep out who migrates the other."""
    with servers.database() as other, ThreadPoolExecutor(1) as pool:
        grant_grading(other, PASSWORD)
        with psycopg.connect(host=str(servers.folder), user="tidemark", dbname="postgres") as first:
            first.execute(f"ALTER ROLE {GRADING} NOINHERIT".encode())  # as one that is half-way through
            second = pool.submit(grant_grading, ctx.settings.database_url, PASSWORD)
            until(lambda: _waiting(ctx) or second.done())
        second.result(timeout=60)


def _waiting(ctx: Context) -> bool:
    with ctx.sessions() as session:
        lock = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        return bool(session.scalar(text(lock)))


def test_an_owner_who_may_make_no_roles_uses_the_one_that_is_there(ctx: Context) -> None:
    """An administrator made it; the owner gives it its rights, and says nothing of its password."""
    grant_grading(ctx.settings.database_url, None)
    database = make_url(ctx.settings.database_url)
    with ctx.sessions.begin() as session:
        session.execute(text("CREATE ROLE plain_owner LOGIN"))
        session.execute(text(f'ALTER DATABASE "{database.database}" OWNER TO plain_owner'))
        for table in session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all():
            session.execute(text(f'ALTER TABLE "{table}" OWNER TO plain_owner'))
    grant_grading(database.set(username="plain_owner").render_as_string(), PASSWORD)
    with ctx.sessions.begin() as session:
        session.execute(text(f'ALTER DATABASE "{database.database}" OWNER TO tidemark'))
        session.execute(text("REASSIGN OWNED BY plain_owner TO tidemark"))
        session.execute(text("DROP OWNED BY plain_owner"))
        session.execute(text("DROP ROLE plain_owner"))
