"""`tidemark protocol`: protocols of an operator's own, and sweeps, as runs are asked under them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from sqlalchemy import select
from support.batches import SUM, batch, problem
from support.commands import said, tidemark

from app.config import Settings
from app.db.tables import AuditEntry, ProtocolRow
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedStatement
from app.domain.problems import Entry, Form, Test
from app.services.runs import imports
from workers import tasks
from workers.context import Context, leave, make_context, now, use

UNITTESTS = """
import unittest

class TestCases(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total(1, 2), 3)
"""


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings))
    made.commit(imports.store_batch, batch(problem(0)), now())
    yield made
    leave()
    made.close()


def slugs(ctx: Context) -> list[str]:
    with ctx.sessions() as session:
        return list(session.scalars(select(ProtocolRow.slug).order_by(ProtocolRow.id)))


def test_a_protocol_of_one_s_own_is_asked_as_it_says(ctx: Context, tmp_path: Path) -> None:
    (tmp_path / "system.txt").write_text("Think first.\n")
    words = ("protocol", "add", "house-odd", "--from", "house", "--n", 2, "--temperature", 1, "--top-k", 20,
             "--seed", 7, "--repetition-penalty", "1.05", "--stop", "###", "--stop", "END", "--max-tokens", 99,
             "--system-file", tmp_path / "system.txt", "--title", "Odd")  # fmt: skip
    done = tidemark(ctx.settings, *map(str, words))
    assert (done.exit_code, done.stdout) == (0, "added house-odd\n")
    assert tidemark(ctx.settings, *map(str, words)).stdout == "house-odd already exists\n"
    with ModelServer(model_server.message(f"```python\n{SUM}```")) as server:
        begun = said(tidemark(ctx.settings, "run", "start", "tern", "--protocol", "house-odd", "--endpoint", server.url,
                              "--json"))  # fmt: skip
        assert begun["wanted"] == 2
        tasks.plan_runs()
        tasks.infer_slice(1)
        bodies = [asked.json for asked in server.asked]
    for body in bodies:
        assert (body["temperature"], body["top_k"], body["repetition_penalty"]) == (1.0, 20, 1.05)
        assert (body["stop"], body["max_tokens"]) == (["###", "END"], 99)
        assert body["messages"][0] == {"role": "system", "content": "Think first.\n"}
    assert sorted(body["seed"] for body in bodies) == [1007, 1008]
    [line] = [
        line for line in said(tidemark(ctx.settings, "protocol", "list", "--json"))["protocols"]
        if line["slug"] == "house-odd"
    ]  # fmt: skip
    assert (line["runs"], line["sampling"]["stop"], line["title"]) == (1, ["###", "END"], "Odd")
    with ctx.sessions() as session:
        assert "protocol.added" in session.scalars(select(AuditEntry.action)).all()


@pytest.mark.parametrize(("slug", "locale"), [("bigcodebench", "en"), ("code3", "zh")])
def test_a_preset_asks_the_set_that_it_is_named_after(ctx: Context, slug: str, locale: str) -> None:
    starter = {"python": "def total(a, b):\n"}
    made = replace(
        problem(1, source=slug), form=Form.UNITTEST, entry=Entry("total"), tests=(Test(UNITTESTS, None),), programs=(),
        statements={locale: ImportedStatement("Sum", "Add two numbers.", starter)},
    )  # fmt: skip
    ctx.commit(imports.store_batch, batch(made, source=slug), now())
    with ModelServer(model_server.message(f"```python\n{SUM}```")) as server:
        words = ("run", "start", "tern", "--protocol", slug, "--endpoint", server.url, "--json")
        assert said(tidemark(ctx.settings, *words))["wanted"] == 1
        tasks.plan_runs()
        tasks.infer_slice(1)
        [asked] = server.asked
    assert (asked.json["temperature"], asked.json["n"]) == (0.0, 1)
    assert starter["python"].strip() in asked.last_message


def test_a_sweep_adds_what_is_not_there_and_names_all(ctx: Context) -> None:
    words = ("protocol", "sweep", "house", "--temperature", "0.2,0.8", "--max-tokens", "8192,32768", "--json")
    made = json.loads(tidemark(ctx.settings, *words).stdout)["protocols"]
    assert made == ["house", "house-t0-2-m32768", "house-t0-8-m8192", "house-t0-8-m32768"], "the first is the base"
    before = slugs(ctx)
    assert json.loads(tidemark(ctx.settings, *words).stdout)["protocols"] == made
    assert slugs(ctx) == before
    assert set(made) <= set(before)
    wider = tidemark(ctx.settings, "protocol", "sweep", "house", "--top-k", "0,20", "--top-p", "0.95")
    assert wider.stdout == "house already exists\nadded house-p0-95-k20\n"


def test_a_name_never_stands_for_something_else(ctx: Context) -> None:
    add = ("protocol", "add")
    for words, kind in (
        ((*add, "fresh", "--from", "house"), Conflict),
        ((*add, "house-again", "--from", "house"), Conflict),
        ((*add, "Odd Name", "--from", "house", "--n", "2"), InvalidInput),
        ((*add, "odd", "--from", "nothing"), NotFound),
        ((*add, "odd", "--from", "lcb"), NotFound),
        ((*add, "odd", "--from", "house", "--style", "telegram"), InvalidInput),
        ((*add, "odd", "--from", "house", "--temperature", "3"), InvalidInput),
        ((*add, "odd", "--from", "house", "--n", "0"), InvalidInput),
        (("protocol", "sweep", "house"), InvalidInput),
        (("protocol", "sweep", "house", "--temperature", "hot"), InvalidInput),
    ):
        assert isinstance(tidemark(ctx.settings, *words).exception, kind), words
    assert "odd" not in slugs(ctx)
    covered = tidemark(ctx.settings, *add, "house-on-atcoder", "--from", "house", "--source", "atcoder")
    assert covered.stdout == "added house-on-atcoder\n", "the same way of asking over another set"
    shown = tidemark(ctx.settings, "protocol", "list", COLUMNS="200").stdout
    assert "codeelo-4k" in shown
    assert "k=20 penalty=1.1 tokens=4096" in shown
