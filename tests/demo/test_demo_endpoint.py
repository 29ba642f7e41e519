"""The demo endpoint over real HTTP: it answers from the prompt alone, as five models with habits of their own."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from support.files import READ_AT
from support.waiting import at_least, until

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Prompt
from app.domain.asking.protocols import HOUSE
from app.domain.problems import Statement
from app.domain.scenarios import Item
from app.domain.scenarios.codegen import SCENARIO
from scrapers.suites.house import League, LeagueProblem, load_demo_models, load_league
from workers.inference.backends import HttpCall, UnreadableResponse
from workers.inference.backends.openai_chat import BACKEND

ROOT = Path(__file__).resolve().parents[2]
SEED = 1000  # the seed of a run's first sample
MODELS = [model.slug for model in load_demo_models(ROOT / "league")]


@dataclass
class Demo:
    """A running endpoint and a client for it."""

    process: subprocess.Popen[str]
    url: str
    client: httpx.Client
    answers: dict[str, Any] = field(default_factory=dict)

    @property
    def address(self) -> tuple[str, int]:
        at = urlsplit(self.url)
        return at.hostname or "", at.port or 0

    def chat(self, **body: Any) -> httpx.Response:
        """One request, asked again when told to come later."""
        answer = self.client.post(f"{self.url}/chat/completions", json=body)
        return self.client.post(f"{self.url}/chat/completions", json=body) if answer.status_code == 429 else answer

    def ask_all(self, bodies: Sequence[dict[str, Any]]) -> list[Any]:
        """The completions of many questions, asked over 32 connections at once; each question once for all tests."""
        asked = {json.dumps(body): None for body in bodies}
        new = [body for body in asked if body not in self.answers]
        with ThreadPoolExecutor(32) as pool:
            for answers in pool.map(self._ask_each, (new[start::32] for start in range(32))):
                self.answers |= answers
        return [self.answers[json.dumps(body)] for body in bodies]

    def _ask_each(self, bodies: Sequence[str]) -> dict[str, Any]:
        with closing(HTTPConnection(*self.address, timeout=120)) as connection:
            return {body: ask_over(connection, body) for body in bodies}

    def ask(self, model: str, prompt: str, **body: Any) -> Any:
        """The completion of one question."""
        answer = self.chat(model=model, messages=[{"role": "user", "content": prompt}], **{"seed": SEED, **body})
        assert answer.status_code == 200, answer.text
        return answer.json()


def ask_over(connection: HTTPConnection, body: str, again: bool = True) -> Any:
    connection.request("POST", "/v1/chat/completions", body)
    answer = connection.getresponse()
    said = answer.read()
    if answer.status == 429 and again:  # a busy one may say to come again
        return ask_over(connection, body, again=False)
    assert answer.status == 200, said
    return json.loads(said)


def start(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "workers.demo", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **(environment or {})}, text=True, stdout=pipe, stderr=pipe
    )


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    process = start("--port", "0")
    assert process.stdout is not None
    url = process.stdout.readline().removeprefix("demo endpoint: ").strip()
    with httpx.Client(timeout=120, trust_env=False) as client:
        yield Demo(process, url, client)
    process.send_signal(signal.SIGTERM)
    _, complaints = process.communicate(timeout=120)
    assert complaints == ""
    assert process.returncode in (0, -signal.SIGTERM)


@pytest.fixture(scope="module")
def league() -> League:
    return load_league(ROOT / "league", READ_AT)


def prompt_of(statement: Statement) -> str:
    """What our own scenario sends."""
    return "\n\n".join(message.content for message in SCENARIO.ask(statement, HOUSE, Item()).messages)


def content(completion: Any) -> str:
    return str(completion["choices"][0]["message"]["content"])


def code_of(completion: Any) -> str | None:
    """The program as our own extraction reads it, reasoning left out."""
    read = BACKEND.parse(httpx.Response(200, json=completion).content, 1.0)
    assert not isinstance(read, UnreadableResponse)
    found = SCENARIO.extract(read.text, HOUSE).code
    return None if found is None else found.strip()


def codes(problem: LeagueProblem, *, reference: bool) -> set[str]:
    """A problem's Python programs as an answer shows them: wrong ones without their first line."""
    programs = [each for each in problem.programs_of(reference=reference) if each.language == "python"]
    return {(program.code if reference else program.code.split("\n", 1)[1]).strip() for program in programs}


# --- finding the problem ---


