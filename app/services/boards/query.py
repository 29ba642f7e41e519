"""One board, read from the words of a URL or a command line, and written back into a URL."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

from app.domain.boards.board import BoardQuery, Exposure, Rules
from app.domain.errors import InvalidInput, NotFound
from app.domain.problems import Level
from app.domain.scenarios import scenarios
from app.domain.windows import FIRST_DAY, LAST_DAY, Window, read_day

E = TypeVar("E", bound=StrEnum)

MAX_VALUES = 64
MAX_LENGTH = 200

Params = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BoardName:
    """A board: the scenario whose protocols it shows, and the protocol shown unless another is asked for."""

    name: str
    scenario: str
    protocol: str
    titles: Mapping[str, str]


_NAMED: Mapping[str, BoardName] = {
    "codegen": BoardName("codegen", "codegen", "house", {"en": "Code generation", "zh": "代码生成"}),
    "repair": BoardName("repair", "self_repair", "lcb-repair", {"en": "Self-repair", "zh": "自我修复"}),
}


class _Boards(Mapping[str, BoardName]):
    """Every board by name: those named above, and one for each other ranked scenario that brings protocols."""

    def __getitem__(self, name: str) -> BoardName:
        return _NAMED[name] if name in _NAMED else _boards()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_boards())

    def __len__(self) -> int:
        return len(_boards())


def _boards() -> dict[str, BoardName]:
    taken = {board.scenario for board in _NAMED.values()}
    own = {
        name: BoardName(name, name, scenario.protocols[0].slug, scenario.titles)
        for name, scenario in scenarios().items()
        if name not in taken and scenario.ranked and scenario.protocols
    }
    return {**_NAMED, **own}


BOARDS: Mapping[str, BoardName] = _Boards()


def board_of(scenario: str) -> str | None:
    """The board that shows a scenario's protocols."""
    return next((board.name for board in BOARDS.values() if board.scenario == scenario), None)


# Every name a board's URL may carry, and whether it may be repeated.
NAMES: Mapping[str, bool] = {
    "protocol": False,
    "rules": False,
    "exposure": False,
    "from": False,
    "to": False,
    "cutoff_before": False,
    "platform": True,
    "difficulty": True,
    "language": True,
    "model": True,
    "ref": False,
}


def parse_query(params: Params, board: str = "codegen", *, strict: bool = True) -> BoardQuery:
    """The board that (name, value) pairs ask for; empty values mean not given.

    Raises NotFound for an unknown board, and InvalidInput whose pointer is `/name` for a name that is
    unknown, repeated or unreadable. Unless `strict`, unknown names are passed over: pages are linked to with names
    that others add.
    """
    if board not in BOARDS:
        raise NotFound(f"no board {board}")
    given = _collect(params, strict=strict)
    one, many = _reader(given)
    window = Window(_day("from", one("from")), _day("to", one("to")))
    return BoardQuery(
        board=board,
        protocol=one("protocol") or BOARDS[board].protocol,
        window=window,
        platforms=many("platform"),
        levels=tuple(_one_of("difficulty", Level, value) for value in many("difficulty")),
        languages=many("language"),
        models=many("model"),
        cutoff_before=_day("cutoff_before", one("cutoff_before")),
        exposure=_one_of("exposure", Exposure, one("exposure") or Exposure.UNRANK),
        rules=_one_of("rules", Rules, one("rules") or Rules.TIDEMARK),
    )


def parse_reference(params: Params, *, strict: bool = True) -> str | None:
    """The row others are compared with: a model, or `model:configuration`."""
    one, _many = _reader(_collect(params, strict=strict))
    return one("ref")


def to_params(query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """The shortest pairs that parse back to `query`, in one order, so that equal boards have equal URLs."""
    pairs: list[tuple[str, str | None]] = [
        ("protocol", query.protocol if query.protocol != BOARDS[query.board].protocol else None),
        ("from", query.window.start.isoformat() if query.window.start else None),
        ("to", query.window.end.isoformat() if query.window.end else None),
        *(("platform", value) for value in query.platforms),
        *(("difficulty", value) for value in query.levels),
        *(("language", value) for value in query.languages),
        *(("model", value) for value in query.models),
        ("cutoff_before", query.cutoff_before.isoformat() if query.cutoff_before else None),
        ("exposure", query.exposure if query.exposure is not Exposure.UNRANK else None),
        ("rules", query.rules if query.rules is not Rules.TIDEMARK else None),
        ("ref", reference),
    ]
    return [(name, str(value)) for name, value in pairs if value]


def _collect(params: Params, *, strict: bool) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    for name, value in params:
        if name not in NAMES:
            if not strict:
                continue
            shown = "".join(each for each in name if each.isprintable())[:40]
            raise InvalidInput(f"unknown field {shown!r}", pointer=f"/{shown}")
        _check_text(name, value)
        if value:
            given.setdefault(name, []).append(value)
    for name, values in given.items():
        if len(values) > (MAX_VALUES if NAMES[name] else 1):
            limit = f"at most {MAX_VALUES} times" if NAMES[name] else "once"
            raise InvalidInput(f"{name} may be given {limit}", pointer=f"/{name}")
    return given


def _check_text(name: str, value: str) -> None:
    if len(value) > MAX_LENGTH or not value.isprintable():
        raise InvalidInput(f"{name} holds characters it cannot, or is too long", pointer=f"/{name}")


def _reader(given: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], str | None], Callable[[str], tuple[str, ...]]]:
    def one(name: str) -> str | None:
        values = given.get(name)
        return values[0] if values else None

    def many(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(given.get(name, ())))

    return one, many


def _day(name: str, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return read_day(value)
    except ValueError:
        words = f"{name} must be a day such as 2026-01-31, from {FIRST_DAY} to {LAST_DAY}"
        raise InvalidInput(words, pointer=f"/{name}") from None


def _one_of(name: str, kind: type[E], value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        raise InvalidInput(f"{name} must be one of {', '.join(kind)}", pointer=f"/{name}") from None
