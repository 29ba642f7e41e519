"""`tidemark run`: a maintainer begins a run of somebody's endpoint or of weights, and steers it."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import model_server
from fakes.dialects import DIALECTS, Told
from fakes.model_server import Asked, ModelServer, Say, as_json
from sqlalchemy import delete, func, select, update
from support.batches import SUM, batch, problem
from support.commands import said, tidemark
from support.servers import Servers
from support.waiting import until
from typer.testing import Result

from app.config import Settings
from app.db.kernel.session import Session, sessions_on
from app.db.runs import runs as run_store
from app.db.tables import AuditEntry, Endpoint, LedgerEntry, Model, ProtocolRow, Run, Sample
from app.db.tables.base import Base
from app.domain.errors import AddressRefused, Conflict, InvalidInput, NotFound
from app.domain.states import RunState
from app.services.runs import imports, plan
from app.services.runs.control import run_control
from workers import tasks
from workers.context import Context, leave, make_context, now, use

QUESTIONS = 3
CUTOFF = ("--cutoff", "2026-01-31", "--evidence", "https://example.com/orion-5")
PRICES = ("--price-input", "2", "--price-output", "10", "--price-cached", "1")
ANSWER = f"```python\n{SUM}```"


@pytest.fixture(scope="module")
def begun(servers: Servers) -> Iterator[str]:
    """A database that has been used: it has problems, and the protocols."""
    with servers.database() as url:
        with sessions_on(url) as sessions, sessions.begin() as session:
            imports.store_batch(session, batch(*(problem(number) for number in range(QUESTIONS))), now())
            plan.ensure_protocols(session)
        yield url


@pytest.fixture
def fresh_database(servers: Servers, begun: str) -> Iterator[str]:
    with servers.database(begun) as url:
        yield url


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings))
    yield made
    leave()
    made.close()


def answers(_: Asked) -> Say:
    return model_server.message(ANSWER)


def start(ctx: Context, server: ModelServer, *words: str, model: str = "orion-5", **names: str) -> Result:
    given = ("run", "start", model, "--protocol", "house", "--endpoint", server.url, *words)
    return tidemark(ctx.settings, *given, "--json", **names)


def show(ctx: Context, run: int) -> Any:
    return said(tidemark(ctx.settings, "run", "show", run, "--json"))


def ask(run: int = 1) -> None:
    """Plan, and ask one slice; the verb's own context is the process's."""
    tasks.plan_runs()
    tasks.infer_slice(run)


def of_models(session: Session) -> list[str]:
    """The public ledger's lines about models."""
    kinds = session.scalars(select(LedgerEntry.kind).where(LedgerEntry.subject == "orion-5").order_by(LedgerEntry.id))
    return list(kinds)


def rows(session: Session) -> dict[str, int]:
    return {
        table.name: session.scalar(select(func.count()).select_from(table)) or 0
        for table in Base.metadata.sorted_tables
    }


def test_from_a_public_model_to_its_answers(ctx: Context, tmp_path: Path) -> None:
    """As on a first day, when the database has no protocols yet."""
    with ctx.sessions.begin() as session:
        session.execute(delete(ProtocolRow))
    (tmp_path / "key").write_text("sk-of-orion\n")
    with ModelServer(answers) as server:
        facts = ("--name", "Orion 5", "--organisation", "Acme", *CUTOFF, "--remote-name", "acme/orion")
        begun = said(start(ctx, server, "--key-file", str(tmp_path / "key"), *facts, "--set", "reasoning_effort=high"))
        assert begun == {"run": 1, "wanted": QUESTIONS, "forecast_cost": None}
        ask()
        assert {asked.json["model"] for asked in server.asked} == {"acme/orion"}
        assert {asked.json["reasoning_effort"] for asked in server.asked} == {"high"}
        assert {asked.headers["authorization"] for asked in server.asked} == {"Bearer sk-of-orion"}
        again = said(start(ctx, server, *facts, "--set", "reasoning_effort=high"))
        assert again["run"] == 1, "the standing run goes on"
    with ctx.sessions() as session:
        [model], [run] = session.scalars(select(Model)).all(), session.scalars(select(Run)).all()
        [endpoint] = session.scalars(select(Endpoint)).all()
        assert (model.slug, model.name, model.organisation_name) == ("orion-5", "Orion 5", "Acme")
        assert (run.public, run.configuration) == (True, {"reasoning_effort": "high"})
        assert endpoint.secret_encrypted is not None
        assert b"sk-of-orion" not in endpoint.secret_encrypted
        assert "run.started" in session.scalars(select(AuditEntry.action)).all()
        assert of_models(session) == ["model.added"]
    assert show(ctx, 1) == {
        "run": 1, "model": "orion-5", "configuration": "high", "protocol": "house", "trial": 1,
        "state": "active", "reason": None,
        "samples": {"pending": 0, "inferring": 0, "answered": QUESTIONS, "grading": 0, "graded": 0, "gave_up": 0,
                    "stuck": 0},
        "requests": QUESTIONS, "answers": QUESTIONS, "cost": None, "failures": [], "engine": None,
    }  # fmt: skip


