"""One model does not buy rows with settings that mean nothing, nor answers with sampling of its own."""

import io
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from factories import World
from httpx import Client
from support.vendors import Vendor

from app.db.boards.trials import configuration_label
from app.db.tables import Endpoint, Model, Organisation, Run, Submission
from app.domain.asking.protocols import LCB
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin, RunState

ALLOWED = "chat_template_kwargs, enable_thinking, reasoning, reasoning_effort, thinking, thinking_budget, verbosity"


def test_a_setting_that_the_format_does_not_name_is_refused_with_those_it_does(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    for name in (
        "variant",
        "best_of",
        "top_k",
        "min_p",
        "stop",
        "repetition_penalty",
        "temperature",
        "seed",
        "Variant",
    ):
        answer = vendor.post("/submissions", {"endpoint": endpoint, "continuous": True, "configuration": {name: 1}})
        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json"), name
        assert answer.json()["errors"][0]["pointer"] == f"/configuration/{name}"
        assert name in answer.json()["detail"]
        assert ALLOWED in answer.json()["detail"]
    assert vendor.get("/submissions")["data"] == []


def test_texts_that_differ_in_white_space_buy_one_row(world: World, client: Client) -> None:
    problem, model = world.problem("a"), world.model("orion")
    for trial, effort in enumerate(("think hard", " think  hard", "think\thard\n"), start=1):
        world.answer(world.run(model, configuration={"effort": effort}, trial=trial), problem)
    world.count()
    world.session.commit()
    body = client.get("/api/v1/boards/codegen").json()
    assert [(row["configuration"], row["trials"]) for row in body["rows"]] == [("think hard", 3)]


def efforts(world: World, names: list[str], *, late: int = 0) -> list[Run]:
    """A run of one model for each effort, registered one after another, the one at `late` before all others."""
    problem, model = world.problem("a"), world.model("orion")
    runs = []
    for place, name in enumerate(names):
        run = world.run(model, configuration={"effort": name})
        run.created_at = world.now - timedelta(hours=1 if place == late else 0) + timedelta(minutes=place)
        world.answer(run, problem, Verdict.ACCEPTED if place % 2 else Verdict.WRONG_ANSWER)
        runs.append(run)
    world.count()
    world.session.commit()
    return runs


NAMES = [f"e{place}" for place in range(10)]


def test_eight_configurations_of_a_model_are_ranked_the_first_that_were_registered(
    world: World, client: Client
) -> None:
    efforts(world, NAMES, late=9)
    body = client.get("/api/v1/boards/codegen").json()
    rows = {row["configuration"]: row for row in body["rows"]}
    ranked = {name for name, row in rows.items() if row["rank"] is not None}
    assert rows.keys() == set(NAMES), "the others are shown"
    assert ranked == {*NAMES[:7], "e9"}
    assert {name: row["unranked"] for name, row in rows.items() if name not in ranked} == {
        "e7": "configurations",
        "e8": "configurations",
    }
    assert {row["unranked"] for name, row in rows.items() if name in ranked} == {None}
    assert rows["e7"]["score"] == 100.0
    assert max(row["rank"] for row in rows.values() if row["rank"]) <= 8
    words = {"en": "eight other configurations", "zh": "此前已有八种其他配置"}
    for locale, said in words.items():
        assert client.get(f"/{locale}/").text.count(said) >= 2


def test_no_filter_and_no_mode_but_the_sites_own_rules_gives_a_ninth_its_rank(world: World, client: Client) -> None:
    efforts(world, NAMES)
    for query in ("", "?exposure=split", "?exposure=hide", "?model=orion", "?prospective=any"):
        rows = client.get(f"/api/v1/boards/codegen{query}").json()["rows"]
        assert sum(row["rank"] is not None for row in rows) == 8, query
    rows = client.get("/api/v1/boards/codegen?rules=lcb").json()["rows"]
    assert sorted(row["rank"] for row in rows) == list(range(1, 11))


def test_a_bundle_computes_the_same_ranks(world: World, client: Client, tmp_path: Path) -> None:
    efforts(world, NAMES)
    archive = client.get("/api/v1/boards/codegen.zip").content
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(tmp_path)
    [script] = tmp_path.rglob("recompute.py")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout


def ordered(
    world: World,
    of: Run,
    visibility: str,
    *,
    configuration: dict[str, Any] | None = None,
    run: bool = True,
    name: str = "s1",
    days: int = 1,
    protocol: int | None = None,
) -> None:
    """A vendor's order of `days` ago for the model of a run: for that run, or for one that has not begun."""
    acme = Organisation(slug=f"acme-{name}", name="Acme")
    endpoint = Endpoint(
        model_id=of.model_id, backend="openai_chat", remote_name=name, base_url="https://a.example", max_concurrency=1
    )
    world.session.add_all([acme, endpoint])
    world.session.flush()
    world.session.add(
        Submission(
            public_id=name, organisation_id=acme.id, run_id=of.id if run else None, endpoint_id=endpoint.id,
            visibility=visibility, configuration=configuration or {},
            protocol_id=protocol or of.protocol_id, continuous=True, state="published",
            state_since=world.now, owner="us", created_at=world.now - timedelta(days=days),
        )
    )  # fmt: skip


@pytest.mark.parametrize("how", ["void", "ordered and void", "private", "file"])
def test_what_has_no_place_on_boards_takes_none(world: World, client: Client, how: str) -> None:
    first = efforts(world, NAMES[:9])[0]
    if how.endswith("void"):
        first.voided_at = world.now
        if how.startswith("ordered"):
            ordered(world, first, "public", configuration=dict(first.configuration))
    elif how == "file":
        first.origin = RunOrigin.IMPORTED
    else:
        first.public = False
        ordered(world, first, "private")
    world.session.commit()
    rows = client.get("/api/v1/boards/codegen").json()["rows"]
    assert {row["configuration"]: row["rank"] is not None for row in rows}["e8"]


def test_a_cancelled_order_keeps_the_place_that_its_configuration_has(world: World, client: Client) -> None:
    first = efforts(world, NAMES[:9])[0]
    first.public, first.state, first.bound_at = False, RunState.RETIRED, None
    world.session.commit()
    rows = client.get("/api/v1/boards/codegen").json()["rows"]
    assert {row["configuration"]: row["rank"] is not None for row in rows} == {
        **dict.fromkeys(NAMES[1:8], True),
        "e8": False,
    }


def test_an_order_that_waits_has_its_place_before_its_run_begins(world: World, client: Client) -> None:
    runs = efforts(world, NAMES[:8])
    # Whoever orders once more, before the first order begins or after, keeps the place of that.
    for name, days in (("s1", 1), ("s2", -1)):
        ordered(world, runs[0], "public", configuration={"effort": "early"}, run=False, name=name, days=days)
    again = world.run(world.session.get_one(Model, runs[0].model_id), configuration={"effort": "e0"}, trial=2)
    again.created_at = world.now + timedelta(days=1)
    world.session.commit()
    rows = client.get("/api/v1/boards/codegen").json()["rows"]
    assert {row["configuration"]: row["rank"] is not None for row in rows} == {
        **dict.fromkeys(NAMES[:7], True),
        "e7": False,
    }


def test_orders_in_private_and_under_other_protocols_take_no_place_while_they_wait(
    world: World, client: Client
) -> None:
    first = efforts(world, NAMES[:8])[0]
    elsewhere = world.run("lyra", protocol=replace(LCB, slug="elsewhere")).protocol_id
    for name, visibility, protocol in (("s1", "private", None), ("s2", "public", elsewhere)):
        ordered(world, first, visibility, configuration={"effort": name}, run=False, name=name, protocol=protocol)
    world.session.commit()
    rows = client.get("/api/v1/boards/codegen").json()["rows"]
    assert [row["configuration"] for row in rows if row["rank"] is None] == []


SAME: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"thinking_budget": 1000}, {"thinking_budget": 1000.0}),
    ({"chat_template_kwargs": {"a": 1, "b": 2}}, {"chat_template_kwargs": {"b": 2, "a": 1}}),
    ({"chat_template_kwargs": {"a": "x y"}}, {"chat_template_kwargs": {"a": " x  y"}}),
    ({"reasoning": {"effort": "high", "deep": [1, {"c": 1, "d": 2}]}},
     {"reasoning": {"deep": [1.0, {"d": 2, "c": 1}], "effort": "high\n"}}),
    ({"reasoning_effort": "high"}, {"reasoning_effort": "HIGH"}),
    ({"enable_thinking": True}, {"enable_thinking": 1}),
    ({"enable_thinking": False}, {"enable_thinking": "False"}),
    ({"chat_template_kwargs": {"enable_thinking": True}}, {"chat_template_kwargs": {"enable_thinking": "true"}}),
    ({"thinking_budget": 1024}, {"thinking_budget": "1024.0"}),
    ({"chat_template_kwargs": {"share": 0.2, "depth": 1}}, {"chat_template_kwargs": {"share": "0.20", "depth": "1.0"}}),
]  # fmt: skip


