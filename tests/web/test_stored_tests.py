"""The stored tests of a problem: maintainers see all of them, strangers none, whatever stands in them."""

import json

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import insert, update
from support.signing_in import sign_in

from app.db.kernel.session import SessionMaker
from app.db.tables import ConsensusRow, Problem, TestRow, TestSet
from app.services.problems import hidden_tests

HIDDEN = "<script>alert('HIDDEN')</script> {{ 7 * 7 }}\n"
LONG = "9" * 5000


@pytest.fixture
def problem(world: World) -> Problem:
    session = world.session
    problem = world.problem("abc_a", source="atcoder", contest="abc1")
    number = problem.current_test_set_id
    session.execute(update(TestSet).where(TestSet.id == number).values(origin="consensus", setters=["orion", "tern"]))
    texts = [HIDDEN, *(f"{at}\n{LONG}" for at in range(1, 300))]
    rows = [
        {"ordinal": 900 + at, "input": text, "expected": f"E{at}", "visible": False} for at, text in enumerate(texts)
    ]
    session.execute(insert(TestRow), [{"test_set_id": number, **row} for row in rows])
    missed = {"orion solution 1": {"slow": 3, "failed": 0, "dropped": 1, "inputs": ["HIDDEN 5\n"]}}
    session.add(
        ConsensusRow(problem_id=problem.id, problem_version_id=problem.current_version_id, state="stored", since=NOW,
                ended_at=NOW, test_set_id=number, evidence={"missed": missed})
    )  # fmt: skip
    session.commit()
    return problem


def test_strangers_see_no_stored_test(client: Client, problem: Problem) -> None:
    for path in ("/en/ops/tests?problem=atcoder/abc_a", "/zh/ops/tests?problem=atcoder/abc_a",
                 "/en/ops/tests.json?problem=atcoder/abc_a", "/ops/tests.json?problem=atcoder/abc_a"):  # fmt: skip
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code == 401, path
        assert "HIDDEN" not in answer.text
    for path in ("/en/problems/atcoder/abc_a", "/api/v1/problems/atcoder/abc_a"):
        assert "HIDDEN" not in client.get(path).text


def test_a_maintainer_sees_all_of_them(world: World, client: Client, problem: Problem) -> None:
    sign_in(world, client)
    page = client.get("/en/ops/tests?problem=atcoder/abc_a").text
    assert "&lt;script&gt;alert(&#39;HIDDEN&#39;)&lt;/script&gt; {{ 7 * 7 }}" in page
    assert "<script>alert" not in page
    for shown in ("orion, tern", "E7", "of 5002 characters", "made here, by consensus of models", "orion solution 1",
                  "too slow on 3 inputs, no answer on 0; 1 of them were dropped", "HIDDEN 5"):  # fmt: skip
        assert shown in page, shown
    assert LONG not in page
    assert len(page) < 600_000, "a page has a bound, whatever is stored"
    chinese = client.get("/zh/ops/tests?problem=atcoder/abc_a").text
    assert "隐藏的测试点仅维护者可见" in chinese
    assert "下载全部完整数据" in chinese
    file = client.get("/en/ops/tests.json?problem=atcoder/abc_a")
    assert "attachment" in file.headers["content-disposition"]
    assert file.headers["cache-control"] == "no-store"
    assert "content-length" not in file.headers, "it is sent while it is read"
    whole = json.loads(file.text)
    hidden = [test for test in whole["tests"] if test["ordinal"] >= 900]
    assert (len(hidden), hidden[0]["input"], hidden[1]["input"]) == (300, HIDDEN, f"1\n{LONG}")
    assert whole["setters"] == ["orion", "tern"]
    assert whole["missed"]["orion solution 1"]["dropped"] == 1


def test_a_download_holds_little_at_once(world: World, sessions: SessionMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands at the end of a piece, nothing of it is lost."""
    texts = ["", "1234567", "12345678", '\\"\n\x01\u7d42\U0001f600' * 9, "x" * 20]
    rows = [{"ordinal": 2000 + at, "input": text, "expected": text[::-1], "visible": False}
            for at, text in enumerate(texts)]  # fmt: skip
    number = world.problem("abc_b", source="atcoder", contest="abc1").current_test_set_id
    world.session.execute(insert(TestRow), [{"test_set_id": number, **row} for row in rows])
    world.session.commit()
    view = hidden_tests.stored_tests(world.session, "atcoder/abc_b")
    pieces = list(hidden_tests.stream_json(sessions, view, longest=7))
    assert max(map(len, pieces[1:])) < 100
    whole = json.loads("".join(pieces))
    assert len(whole["tests"]) == view.total
    assert [(test["input"], test["expected"]) for test in whole["tests"][-len(texts):]] == [
        (text, text[::-1]) for text in texts
    ]  # fmt: skip


def test_an_unknown_problem_is_said_to_be(world: World, client: Client) -> None:
    sign_in(world, client)
    assert client.get("/en/ops/tests").status_code == 200
    for name in ("atcoder/nothing", "nothing", "a/%00", "a/%3Cb%3E"):
        page = client.get(f"/en/ops/tests?problem={name}")
        assert (page.status_code, "No such problem" in page.text) == (200, True)
        assert client.get(f"/en/ops/tests.json?problem={name}").status_code == 404
