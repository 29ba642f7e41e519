"""`problem items` prints what is sent, and `grade-answer` judges one recorded answer as the pipeline would."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pipeline.flow import NOW
from sqlalchemy import text as sql
from support.batches import SUM, WRONG, batch, counting, problem
from support.commands import said, tidemark
from support.files import write
from support.servers import Servers
from support.toys import plugged_in

from app.config import Settings
from app.db.kernel.session import sessions_on
from app.domain.asking.protocols import HOUSE
from app.domain.errors import InvalidInput
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.scenarios import Item, prompt_sha256, scenarios
from app.services.runs import imports, items

NAME = "house/sum-0"


@pytest.fixture(scope="module")
def fresh_database(servers: Servers) -> Iterator[str]:
    """One for all tests of this file: they only look."""
    with servers.database() as url:
        with sessions_on(url) as sessions, sessions.begin() as session:
            imports.store_batch(session, batch(problem(0), counting(1)), NOW)
        yield url


@pytest.fixture
def stored(settings: Settings) -> Settings:
    return settings


def test_the_prompts_are_those_that_are_sent(stored: Settings) -> None:
    told = said(tidemark(stored, "problem", "items", NAME, "--protocol", "house", "--json"))
    [item] = told["items"]
    with sessions_on(stored.database_url) as sessions, sessions() as session:
        [asked] = items.pose_items(session, NAME, "house")
    assert asked.item == Item()
    assert asked.prompt is not None
    assert item["prompt_sha256"] == prompt_sha256(asked.prompt)
    assert [message["role"] for message in item["messages"]] == ["system", "user"]
    assert "Add two numbers (0)." in item["messages"][1]["content"]
    assert asked.protocol == HOUSE
    assert "[user]\n### Question" in tidemark(stored, "problem", "items", NAME, "--protocol", "house").stdout


@pytest.mark.sandbox
def test_an_answer_is_read_and_judged_under_its_protocol(stored: Settings, tmp_path: Path) -> None:
    """One that mends another answer, too: what it was told decides nothing."""
    for protocol, text, verdict, followed, code in (
        ("house", SUM, "accepted", False, 0),
        ("house", f"Here:\n```python\n{WRONG}```\n", "wrong_answer", True, 1),
        ("house", "I cannot help with that.", "no_answer", False, 1),
        ("house", f"```python\n{SUM[:20]}", "compile_error", True, 1),
        ("house-repair", f"Here:\n```python\n{SUM}```\n", "accepted", True, 0),
    ):
        file = write(tmp_path, "answer.md", text)
        done = tidemark(stored, "grade-answer", NAME, "--protocol", protocol, file, "--json")
        found = json.loads(done.stdout)
        assert (found["verdict"], found["followed_format"], found["in_process"]) == (verdict, followed, False), text
        assert done.exit_code == code


@pytest.mark.sandbox
def test_the_prompt_of_a_repair_is_made_of_the_answer_that_it_mends(stored: Settings, tmp_path: Path) -> None:
    """The same as the pipeline sends: the program, the public test it fails, and nothing of hidden ones."""
    words = ("problem", "items", NAME, "--protocol", "house-repair")
    failed = write(tmp_path, "failed.md", f"```python\n{WRONG}```")
    told = said(tidemark(stored, *words, "--after", failed, "--json"))
    spec = problem(0).spec
    judged = GradeResult(
        Verdict.WRONG_ANSWER, 0, 3, (TestOutcome(Verdict.WRONG_ANSWER, 1, 1, 1),), LimitMode.NONE, "1",
        "wrong answer", got="-1\n",
    )  # fmt: skip
    with sessions_on(stored.database_url) as sessions, sessions() as session:
        [posed] = items.pose_items(session, NAME, "house-repair")
    assert posed.prompt is None
    [item] = told["items"]
    assert item["prompt_sha256"] == prompt_sha256(items.follow_up_prompt(posed, WRONG, judged, spec.tests))
    assert "Output:\n```\n-1\n```" in item["messages"][1]["content"]
    passes = write(tmp_path, "right.md", f"```python\n{SUM}```")
    cases: tuple[tuple[list[str | Path], str], ...] = (
        ([], "continues answers under house; name one with --after FILE"),
        (["--after", passes], "nothing is asked after this answer: it is accepted"),
        (["--after", tmp_path / "none"], "cannot be read"),
    )
    for after, why in cases:
        assert why in str(tidemark(stored, *words, *after).exception)
    plain = tidemark(stored, "problem", "items", NAME, "--protocol", "house", "--after", failed)
    assert "continues no answer" in str(plain.exception)


def test_where_examples_decide_one_that_fails_on_hidden_tests_is_carried_over(stored: Settings) -> None:
    with sessions_on(stored.database_url) as sessions, sessions() as session:
        [posed] = items.pose_items(session, NAME, "fresh-tools-1")
    tests = problem(0).spec.tests
    passed, failed = (TestOutcome(verdict, 1, 1, 1) for verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER))
    hidden = GradeResult(Verdict.WRONG_ANSWER, 1, 3, (passed, failed), LimitMode.NONE, "1")
    with pytest.raises(InvalidInput, match="it is wrong_answer, and carried over"):
        items.follow_up_prompt(posed, SUM, hidden, tests)
    assert items.follow_up_prompt(posed, SUM, replace(hidden, tests=(failed,)), tests)
    assert items.follow_up_prompt(posed, None, GradeResult(Verdict.NO_ANSWER, 0, 3, (), LimitMode.NONE, "1"), tests)
    with pytest.raises(InvalidInput, match="could not be judged: no room"):
        items.follow_up_prompt(
            posed, SUM, GradeResult(Verdict.JUDGE_ERROR, 0, 3, (), LimitMode.NONE, "1", "no room"), tests
        )


def test_a_value_is_compared_and_nothing_is_run(stored: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    with plugged_in(folder):
        slug = scenarios()["prediction"].protocols[0].slug
        words = ("grade-answer", NAME, "--protocol", slug, "--json", "--item", "1")
        assert said(tidemark(stored, *words, write(tmp_path, "a", "OUTPUT\n3\n")))["verdict"] == "accepted"
        wrong = tidemark(stored, *words, write(tmp_path, "b", "OUTPUT\n4\n"))
        assert wrong.exit_code == 1
        outside = tidemark(stored, *words[:-1], "9", write(tmp_path, "a", "OUTPUT\n3\n"))
        assert "not item 9" in str(outside.exception)
        nowhere = tidemark(stored, "grade-answer", "house/none", "--protocol", slug, write(tmp_path, "a", "OUTPUT"))
        for slip in (outside, nowhere):
            assert isinstance(slip.exception, InvalidInput), "1 would read as a verdict"


def test_what_cannot_be_asked_is_said(stored: Settings) -> None:
    for name, protocol, words in (
        (NAME, "nothing", "no protocol 'nothing'"),
        ("house/nothing", "house", "no problem 'house/nothing'"),
        ("nowhere/sum-0", "house", "no problem"),
        ("sum-0", "house", "a problem is named SOURCE/ID"),
        (NAME, "house-repair", "continues answers"),
        ("house/sum-1", "house-codeelo-open", "house/sum-1: a function is asked for in one language; codeelo-open"),
        ("house/sum-1", "fresh-in-rust", "house/sum-1: form function has no starter code for rust"),
        (NAME, "lcb", "lcb only has imported results: no model is asked under it"),
    ):
        done = tidemark(stored, "problem", "items", name, "--protocol", protocol)
        assert words in str(done.exception), (name, protocol)
    nothing = tidemark(stored, "problem", "items", NAME, "--protocol", "house-execution")
    assert (nothing.exit_code, nothing.stdout[:42]) == (0, "house-execution asks nothing of house/sum-")


def test_stored_tests_are_printed_with_the_programs_that_prove_them(stored: Settings, tmp_path: Path) -> None:
    told = said(tidemark(stored, "problem", "tests", NAME, "--json"))
    assert [(test["input"], test["expected"]) for test in told["tests"]] == [
        (test.input, test.expected) for test in problem(0).spec.tests
    ]
    assert "reference" in {one["kind"] for one in told["programs"]}
    assert "--- test 0" in tidemark(stored, "problem", "tests", NAME).stdout
    tidemark(stored, "problem", "tests", NAME, "--out", str(tmp_path / "tests.json"))
    assert json.loads((tmp_path / "tests.json").read_text()) == told
    for out, why in (
        (tmp_path, "cannot be written: Is a directory"),
        (tmp_path / "no" / "tests.json", "no such folder"),
    ):
        assert why in str(tidemark(stored, "problem", "tests", NAME, "--out", str(out)).exception)
    assert "no problem house/none with tests" in str(tidemark(stored, "problem", "tests", "house/none").exception)


def test_no_reading_verb_leaves_a_connection_open(stored: Settings, tmp_path: Path) -> None:
    verbs = [
        ("problem", "tests", NAME, "--json"), ("problem", "tests", NAME, "--out", tmp_path / "tests.json"),
        ("problem", "items", NAME, "--protocol", "house"), ("problem", "tests", "house/nothing"),
        ("board", "codegen"), ("holistic",), ("export", "problems", "--out", tmp_path / "problems.jsonl"),
    ]  # fmt: skip
    left = {}
    with sessions_on(stored.database_url) as sessions, sessions() as session:
        for words in verbs:
            tidemark(stored, *words)
            left[words] = session.scalar(sql(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ))  # fmt: skip
    assert not any(left.values()), left
