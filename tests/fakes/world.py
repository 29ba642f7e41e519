"""Contests and problems of sites that do not exist: what a fake site serves, and what must be found there.

Everything is authored here and follows from its arguments alone: the same arguments give the same world.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from random import Random

Clock = Callable[[], datetime]
"""The simulated now, aware."""


@dataclass(frozen=True, slots=True)
class Text:
    """A statement in one language: paragraphs and lines with TeX between dollar signs."""

    story: tuple[str, ...]
    constraints: tuple[str, ...]
    input: str
    output: str


@dataclass(frozen=True, slots=True)
class FakeProblem:
    """One problem. Its program reads N, K and N numbers, or is called with them, and gives one number.

    `samples` are (numbers, k, answer). `rating` is what others say of it once its contest is rated; None for never.
    """

    external_id: str
    index: str
    title: str
    statements: Mapping[str, Text]
    samples: tuple[tuple[tuple[int, ...], int, int], ...]
    time_ms: int = 2000
    memory_mb: int = 1024
    points: int | None = None
    rating: int | None = None
    tags: tuple[str, ...] = ()
    function: str = ""
    level: str = ""
    number: int = 0

    def examples(self) -> tuple[tuple[str, str], ...]:
        """What a program reads and writes."""
        return tuple((f"{len(row)} {k}\n{' '.join(map(str, row))}\n", f"{answer}\n") for row, k, answer in self.samples)


@dataclass(frozen=True, slots=True)
class FakeContest:
    """A contest. `data_after` is how long after its end its problems are shown, `rated_after` when ratings are."""

    external_id: str
    title: str
    starts_at: datetime
    duration: timedelta
    problems: tuple[FakeProblem, ...] = field(repr=False)
    kind: str = ""
    rated: str = "-"
    data_after: timedelta = timedelta()
    rated_after: timedelta = timedelta(days=2)

    @property
    def ends_at(self) -> datetime:
        """When the last program may be handed in."""
        return self.starts_at + self.duration

    @property
    def opens_at(self) -> datetime:
        """When strangers see the problems."""
        return self.ends_at + self.data_after

    @property
    def is_judged(self) -> bool:
        """Whether its problems are its own and have right answers."""
        return self.kind not in ("heuristic", "training")

    @property
    def rated_at(self) -> datetime:
        """When ratings are known."""
        return self.ends_at + self.rated_after


def calendar(site: str, first_day: date, weeks: int) -> tuple[FakeContest, ...]:
    """The contests of so many weeks from a day on, oldest first; `site` is atcoder, codeforces or leetcode.

    A site without a past answers with pages that nobody can tell from broken ones: let the world begin some weeks
    before the first visit.
    """
    monday = first_day - timedelta(days=first_day.weekday())
    made = _CALENDARS[site](monday, weeks)
    return tuple(sorted(made, key=lambda each: (each.starts_at, each.external_id)))


def smaller(contests: Sequence[FakeContest], size: int) -> tuple[FakeContest, ...]:
    """The same contests with their first problems only."""
    return tuple(replace(contest, problems=contest.problems[:size]) for contest in contests)


def _at(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), UTC)


def _atcoder(monday: date, weeks: int) -> Iterator[FakeContest]:
    """ABC each Saturday; every third week an ARC on Sunday, every second one with a task of the ABC; an AHC a month.

    Each Wednesday a Weekday Contest, each Tuesday a daily training with tasks of the ABC before.
    """
    draw = _Draw("atcoder")
    long = timedelta(minutes=100)
    for week in range(weeks):
        saturday, abc, arc = monday + timedelta(days=7 * week + 5), 900 + week, 800 + week // 3
        name = f"abc{abc}"
        tasks = tuple(
            draw.problem(
                f"{name}_{letter.lower()}", letter, points=100 * place, rating=400 * place - 300, japanese=True
            )
            for place, letter in enumerate("ABCDEFG", 1)
        )
        title, start = f"AtCoder Beginner Contest {abc}", _at(saturday, 12)
        yield FakeContest(name, title, start, long, tasks, "algorithm", " ~ 1999")
        day = saturday + timedelta(days=3)
        title = f"AtCoder Daily Training {day:%Y/%m/%d}"
        yield FakeContest(f"adt_all_{day:%Y%m%d}_1", title, _at(day, 9), timedelta(hours=1), tasks[:3], "training")
        name = f"awc{101 + week:04}"
        own = tuple(draw.problem(f"{name}_{letter.lower()}", letter, points=100, rating=None) for letter in "AB")
        title = f"AtCoder Weekday Contest {101 + week:04} Beta"
        yield FakeContest(name, title, _at(day - timedelta(days=6), 9), timedelta(hours=1), own, "algorithm")
        if week % 3 == 1:
            name = f"arc{arc}"
            own = tuple(
                draw.problem(f"{name}_{letter.lower()}", letter, points=300 * place, rating=600 * place, japanese=True)
                for place, letter in enumerate("ABCD", 1)
            )
            if week % 2:  # the first task is the last one of yesterday's contest
                own = (replace(tasks[-1], index="A"), *own[1:])
            start, title = _at(saturday + timedelta(days=1), 12), f"AtCoder Regular Contest {arc} (Div. 2)"
            yield FakeContest(name, title, start, timedelta(hours=2), own, "algorithm", "1200 ~ 2399")
        if week % 4 == 2:
            name = f"ahc{70 + week // 4:03}"
            task = draw.problem(f"{name}_a", "A", points=None, rating=None, japanese=True)
            start, title = _at(saturday + timedelta(days=1), 6), f"AtCoder Heuristic Contest {70 + week // 4}"
            yield FakeContest(name, title, start, timedelta(hours=4), (task,), "heuristic", "All")


def _codeforces(monday: date, weeks: int) -> Iterator[FakeContest]:
    """Two rounds a week; every fourth week twins of two divisions, every third an Educational one, rated later."""
    draw, ids = _Draw("codeforces"), count(3001)
    for week in range(weeks):
        tuesday, friday = (monday + timedelta(days=7 * week + day) for day in (1, 4))
        two = next(ids)
        number = 1500 + 2 * week
        tasks = _round(draw, two, "ABCDEF")
        yield FakeContest(
            str(two), f"Codeforces Round {number} (Div. 2)", _at(tuesday, 14, 35), timedelta(hours=2), tasks, "CF",
            rated_after=timedelta(days=3),
        )  # fmt: skip
        other = next(ids)
        start = _at(friday, 14, 35)
        if week % 3 == 2:
            title = f"Educational Codeforces Round {190 + week // 3} (Rated for Div. 2)"
            tasks = _round(draw, other, "ABCDEF", points=False)
            yield FakeContest(
                str(other), title, start, timedelta(hours=2), tasks, "ICPC",
                data_after=timedelta(hours=12), rated_after=timedelta(days=6),
            )  # fmt: skip
        elif week % 4 == 1:
            late = timedelta(days=4)
            first, twin = _round(draw, other, "ABCDE"), str(next(ids))
            shared = tuple(
                replace(each, external_id=f"{twin}/{letter}", index=letter)
                for letter, each in zip("CDE", first[:3], strict=True)
            )
            easy = _round(draw, int(twin), "AB")
            for name, division, made in ((str(other), 1, first), (twin, 2, (*easy, *shared))):
                title = f"Codeforces Round {number + 1} (Div. {division})"
                yield FakeContest(name, title, start, timedelta(minutes=150), made, "CF", rated_after=late)
        else:
            tasks = _round(draw, other, "ABCDEFG", points=False)
            title = f"Codeforces Round {number + 1} (Div. 3)"
            yield FakeContest(
                str(other), title, start, timedelta(minutes=135), tasks, "ICPC",
                data_after=timedelta(hours=12), rated_after=timedelta(days=5),
            )  # fmt: skip


def _round(draw: "_Draw", contest: int, letters: str, *, points: bool = True) -> tuple[FakeProblem, ...]:
    return tuple(
        draw.problem(
            f"{contest}/{letter}", letter, points=250 * (place + 1) if points else None, rating=700 + 300 * place,
            time_ms=1500 if place == 1 else 2000, memory_mb=256, tagged=True,
        )
        for place, letter in enumerate(letters, 1)
    )  # fmt: skip


def _leetcode(monday: date, weeks: int) -> Iterator[FakeContest]:
    """A weekly contest each Sunday, a biweekly one every other Saturday, four problems each."""
    draw = _Draw("leetcode")
    for week in range(weeks):
        saturday, sunday = (monday + timedelta(days=7 * week + day) for day in (5, 6))
        if week % 2 == 0:
            yield _four(draw, "Biweekly", 200 + week // 2, _at(saturday, 14, 30))
        yield _four(draw, "Weekly", 600 + week, _at(sunday, 2, 30))


def _four(draw: "_Draw", series: str, number: int, start: datetime) -> FakeContest:
    levels = ("Easy", "Medium", "Medium", "Hard")
    problems = tuple(
        draw.problem(None, f"Q{place}", points=place + 2, rating=900 + 450 * place, tagged=True, level=level)
        for place, level in enumerate(levels, 1)
    )
    return FakeContest(
        f"{series.lower()}-contest-{number}", f"{series} Contest {number}", start, timedelta(minutes=90), problems,
        series.lower(), rated_after=timedelta(days=7),
    )  # fmt: skip


_CALENDARS: Mapping[str, Callable[[date, int], Iterator[FakeContest]]] = {
    "atcoder": _atcoder, "codeforces": _codeforces, "leetcode": _leetcode,
}  # fmt: skip

_ADJECTIVES = ("Amber", "Broken", "Calm", "Distant", "Early", "Frozen", "Gentle", "Hollow", "Idle", "Jagged", "Kind",
               "Lonely", "Mossy")  # fmt: skip
_NOUNS = (("Anchors", "いかり"), ("Baskets", "かご"), ("Candles", "ろうそく"), ("Drums", "たいこ"), ("Feathers", "羽"),
          ("Kettles", "やかん"), ("Lanterns", "ちょうちん"), ("Marbles", "ビー玉"), ("Paddles", "かい"),
          ("Ropes", "なわ"), ("Sails", "帆"))  # fmt: skip
_TAGS = ("array", "greedy", "math", "sorting", "two-pointers")
_WIDTH = 100


def _longest(row: Sequence[int], k: int) -> int:
    best = run = 0
    for each in row:
        run = run + 1 if each <= k else 0
        best = max(best, run)
    return best


_ASKS: tuple[tuple[str, str, str, Callable[[Sequence[int], int], int]], ...] = (
    ("Count", "the number of weights that are at least {k}", "重さが {k} 以上のものの個数",
     lambda row, k: sum(each >= k for each in row)),
    ("Sum", "the sum of the weights that are less than {k}", "重さが {k} 未満のものの重さの和",
     lambda row, k: sum(each for each in row if each < k)),
    ("Longest", "the length of the longest run of neighbours whose weights are at most {k}",
     "重さが {k} 以下のものが続く最大の長さ", _longest),
    ("Pairs", "the number of pairs whose weights add up to {k}", "重さの和が {k} になる組の個数",
     lambda row, k: sum(one + two == k for at, one in enumerate(row) for two in row[:at])),
    ("Residues", "the number of different remainders of the weights modulo {k}", "重さを {k} で割った余りの種類の数",
     lambda row, k: len({each % k for each in row})),
    ("Nearest", "the smallest difference between a weight and {k}", "重さと {k} の差の最小値",
     lambda row, k: min(abs(each - k) for each in row)),
)  # fmt: skip


class _Draw:
    """Problems in an endless row, no title twice; a site's row is always the same."""

    def __init__(self, site: str) -> None:
        self._random = Random(site)
        self._number = 0

    def problem(
        self, external_id: str | None, index: str, *, points: int | None, rating: int | None, time_ms: int = 2000,
        memory_mb: int = 1024, japanese: bool = False, tagged: bool = False, level: str = "",
    ) -> FakeProblem:  # fmt: skip
        """The next one; without an id it is known by its title."""
        self._number, number = self._number + 1, self._number
        adjective, (noun, other) = _ADJECTIVES[number % len(_ADJECTIVES)], _NOUNS[number % len(_NOUNS)]
        name, ask, asked, solve = _ASKS[number // (len(_ADJECTIVES) * len(_NOUNS)) % len(_ASKS)]
        title = f"{name} {adjective} {noun}"
        statements = {"en": _english(adjective, noun, ask)}
        if japanese:
            statements["ja"] = _japanese(other, asked)
        samples = tuple(self._sample(solve) for _ in range(2))
        return FakeProblem(
            external_id or title.lower().replace(" ", "-"), index, title, statements, samples, time_ms, memory_mb,
            points, rating, tuple(sorted(self._random.sample(_TAGS, 2))) if tagged else (),
            "".join((name.lower(), adjective, noun)), level, 5000 + number,
        )  # fmt: skip

    def _sample(self, solve: Callable[[Sequence[int], int], int]) -> tuple[tuple[int, ...], int, int]:
        row = tuple(self._random.randint(1, 20) for _ in range(self._random.randint(3, 6)))
        k = self._random.randint(2, 20)
        return row, k, solve(row, k)


def _english(adjective: str, noun: str, ask: str) -> Text:
    things = f"{adjective.lower()} {noun.lower()}"
    return Text(
        (f"Noëlle owns $N$ {things} – the $i$-th of them weighs $A_i$.", f"Find {ask.format(k='$K$')}."),
        (f"$1 \\leq N \\leq {_WIDTH}$", f"$2 \\leq K \\leq {_WIDTH}$", f"$1 \\leq A_i < {2 * _WIDTH}$"),
        "The input holds two lines:",
        "Print one number.",
    )


def _japanese(noun: str, asked: str) -> Text:
    return Text(
        (
            f"高橋くんは {noun} を $N$ 個持っています。$i$ 番目の重さは $A_i$ です。",
            f"{asked.format(k='$K$')}を求めてください。",
        ),
        (f"$1 \\leq N \\leq {_WIDTH}$", f"$2 \\leq K \\leq {_WIDTH}$", f"$1 \\leq A_i < {2 * _WIDTH}$"),
        "入力は次の形で与えられます。",
        "答えを出力してください。",
    )
