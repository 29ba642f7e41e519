"""`tidemark setter`: models that make tests are added, listed and removed, and nobody is shown them."""

import json
from pathlib import Path

import pytest
from pipeline.flow import LEASE, NOW
from sqlalchemy import select
from support.commands import said, tidemark
from support.consensus import add_setter, asked, fresh, says, settle
from support.setters import answers, row

from app.db.tables import AdditionRow, AuditEntry, Endpoint, LedgerEntry, Model, ProtocolRow, Run, Setter
from app.domain.consensus.result import ConsensusResult
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import text_reason
from app.domain.states import RunState
from app.services.boards import board_views
from app.services.runs import result_views
from app.services.runs.consensus import consensus_jobs
from workers.context import Context


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The answers of two setters, a-model and b-model."""
    file = tmp_path / "answers.jsonl"
    rows = [row(answer) for vendor in "ab" for answer in answers(vendor)]
    file.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return file


def test_a_setter_is_added_listed_and_removed(ctx: Context, recorded: Path) -> None:
    settings = ctx.settings
    added = said(
        tidemark(settings, "setter", "add", "first", "--vendor", " Acme  Labs", "--replay", recorded,
                 "--remote-name", "a-model", "--json")
    )  # fmt: skip
    assert (added["name"], added["vendor"], added["state"]) == ("first", "acme labs", "active")
    refused = tidemark(settings, "setter", "add", "first", "--vendor", "acme", "--replay", recorded)
    assert isinstance(refused.exception, InvalidInput), "neither is a setter of this name in the file"
    again = tidemark(settings, "setter", "add", "first", "--vendor", "x", "--replay", recorded, "--remote-name",
                     "b-model")  # fmt: skip
    assert isinstance(again.exception, Conflict)
    (listed,) = said(tidemark(settings, "setter", "list", "--json"))["setters"]
    assert listed == added
    assert tidemark(settings, "setter", "remove", "first", "--reason", "it lies").exception is None
    (listed,) = said(tidemark(settings, "setter", "list", "--json"))["setters"]
    assert (listed["state"], listed["reason"]) == ("removed", "its setter was removed")
    assert isinstance(tidemark(settings, "setter", "remove", "first").exception, NotFound)
    other = tidemark(settings, "setter", "add", "first", "--vendor", "other", "--replay", recorded, "--remote-name",
                     "b-model")  # fmt: skip
    assert isinstance(other.exception, Conflict), "whose answers it gave is not rewritten"
    with ctx.sessions() as session:
        actions = session.scalars(
            select(AuditEntry.action).where(AuditEntry.subject == "first").order_by(AuditEntry.id)
        )
        assert list(actions) == ["setter.added", "setter.removed"]
    back = said(
        tidemark(settings, "setter", "add", "first", "--vendor", "ACME labs", "--replay", recorded, "--remote-name",
                 "a-model", "--json")
    )  # fmt: skip
    assert (back["run"], back["state"], back["removed_at"]) == (added["run"], "active", None)


def test_its_run_is_private_and_shown_nowhere(ctx: Context, recorded: Path) -> None:
    for name, whose in (("first", "a-model"), ("second", "b-model")):
        words = ("--vendor", whose[0], "--replay", recorded, "--remote-name", whose)
        assert tidemark(ctx.settings, "setter", "add", name, *words).exception is None
    with ctx.sessions() as session:
        assert {setter.vendor for setter in session.scalars(select(Setter))} == {"a", "b"}
        runs = session.execute(select(Run.public, Run.state, ProtocolRow.slug).join(ProtocolRow)).all()
        assert sorted(map(tuple, runs)) == [
            (False, RunState.ACTIVE, "setting-first"), (False, RunState.ACTIVE, "setting-second"),
        ]  # fmt: skip
        assert session.scalars(select(LedgerEntry)).all() == [], "no public line tells of them"
        assert all(not shown for shown in board_views.protocols(session).values())
        for slug in session.scalars(select(Model.slug)):
            with pytest.raises(NotFound):
                result_views.model(session, slug, result_views.CellFilter())


def test_recorded_answers_of_one_setter_need_no_name(ctx: Context, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text("".join(json.dumps(row(answer)) + "\n" for answer in answers("a")))
    assert tidemark(ctx.settings, "setter", "add", "mine", "--vendor", "a", "--replay", file).exception is None
    file.write_text("words\n")
    unfit = tidemark(ctx.settings, "setter", "add", "theirs", "--vendor", "a", "--replay", file)
    assert isinstance(unfit.exception, InvalidInput)
    absent = tidemark(ctx.settings, "setter", "add", "theirs", "--vendor", "a", "--replay", tmp_path / "none.jsonl")
    assert str(absent.exception) == f"cannot read {tmp_path / 'none.jsonl'}: No such file or directory"
    neither = tidemark(ctx.settings, "setter", "add", "theirs", "--vendor", "a")
    assert isinstance(neither.exception, InvalidInput)


def test_a_vendors_only_setter_in_a_file_needs_no_name(ctx: Context, recorded: Path) -> None:
    tidemark(ctx.settings, "setter", "add", "mine", "--vendor", "B", "--replay", recorded)
    with ctx.sessions() as session:
        assert session.scalars(select(Endpoint.remote_name)).all() == ["b-model"]


def test_the_same_weights_are_no_second_vendor(ctx: Context, recorded: Path) -> None:
    words = ("--replay", recorded, "--remote-name", "a-model")
    assert tidemark(ctx.settings, "setter", "add", "first", "--vendor", "a", *words).exception is None
    refused = tidemark(ctx.settings, "setter", "add", "second", "--vendor", "b", *words)
    assert isinstance(refused.exception, Conflict)
    assert "the setter first of a has the same weights" in str(refused.exception)
    assert [line["name"] for line in said(tidemark(ctx.settings, "setter", "list", "--json"))["setters"]] == ["first"]
    assert tidemark(ctx.settings, "setter", "add", "second", "--vendor", "A", *words).exception is None, "one vendor's"
    for name in ("first", "second"):
        assert tidemark(ctx.settings, "setter", "remove", name).exception is None
    assert tidemark(ctx.settings, "setter", "add", "third", "--vendor", "b", *words).exception is None
    back = tidemark(ctx.settings, "setter", "add", "first", "--vendor", "a", *words)
    assert isinstance(back.exception, Conflict), "nor when it comes back"


def test_a_person_gives_a_piece_to_a_held_problem(ctx: Context, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session:
        problem = fresh(session)
        for vendor in ("a", "b"):
            add_setter(session, f"of-{vendor}", vendor)
        settle(session, problem)
        asked(session, lambda name: says(name.removeprefix("of-")))
        job = consensus_jobs.claim(session, NOW, LEASE)
        assert job is not None
        consensus_jobs.record(
            session, job, ConsensusResult(text_reason("they contradict each other"), job.problem, (), {}, {}), NOW
        )
    program = tmp_path / "right.py"
    program.write_text("print(1)\n")
    give = ("setter", "give", "atcoder/best", "reference", program, "--reason", "I solved it")
    assert "atcoder/best is checked" in tidemark(ctx.settings, *give).output
    with ctx.sessions() as session:
        assert session.scalars(select(AdditionRow.body)).one() == "print(1)\n"
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "setting.add")).one()
        assert (entry.actor, entry.reason) == ("operator", "I solved it")
    assert isinstance(tidemark(ctx.settings, *give).exception, Conflict), "it is not held any more"