def test_one_configuration_in_two_spellings_buys_one_row(world: World, client: Client) -> None:
    assert_one_row_each(world, client, SAME)


def test_what_providers_tell_apart_stays_apart() -> None:
    for one, other in (
        ({"thinking_budget": 1}, {"thinking_budget": True}),
        ({"vendor_prompt": "Think."}, {"vendor_prompt": "think."}),
        ({"reasoning_effort": "high"}, {"reasoning_effort": "xhigh"}),
        ({"enable_thinking": True}, {"enable_thinking": False}),
    ):
        assert configuration_label(one) != configuration_label(other)


BLANKS = ["\u3164", "\uffa0", "\u115f\u1160", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u17b4", "\u2800",
          "\U000e0041", "\ufe0f", "\U0001d159", "\u180e", "\u2003", "\x1f"]  # fmt: skip


def test_what_nobody_sees_buys_no_row(world: World, client: Client) -> None:
    rows = assert_one_row_each(
        world,
        client,
        [({}, *({"reasoning_effort": value} for value in ("", each, f" {each} {each}"))) for each in BLANKS],
    )
    assert {row["configuration"] for row in rows} == {""}
    for blank in BLANKS:
        others: list[dict[str, Any]] = [
            {"verbosity": text, "thinking": {}, "reasoning": None} for text in ("low", f"l{blank}ow", f"low{blank}")
        ]
        if not blank.isspace():
            assert len({configuration_label(each) for each in others}) == 1, ascii(blank)
        assert configuration_label(others[2]) == "verbosity=low", ascii(blank)


