"""A contest day on loopback: a fake AtCoder whose contest ends soon, setters with recorded answers, ranked models."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fakes.model_server import Asked, ModelServer, Say, message
from fakes.sites.atcoder import AtCoder
from fakes.sites.live import LiveSite
from fakes.world import FakeContest, FakeProblem, Text

from support.installation import Installation, installation

CONTEST = "abc999"
# Seconds: what the operator set, and how long before its end the contest is announced.
MARGIN_S, SCHEDULE_S, CALENDAR_S, AHEAD_S = 2, 3, 20, 25


@dataclass(frozen=True, slots=True)
class Published(FakeProblem):
    """A problem with samples of its own."""

    texts: tuple[tuple[str, str], ...] = ()

    def examples(self) -> tuple[tuple[str, str], ...]:
        """What a program reads and writes."""
        return self.texts


@dataclass(frozen=True, slots=True)
class Task:
    """A problem of the contest, as setters and models know it: `right` and `wrong` are answers of ranked models."""

    title: str
    story: str
    samples: Sequence[tuple[str, str]]
    right: str
    wrong: str
    time_ms: int = 1000

    def published(self, place: int) -> FakeProblem:
        """It on the site."""
        letter = "ABCDEFG"[place]
        text = Text(
            (f"This is {self.title}.", self.story), ("All numbers are small.",), "As in the samples.", "Print it."
        )
        return Published(
            f"{CONTEST}_{letter.lower()}", letter, self.title, {"en": text}, (), self.time_ms, 256, 100, None,
            texts=tuple(self.samples),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SetBy:
    """A setter that plays recorded answers: rows as they lie in a file, whose setter it is by name."""

    name: str
    vendor: str
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A model on the board; `wrong` are the titles that it answers wrongly."""

    slug: str
    organisation: str
    wrong: frozenset[str] = frozenset()


@dataclass
class Saturday:
    """An installation that waits for the contest's end, `ends_at`; from then on nobody calls anything by hand."""

    house: Installation
    ends_at: datetime

    def way(self) -> dict[str, float]:
        """The steps that the contest has taken, in seconds after it may be used, by `/api/v1/status/contests`."""
        steps = {each["step"]: datetime.fromisoformat(each["since"]) for each in self._said().get("steps", ())}
        return {step: round((since - self._begin).total_seconds(), 1) for step, since in steps.items()}

    def held(self) -> dict[str, str]:
        """Its held problems with the reasons."""
        return {each["problem"]: each["reason"] for each in self._said().get("held", ())}

    def board(self) -> list[dict[str, Any]]:
        """The rows of fresh problems."""
        rows: list[dict[str, Any]] = self.house.get("/api/v1/boards/codegen?protocol=fresh").json()["rows"]
        return rows

    def shows(self, models: int, problems: int) -> bool:
        """Whether so many models stand on the board with so many problems each, and nothing is under way."""
        rows = self.board()
        whole = [row for row in rows if row["n_problems"] == problems and row["coverage"] == 1.0]
        return len(rows) == len(whole) == models and "board" in self.way()

    def logs(self) -> str:
        """Everything that its programs have logged."""
        return "".join(file.read_text(errors="replace") for file in (self.house.state / "logs").iterdir())

    def seconds(self) -> float:
        """Since the contest may be used."""
        return (datetime.now(UTC) - self._begin).total_seconds()

    @property
    def _begin(self) -> datetime:
        return self.ends_at + timedelta(seconds=MARGIN_S)

    def _said(self) -> dict[str, Any]:
        ways = {each["contest"]: each for each in self.house.get("/api/v1/status/contests").json()}
        found: dict[str, Any] = ways.get(f"atcoder/{CONTEST}", {})
        return found


def _endpoint(tasks: Sequence[Task], models: Sequence[Ranked]) -> ModelServer:
    """Where all ranked models are asked: a task is known by its title, which stands in its statement."""
    wrong = {model.slug: model.wrong for model in models}

    def say(asked: Asked) -> Say:
        task = next(task for task in tasks if f"This is {task.title}." in asked.last_message)
        return message(f"```python\n{task.wrong if task.title in wrong[asked.json['model']] else task.right}\n```")

    return ModelServer(say)


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def saturday(
    folder: Path, tasks: Sequence[Task], setters: Sequence[SetBy], models: Sequence[Ranked]
) -> Iterator[Saturday]:
    """`up` over the fake site, told of setters and models before the contest is announced; it logs all it can."""
    shown = [AtCoder([_past()], _now)]
    with _endpoint(tasks, models) as server, LiveSite(lambda asked: shown[-1](asked), _now) as site, installation(
        folder / "state", demo="false", log_level="debug", contact="operator@example.test",
        endpoint_allow="127.0.0.0/8", schedule_s=str(SCHEDULE_S),
        sources__codeforces__enabled="false", sources__leetcode__enabled="false",
        sources__atcoder__base_url=site.url, sources__atcoder__every_s=str(CALENDAR_S), sources__atcoder__pace_s="0",
        sources__atcoder__margin_s=str(MARGIN_S), sources__atcoder__fetch_statements="true",
    ) as house:  # fmt: skip
        _make_known(house, folder, setters, models, server.url)
        ends_at = (_now() + timedelta(seconds=AHEAD_S)).replace(microsecond=0)
        shown.append(AtCoder([_past(), _contest(tasks, ends_at)], _now))
        yield Saturday(house, ends_at)


def _past() -> FakeContest:
    """A site without a past answers with pages that nobody can tell from broken ones."""
    start = (_now() - timedelta(days=700)).replace(microsecond=0)
    return FakeContest("abc998", "AtCoder Beginner Contest 998", start, timedelta(minutes=100), (), "algorithm")


def _contest(tasks: Sequence[Task], ends_at: datetime) -> FakeContest:
    long = timedelta(minutes=100)
    problems = tuple(task.published(place) for place, task in enumerate(tasks))
    return FakeContest(CONTEST, "AtCoder Beginner Contest 999", ends_at - long, long, problems, "algorithm")


def _make_known(
    house: Installation, folder: Path, setters: Iterable[SetBy], models: Iterable[Ranked], url: str
) -> None:
    for setter in setters:
        file = folder / f"{setter.name}.jsonl"
        file.write_text("".join(json.dumps(dict(row)) + "\n" for row in setter.rows), encoding="utf-8")
        house.told("setter", "add", setter.name, "--vendor", setter.vendor, "--replay", str(file))
    for model in models:
        house.told(
            "run", "start", model.slug, "--protocol", "fresh", "--endpoint", url, "--organisation", model.organisation
        )