def test_it_finds_every_problem_in_both_languages(demo: Demo, league: League) -> None:
    statements = [league.problems[slug].statements[locale] for slug in slugs_of(league) for locale in ("en", "zh")]
    answers = demo.ask_all([question("heron-recall", statement) for statement in statements])
    for statement, answer in zip(statements, answers, strict=True):
        problem = league.problems[statement.problem]
        assert code_of(answer) in codes(problem, reference=True) | codes(problem, reference=False), statement.problem
        assert statement.title in content(answer)


@pytest.mark.parametrize(
    "shown",
    [
        "Solve this.\n\n{text}",
        "## {title}\nWrite it in Python.",
        "{title}\n\nThe statement follows.",
        "Question:   {title_in_capitals}",
        "Please read:\n> {first}\n\n(The rest is left out.)",
    ],
)
def test_it_finds_a_problem_however_it_is_shown(demo: Demo, league: League, shown: str) -> None:
    statement = league.problems["night-watch"].statements["en"]
    prompt = shown.format(
        text=statement.text.replace("\n", "  \n "),
        title=statement.title,
        first=statement.text.split("\n\n")[0],
        title_in_capitals=f"\n{statement.title.upper()}",
    )
    assert code_of(demo.ask("heron-recall", prompt)) in codes(league.problems["night-watch"], reference=True)


@pytest.mark.parametrize("prompt", ["What is the capital of Atlantis?", "", "# Two Sums\n\nAdd two numbers."])
def test_it_says_so_when_it_knows_no_such_problem(demo: Demo, prompt: str) -> None:
    answer = demo.ask("tern-large", prompt, reasoning_effort="high")
    assert "none of them" in content(answer)
    assert code_of(answer) is None


def test_it_writes_the_language_asked_for(demo: Demo, league: League) -> None:
    statement = league.problems["rope-store"].statements["en"]
    asked = f"You are an expert C++ programmer.\n\n# {statement.title}\n\n{statement.text}\n\n```cpp\n// your code\n```"
    answers = [demo.ask("tern-large", asked, seed=seed, reasoning_effort="high") for seed in range(6)]
    assert any("```cpp\n#include <iostream>" in content(answer) for answer in answers)
    assert not any("```python" in content(answer) for answer in answers)


# --- the models ---


def test_the_same_question_gets_the_same_answer(demo: Demo, league: League) -> None:
    prompt = prompt_of(league.problems["oil-spill"].statements["en"])
    for model in MODELS:
        assert demo.ask(model, prompt) == demo.ask(model, prompt)
    assert len({content(demo.ask("pipit-mini", prompt, seed=seed)) for seed in range(8)}) > 1


def question(model: str, statement: Statement, seed: int = SEED, **body: Any) -> dict[str, Any]:
    """A request's body."""
    return {"model": model, "messages": [{"role": "user", "content": prompt_of(statement)}], "seed": seed, **body}


def solved(demo: Demo, league: League, model: str, seeds: range, **body: Any) -> dict[str, float]:
    """Share of right answers by problem, over some seeds."""
    wanted = [(slug, seed) for slug in slugs_of(league) for seed in seeds]
    answers = demo.ask_all(
        [question(model, league.problems[slug].statements["en"], seed, **body) for slug, seed in wanted]
    )
    right = {slug: codes(league.problems[slug], reference=True) for slug in slugs_of(league)}
    shares = dict.fromkeys(right, 0.0)
    for (slug, _), answer in zip(wanted, answers, strict=True):
        shares[slug] += (code_of(answer) in right[slug]) / len(seeds)
    return shares


def mean(shares: dict[str, float], slugs: list[str]) -> float:
    return sum(shares[slug] for slug in slugs) / len(slugs)


def slugs_of(league: League, *, before: str = "9999", since: str = "") -> list[str]:
    """Problems of contests that began in [since, before)."""
    return [
        slug
        for contest in league.contests
        if since <= contest.starts_at.isoformat() < before
        for slug in contest.problems
    ]


def test_models_differ_as_their_table_says(demo: Demo, league: League) -> None:
    seeds, everything = range(SEED, SEED + 1), slugs_of(league)
    high = solved(demo, league, "tern-large", seeds, reasoning_effort="high")
    low = solved(demo, league, "tern-large", seeds, reasoning_effort="low")
    small = solved(demo, league, "pipit-mini", seeds)
    assert all(high[slug] >= low[slug] for slug in everything)
    assert mean(high, everything) > mean(low, everything) + 0.05
    assert mean(low, everything) > mean(small, everything) + 0.2
    hard = [slug for slug in everything if league.problems[slug].level == "hard"]
    easy = [slug for slug in everything if league.problems[slug].level == "easy"]
    assert mean(small, easy) > mean(small, hard) + 0.2