def test_a_dry_run_writes_nothing_and_says_what_it_would_be(ctx: Context) -> None:
    with ctx.sessions() as session:
        before = rows(session)
    with ModelServer(answers) as server:
        assert said(start(ctx, server, *PRICES, "--dry-run")) == {
            "run": None, "wanted": QUESTIONS, "forecast_cost": None,
        }  # fmt: skip
        assert server.asked == []
    with ctx.sessions() as session:
        assert rows(session) == before


def test_what_a_run_continues_is_begun_with_it(ctx: Context) -> None:
    with ModelServer(answers) as server:
        given = ("run", "start", "orion-5", "--protocol", "house-repair-2", "--endpoint", server.url, "--json")
        begun = said(tidemark(ctx.settings, *given))
    assert [each["protocol"] for each in begun["before"]] == ["house", "house-repair"]
    assert [each["wanted"] for each in begun["before"]] == [QUESTIONS, QUESTIONS]
    with ctx.sessions() as session:
        slugs = session.execute(select(ProtocolRow.slug).join(Run, Run.protocol_id == ProtocolRow.id).order_by(Run.id))
        assert slugs.scalars().all() == ["house", "house-repair", "house-repair-2"]


def test_the_forecast_is_what_answers_took_until_now(ctx: Context) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 500, "prompt_tokens_details": {"cached_tokens": 400}}
    with ModelServer(model_server.message(ANSWER, usage=usage)) as server:
        assert said(start(ctx, server, *PRICES))["forecast_cost"] is None
        ask()
        cost = QUESTIONS * (600 * 2 + 400 * 1 + 500 * 10) / 1e6
        assert show(ctx, 1)["cost"] == pytest.approx(cost)
        other = said(start(ctx, server, *PRICES, "--dry-run", model="tern"))
        assert other == {"run": None, "wanted": QUESTIONS, "forecast_cost": pytest.approx(cost)}
        unpriced = said(start(ctx, server, "--dry-run", "--price-input", "2", model="tern"))
        assert unpriced["forecast_cost"] is None, "unknown is not 0"
        assert said(start(ctx, server, *PRICES, "--dry-run"))["forecast_cost"] == 0, "all is answered"
        ctx.commit(imports.store_batch, batch(problem(QUESTIONS)), now())
        more = said(start(ctx, server, *PRICES, "--dry-run"))
        assert more == {"run": 1, "wanted": QUESTIONS + 1, "forecast_cost": pytest.approx(cost / QUESTIONS)}
        words = tidemark(ctx.settings, "run", "start", "tern", "--protocol", "house", "--endpoint", server.url, *PRICES,
                         "--dry-run").stdout  # fmt: skip
    assert "nothing was written" in words
    assert f"the mean of {QUESTIONS} answers of other models under this protocol" in words
    with ctx.sessions.begin() as session:  # as of the demo endpoint, whose prices are of no day
        session.execute(update(Endpoint).values(price_on=None))
    undated = tidemark(ctx.settings, "run", "start", "orion-5", "--protocol", "house", "--dry-run").stdout
    assert "under this protocol at the endpoint's prices" in undated