def test_a_name_that_looks_blank_or_like_another_is_refused(vendor: Vendor) -> None:
    for blank in ("\u3164", "\u2800", "Orion\u3164", "Or\u034fion"):
        answer = vendor.post("/models", {"slug": "orion", "name": blank})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/name"), ascii(blank)
        assert "visible" in answer.text


def test_a_value_of_another_type_is_refused_with_words(vendor: Vendor) -> None:
    vendor.model()
    order = {"endpoint": vendor.endpoint("https://93.184.216.34/v1"), "continuous": True}
    for name, value in (("thinking_budget", "much"), ("enable_thinking", 3), ("verbosity", 0.5)):
        answer = vendor.post("/submissions", order | {"configuration": {name: value}})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, f"/configuration/{name}")
        assert f"{name} must be " in answer.json()["detail"]
    told = vendor.post("/submissions", order | {"configuration": {"thinking_budget": "64.0"}})
    assert told.json()["configuration"] == {"thinking_budget": 64}


def assert_one_row_each(
    world: World, client: Client, spelled: Sequence[Sequence[dict[str, Any]]]
) -> Sequence[dict[str, Any]]:
    """Of models that ran once in each of these spellings, each has one row, with all its runs; returns the rows."""
    problem = world.problem("a")
    for place, configurations in enumerate(spelled):
        model = world.model(f"m{place}")
        for trial, configuration in enumerate(configurations, start=1):
            world.answer(world.run(model, configuration=configuration, trial=trial), problem)
    world.count()
    world.session.commit()
    rows: list[dict[str, Any]] = client.get("/api/v1/boards/codegen").json()["rows"]
    trials = Counter(row["model"] for row in rows)
    assert {place: each for place, each in enumerate(spelled) if trials[f"m{place}"] != 1} == {}
    assert {row["model"]: row["trials"] for row in rows} == {f"m{n}": len(each) for n, each in enumerate(spelled)}
    return rows