def test_the_one_that_remembers_is_plainly_better_before_its_cutoff(demo: Demo, league: League) -> None:
    first = solved(demo, league, "heron-recall", range(SEED, SEED + 1))
    assert mean(first, slugs_of(league, before="2026-05-01")) - mean(first, slugs_of(league, since="2026-05-01")) > 0.3
    many = solved(demo, league, "heron-recall", range(SEED, SEED + 2))
    assert mean(many, slugs_of(league, before="2026-05-01")) == pytest.approx(0.95, abs=0.08)
    assert mean(many, slugs_of(league, since="2026-05-01")) == pytest.approx(0.40, abs=0.15)


def test_higher_effort_thinks_longer_and_takes_longer(demo: Demo, league: League) -> None:
    prompt = prompt_of(league.problems["oil-spill"].statements["en"])
    thought = {}
    for effort, fastest_s in (("low", 0.12), ("high", 0.22)):
        with at_least(fastest_s):
            answer = demo.ask("tern-large", prompt, reasoning_effort=effort)
        thought[effort] = answer["usage"]["completion_tokens_details"]["reasoning_tokens"]
        assert answer["choices"][0]["message"]["reasoning_content"]
    assert thought["high"] > 3 * thought["low"] > 0


def test_the_busy_one_refuses_some_first_attempts_once(demo: Demo, league: League) -> None:
    refused = 0
    for seed in range(5_000, 5_024):
        for slug in ("tide-gauge", "oil-spill"):
            messages = [{"role": "user", "content": prompt_of(league.problems[slug].statements["en"])}]
            body = {"model": "plover-busy", "messages": messages, "seed": seed}
            answer = demo.client.post(f"{demo.url}/chat/completions", json=body)
            if answer.status_code == 429:
                refused += 1
                assert answer.headers["retry-after"] == "1"
                assert "error" in answer.json()
                assert demo.client.post(f"{demo.url}/chat/completions", json=body).status_code == 200
    assert 2 <= refused <= 16


def test_habits_show(demo: Demo, league: League) -> None:
    """The small one answers without code or in a wrong format now and then; the thinking one is cut off."""
    statements = [league.problems[slug].statements["en"] for slug in slugs_of(league)]
    small = demo.ask_all([question("pipit-mini", statement) for statement in statements])
    without = [answer for answer in small if code_of(answer) is None]
    assert 1 <= len(without) <= len(statements) // 4
    assert all(answer["choices"][0]["finish_reason"] == "stop" for answer in without)
    assert any("```text\n" in content(answer) for answer in small)
    cut = verbose = 0
    for answer in demo.ask_all([question("dunlin-think", statement) for statement in statements]):
        assert content(answer).startswith("<think>\n")
        if answer["choices"][0]["finish_reason"] == "length":
            cut += 1
            assert "</think>" not in content(answer)
            assert code_of(answer) is None
        else:
            assert content(answer).count("</think>") == 1
            blocks = re.findall(r"```python\n(.*?)\n```", content(answer), re.DOTALL)
            verbose += len(blocks) > 1
            assert code_of(answer) == blocks[-1], "the last program is meant"
    assert 1 <= cut <= len(statements) // 3
    assert verbose > len(statements) // 5


def test_usage_adds_up(demo: Demo, league: League) -> None:
    prompt = prompt_of(league.problems["wave-crests"].statements["en"])
    for model in MODELS:
        usage = demo.ask(model, prompt)["usage"]
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
        assert usage["completion_tokens"] >= usage["completion_tokens_details"]["reasoning_tokens"]
        assert len(prompt) / 8 < usage["prompt_tokens"] < len(prompt)