def test_what_is_refused_is_in_the_provider_s_words(ctx: Context) -> None:
    with ModelServer(model_server.error(400, "unknown field: reasoning_effort")) as server:
        said(start(ctx, server, *PRICES))
        ask()
        report = show(ctx, 1)
        assert (report["state"], report["answers"], report["cost"]) == ("failed", 0, 0)
        assert report["requests"] == len(server.asked) > 0
        [failure] = report["failures"]
        assert failure == {
            "error": "answered 400", "owner": "vendor", "count": QUESTIONS, "words": "unknown field: reasoning_effort",
        }  # fmt: skip
        said(start(ctx, server))  # registered again, it is asked again
        server.script = answers
        ask()
    assert (show(ctx, 1)["state"], show(ctx, 1)["answers"]) == ("active", QUESTIONS)
    assert show(ctx, 1)["failures"] == []


def test_every_request_counts_and_a_failed_run_is_resumed(ctx: Context) -> None:
    said_once = [model_server.error(500, "busy") for _ in range(2)]
    with ModelServer(model_server.in_turn(*said_once, model_server.error(400, "no such field"))) as server:
        said(start(ctx, server))
        ask()
        sent = len(server.asked)
        assert show(ctx, 1)["requests"] == sent
        server.script = answers
        assert tidemark(ctx.settings, "run", "resume", "1").exit_code == 0
        assert isinstance(tidemark(ctx.settings, "run", "resume", "1").exception, Conflict)
        ask()
        assert show(ctx, 1)["answers"] == QUESTIONS
        assert show(ctx, 1)["requests"] == len(server.asked)


def test_a_stopped_endpoint_is_asked_again_when_its_run_is_resumed(ctx: Context) -> None:
    with ModelServer(model_server.error(402, "no money left")) as server:
        said(start(ctx, server))
        ask()
        report, line = show(ctx, 1), said(tidemark(ctx.settings, "run", "list", "--json"))["runs"][0]
        assert (report["state"], line["state"], line["reason"]) == ("paused", "paused", "answered 402: no money left")
        assert report["failures"] == [
            {"error": "answered 402", "owner": "vendor", "count": QUESTIONS, "words": "no money left"}
        ]
        plain = tidemark(ctx.settings, "run", "start", "orion-5", "--protocol", "house")
        assert isinstance(plain.exception, Conflict)
        server.script = answers
        assert tidemark(ctx.settings, "run", "resume", "1").exit_code == 0
        ask()
    assert (show(ctx, 1)["answers"], show(ctx, 1)["state"]) == (QUESTIONS, "active")


def test_what_was_given_up_is_tried_again_when_the_run_is_resumed(ctx: Context) -> None:
    too_long = model_server.error(400, "the prompt is too long", code="context_length_exceeded")
    with ModelServer(too_long) as server:
        said(start(ctx, server))
        ask()
        report = show(ctx, 1)
        assert (report["state"], report["samples"]["gave_up"]) == ("active", QUESTIONS)
        server.script = answers
        assert tidemark(ctx.settings, "run", "resume", "1").exit_code == 0
        ask()
    report = show(ctx, 1)
    assert (report["answers"], report["samples"]["gave_up"], report["requests"]) == (QUESTIONS, 0, 2 * QUESTIONS)


def test_how_long_an_answer_may_take_is_named_and_changed(ctx: Context) -> None:
    with ModelServer(answers) as server:
        for seconds in (1200.0, 7200.0):
            said(start(ctx, server, "--timeout", str(seconds)))
            with ctx.sessions() as session:
                assert session.query(Endpoint).one().timeout_s == seconds
        assert start(ctx, server, "--timeout", "1000000").exit_code == 2


@pytest.mark.parametrize(("verb", "state"), [("pause", RunState.PAUSED), ("cancel", RunState.RETIRED)])
def test_nothing_is_sent_after_a_pause_or_a_cancellation(ctx: Context, verb: str, state: RunState) -> None:
    with ModelServer(lambda _: model_server.rate_limited("1")) as server:
        said(start(ctx, server, "--concurrency", "1"))
        tasks.plan_runs()
        asking = threading.Thread(target=tasks.infer_slice, args=(1,))
        asking.start()
        until(lambda: server.asked)
        # Not by the verb itself: it would take the process's context from the thread that asks.
        ctx.commit({"pause": run_control.pause, "cancel": run_control.cancel}[verb], 1, "enough", now())
        asking.join(20)
        assert not asking.is_alive(), "the slice ends within seconds"
        sent = len(server.asked)
        tasks.sweep()
        tasks.infer_slice(1)
        assert len(server.asked) == sent
    report = show(ctx, 1)
    assert (report["state"], report["samples"]["pending"]) == (state, QUESTIONS)
    again = tidemark(ctx.settings, "run", "resume", "1")
    assert isinstance(again.exception, Conflict) is (verb == "cancel")


def test_a_cancelled_run_stays_so_and_another_trial_may_begin(ctx: Context) -> None:
    with ModelServer(answers) as server:
        said(start(ctx, server))
        ask()
        assert tidemark(ctx.settings, "run", "cancel", "1", "--reason", "a wrong template").exit_code == 0
        for verb in ("pause", "resume", "cancel"):
            assert isinstance(tidemark(ctx.settings, "run", verb, "1").exception, Conflict)
        begun = said(start(ctx, server))
    assert begun["run"] != 1
    listed = said(tidemark(ctx.settings, "run", "list", "--json"))["runs"]
    assert [(line["trial"], line["state"], line["reason"]) for line in listed] == [
        (1, "retired", "a wrong template"), (2, "active", None),
    ]  # fmt: skip
    with ctx.sessions() as session:
        assert of_models(session) == ["model.added", "score.withdrawn", "score.added"]
        assert session.scalar(select(func.count(Sample.answered_at))) == QUESTIONS, "its answers stay"
    assert "a wrong template" in tidemark(ctx.settings, "run", "list").stdout


def test_a_vendor_s_endpoint_is_its_own(ctx: Context) -> None:
    with ModelServer(answers) as server:
        said(start(ctx, server))
        with ctx.sessions.begin() as session:
            owner = run_store.ensure_organisation(session, "acme", "Acme")
            session.scalars(select(Model)).one().organisation_id = owner.id
        refused = start(ctx, server)
        assert isinstance(refused.exception, Conflict)
        assert "vendor" in str(refused.exception)
    assert said(tidemark(ctx.settings, "run", "start", "orion-5", "--protocol", "house", "--json"))["run"] == 1


def test_weights_are_run_by_the_same_command(ctx: Context, tmp_path: Path) -> None:
    weights = tmp_path / "tern"
    weights.mkdir()
    words = ("run", "start", "Acme/Tern 7B", "--protocol", "house", "--gpu", str(weights), "--dtype", "float32")
    assert said(tidemark(ctx.settings, *words, "--json")) == {"run": 1, "wanted": QUESTIONS, "forecast_cost": None}
    assert "worker gpu" in tidemark(ctx.settings, *words).stdout
    with ctx.sessions() as session:
        [model], [endpoint] = session.scalars(select(Model)).all(), session.scalars(select(Endpoint)).all()
        assert (model.slug, model.name) == ("acme-tern-7b", "Acme/Tern 7B")
        assert (endpoint.weights, endpoint.serving["dtype"]) == (str(weights), "float32")
        assert show(ctx, 1)["cost"] is None