def test_a_token_limit_is_kept(demo: Demo, league: League) -> None:
    prompt = prompt_of(league.problems["wave-crests"].statements["en"])
    for model in ("heron-recall", "tern-large", "dunlin-think"):
        answer = demo.ask(model, prompt, max_tokens=40)
        assert answer["choices"][0]["finish_reason"] == "length"
        assert 30 <= answer["usage"]["completion_tokens"] <= 40
    full = demo.ask("tern-large", prompt)
    thinking = full["usage"]["completion_tokens_details"]["reasoning_tokens"]
    partly = demo.ask("tern-large", prompt, max_completion_tokens=thinking + 50)
    assert partly["usage"]["completion_tokens_details"]["reasoning_tokens"] == thinking
    assert content(full).startswith(content(partly))
    assert content(partly)


def test_our_own_back_end_reads_its_answers(demo: Demo, league: League) -> None:
    statement = league.problems["crate-stacks"].statements["zh"]
    prompt: Prompt = SCENARIO.ask(statement, HOUSE, Item())
    spec = EndpointSpec(1, "openai_chat", demo.url, "tern-large", trusted=True)
    call = BACKEND.call(spec, InferenceRequest(1, prompt, HOUSE.sampling, SEED, {"reasoning_effort": "high"}))
    assert isinstance(call, HttpCall)
    answer = demo.client.post(call.url, headers=call.headers, content=call.body)
    read = BACKEND.parse(answer.content, 12.0)
    assert not isinstance(read, UnreadableResponse)
    assert read.finish_reason is FinishReason.STOP
    assert read.served_model == "tern-large"
    assert read.reasoning
    assert read.usage.reasoning is not None
    assert read.usage.reasoning > 1000
    assert re.search("[\u4e00-\u9fff]", read.text)


# --- the protocol's edges ---


def test_models_are_listed(demo: Demo) -> None:
    listed = demo.client.get(f"{demo.url}/models").json()
    assert listed["object"] == "list"
    assert [each["id"] for each in listed["data"]] == MODELS
    assert demo.client.get(f"{demo.url.removesuffix('/v1')}/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "not a chat request"),
        (b"[]", 400, "not a chat request"),
        (b'{"model": "tern-large"}', 400, "messages"),
        (b'{"model": "tern-large", "messages": [{"role": "user", "content": 7}]}', 400, "not a chat request"),
        (b'{"model": "tern-large", "messages": [], "seed": "x"}', 400, "not a chat request"),
        (b'{"model": "tern-large", "messages": [], "stream": true}', 400, "does not stream"),
        (b'{"model": "godwit", "messages": []}', 404, "there is no model 'godwit'"),
        (b" " * (1 << 20) + b"{}", 413, "too large"),
        (b"[" * 100_000, 400, "not a chat request"),
    ],
)
def test_bad_requests_are_refused(demo: Demo, body: bytes, status: int, words: str) -> None:
    answer = demo.client.post(f"{demo.url}/chat/completions", content=body)
    assert answer.status_code == status
    assert words in answer.json()["error"]["message"]


def test_unknown_paths_and_methods(demo: Demo) -> None:
    assert demo.client.get(f"{demo.url}/nothing").status_code == 404
    answer = demo.client.get(f"{demo.url}/chat/completions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_content_may_come_in_parts(demo: Demo, league: League) -> None:
    statement = league.problems["wave-crests"].statements["en"]
    parts = [{"type": "text", "text": f"# {statement.title}"}, {"type": "text", "text": statement.text}]
    answer = demo.chat(model="heron-recall", messages=[{"role": "user", "content": parts}], seed=SEED)
    assert code_of(answer.json()) in codes(league.problems["wave-crests"], reference=True)


def test_a_quick_answer_does_not_wait_for_a_slow_one(demo: Demo, league: League) -> None:
    prompt = prompt_of(league.problems["oil-spill"].statements["en"])

    def overtaken() -> bool:
        with ExitStack() as stack:
            asked = []
            for model in ("dunlin-think", "pipit-mini"):  # 180 to 400 ms, 50 to 110 ms
                connection = stack.enter_context(closing(HTTPConnection(*demo.address)))
                body = {"model": model, "messages": [{"role": "user", "content": prompt}], "seed": SEED}
                connection.request("POST", "/v1/chat/completions", json.dumps(body))
                asked.append(connection.sock)
            slow, quick = asked
            return select.select([slow, quick], [], [])[0] == [quick]

    until(overtaken, "an answer before the one asked for earlier")


def test_many_at_once_and_little_memory(demo: Demo, league: League) -> None:
    solved(demo, league, "dunlin-think", range(SEED, SEED + 1))  # 100 beside those to the other tests, 32 at a time
    [resident] = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{demo.process.pid}/status").read_text())
    assert int(resident) < 150_000