def test_what_cannot_be_begun_is_refused_before_anything_is_written(ctx: Context) -> None:
    with ModelServer(answers) as server:
        house = ("run", "start", "orion-5", "--protocol")
        here = ("house", "--endpoint", server.url)
        for words, kind in (
            ((*house, "house"), InvalidInput),
            ((*house, "nothing", "--endpoint", server.url), NotFound),
            ((*house, "lcb", "--endpoint", server.url), InvalidInput),
            ((*house, *here, "--gpu", "/weights"), InvalidInput),
            ((*house, *here, "--set", "temperature=1"), InvalidInput),
            ((*house, *here, "--set", "top_k=20"), InvalidInput),
            ((*house, *here, "--set", "effort=high"), InvalidInput),
            ((*house, *here, "--backend", "anthropic", "--set", "reasoning_effort=high"), InvalidInput),
            ((*house, *here, "--backend", "openai_completions", "--set", "reasoning_effort=high"), InvalidInput),
            ((*house, "house", "--gpu", "/weights", "--set", "effort=high"), InvalidInput),
            ((*house, "codeelo-4k", *here[1:], "--backend", "openai_responses"), InvalidInput),
            ((*house, *here, "--set", "effort"), InvalidInput),
            ((*house, *here, "--price-input", "nan"), InvalidInput),
            ((*house, *here, "--key-env", "NOT_THERE"), InvalidInput),
            ((*house, *here, "--omit", "model"), InvalidInput),
            ((*house, *here, "--backend", "telex"), NotFound),
            ((*house, "house", "--key-env", "HOME"), InvalidInput),
            (("run", "show", "1"), NotFound),
            (("run", "pause", str(2**70)), NotFound),
        ):
            assert isinstance(tidemark(ctx.settings, *words).exception, kind), words
        closed = tidemark(ctx.settings, *house, *here, TIDEMARK_ENDPOINT_ALLOW="10.0.0.0/8")
        assert isinstance(closed.exception, AddressRefused)
        assert str(closed.exception).endswith("TIDEMARK_ENDPOINT_ALLOW lists networks that may be called anyway")
        nowhere = tidemark(ctx.settings, *house, "house", "--endpoint", "no-address")
        assert str(nowhere.exception) == "the address is not https: begin it with https://", "no list helps here"
    with ctx.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Model)) == 0


def test_a_setting_that_is_refused_is_answered_with_those_there_are(ctx: Context) -> None:
    with ModelServer(answers) as server:
        refused = start(ctx, server, "--backend", "anthropic", "--set", "efort=high")
        assert str(refused.exception) == (
            "the back end anthropic has no setting 'efort': it takes effort, thinking, thinking_budget; did you mean "
            "effort?"
        )
        twice = start(ctx, server, "--set", "reasoning_effort=high", "--set", "reasoning_effort=low")
        assert str(twice.exception) == "--set gives reasoning_effort twice"
        assert said(start(ctx, server, "--backend", "openai_chat"))["run"]
        for words in (("--dry-run",), ()):
            known = tidemark(ctx.settings, "run", "start", "orion-5", "--protocol", "house", "--set", "top=1", *words)
            assert "the back end openai_chat has no setting 'top'" in str(known.exception), "where it is served already"


def test_another_format_is_asked_by_the_same_command(ctx: Context) -> None:
    def messages(asked: Asked) -> Say:
        return as_json(DIALECTS["anthropic"].plain(Told(f"```python\n{SUM}```")))

    with ModelServer(messages) as server:
        words = ("--backend", "anthropic", "--set", "effort=high", "--set", "thinking_budget=1024")
        assert said(start(ctx, server, *words))["wanted"] == QUESTIONS
        ask()
        assert {asked.path for asked in server.asked} == {"/v1/messages"}
        assert server.asked[0].json["thinking"] == {"budget_tokens": 1024, "type": "enabled"}
        assert server.asked[0].json["output_config"] == {"effort": "high"}
    assert show(ctx, 1)["samples"]["answered"] == QUESTIONS


def test_a_known_model_is_not_changed_by_a_start(ctx: Context) -> None:
    with ModelServer(answers) as server:
        said(start(ctx, server, *CUTOFF, "--organisation", "Acme"))
        other = start(ctx, server, "--cutoff", "2026-02-28")
        assert isinstance(other.exception, Conflict)
        assert "2026-01-31" in str(other.exception)
        said(start(ctx, server, "--cutoff", "2026-01-31"))
        bare = start(ctx, server, "--cutoff", "2001-01-01", model="bare")
        assert isinstance(bare.exception, InvalidInput), "a date counts with its evidence alone"


def test_the_verb_that_served_weights_names_the_one_that_does(ctx: Context) -> None:
    done = tidemark(ctx.settings, "model", "serve", "tern", "/data/my weights", "--reason", "ours", "--dtype", "auto")
    assert isinstance(done.exception, InvalidInput)
    assert "./tidemark run start tern --gpu '/data/my weights' --protocol house" in str(done.exception)
