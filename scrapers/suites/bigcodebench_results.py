"""BigCodeBench's published leaderboard: one JSON object of models by name, with pass@1 on Complete and Instruct.

The file has percentages of all tasks together, with one decimal, and no result of a single task. So each subset is one
problem here, and a percentage is stored in parts of 2,000, in which it is whole; that is no number of answers. A pass@1
of null was not measured.

Of a model its release, `link` and `size` (all parameters, in billions) are kept. Its weights are open if it lies on a
model hub or its data are open (`open-data`), and closed if the file gives a link outside the hubs and a null size.
Other fields (`act_param`, `moe`, `prompted`, `prefill`) are not kept.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedCell, ImportedModel, ImportedProblem, ImportedRun
from app.domain.scenarios.completion import PUBLISHED
from app.domain.slugs import model_slugs
from app.domain.states import RunState
from scrapers.suite import SourceFile, Suite, check_not_empty, check_storable, read_json, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.bigcode import RELEASED, SOURCE
from scrapers.suites._common.hubs import is_on_hub

_PARTS_OF_PROBLEM: Final = 2000
# moe, act_param, prompted, prefill, lazy and direct_complete are ignored.
_KEYS: Final = frozenset(
    {"link", "size", "date", "pass@1", "open-data", "moe", "act_param", "prompted", "prefill", "lazy",
     "direct_complete"}
)  # fmt: skip
_STYLES: Final = ("complete", "instruct")
_TITLES: Final = {"full": "all 1,140 tasks together", "hard": "the 148 tasks of Hard together"}
_SIZE: Final = "a number of billions of parameters"
_SHARE: Final = "a percentage from 0 to 100 with at most one decimal"


class _Row(NamedTuple):
    """A model of the file, with its score in each style, or None."""

    scores: Mapping[str, float | None]
    released: datetime | None
    link: str | None
    size_b: float | None
    open_weights: bool | None


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    subset = options.get("board", "full")
    data = read_json(file)
    if not isinstance(data, dict) or not data:
        refuse_bad_rows([BadRow(file.name, 1, "not an object of models: this is not a BigCodeBench leaderboard file")])
    rows: dict[str, _Row] = {}
    bad: list[BadRow] = []
    unknown = fields.UnknownKeys(_KEYS)
    for name, value in data.items():
        try:
            unknown.note_keys(f"{file.name}: {fields.format_value(name)}", fields.as_object(value))
            rows[fields.label({"name": name}, "name")] = _row(value, now)
        except ValueError as unfit:
            bad.append(BadRow(file.name, _line(file, name), f"{fields.format_value(name)}: {unfit}"))
    check_not_empty(rows, bad, file, "the object holds no model")
    slugs = model_slugs(rows)
    cells = tuple(
        _cell(number, slugs[name], style, score, subset, row)
        for number, (name, row) in enumerate(rows.items(), start=1)
        for style, score in row.scores.items()
        if score is not None
    )
    unmeasured = [name for name, row in rows.items() if not any(score is not None for score in row.scores.values())]
    return ImportBatch(
        kind="bigcodebench-results",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=(SOURCE,),
        problems=(
            ImportedProblem(
                SOURCE.slug, f"all-{subset}", f"BigCodeBench: {_TITLES[subset]}", RELEASED, catalogued=True
            ),
        ),
        models=tuple(
            ImportedModel(
                slug=slugs[name],
                name=name,
                released_on=None if row.released is None else row.released.date(),
                link=row.link,
                open_weights=row.open_weights,
                size_b=row.size_b,
                n_inferred=True,
                slug_of_name=True,
            )
            for name, row in rows.items()
            if name not in unmeasured
        ),
        runs=tuple(_run(slugs[name], style, subset) for name, row in rows.items() for style in _measured_styles(row)),
        cells=cells,
        bad_rows=tuple(bad),
        notes=(*unknown.notes, *(f"{name}: no pass@1 was measured" for name in unmeasured)),
    )


def _row(value: Any, now: datetime) -> _Row:
    row = fields.as_object(value)
    check_storable(row.get("link"))
    scores = fields.child(row, "pass@1")
    unknown = sorted(set(scores) - set(_STYLES))
    if unknown:
        raise ValueError(f"pass@1 has {fields.format_value(unknown[0])}, which is neither complete nor instruct")
    size = None if row.get("size") is None else float(fields.number(row, "size", 0.001, 99_999, _SIZE))
    link = _link(row.get("link"))
    return _Row(
        {style: _score(scores, style) for style in _STYLES},
        fields.instant(row, "date", now) if row.get("date") is not None else None,
        link,
        size,
        _weights(row, link, size),
    )


def _weights(row: fields.Row, link: str | None, size: float | None) -> bool | None:
    """Return whether a model's weights are open; None if the file does not say."""
    if is_on_hub(link) or row.get("open-data") in ("Full", "Partial"):
        return True
    return False if "size" in row and size is None and link is not None else None


def _score(scores: fields.Row, style: str) -> float | None:
    if style not in scores:
        raise ValueError(f"pass@1 has no {style}")
    if scores[style] is None:
        return None
    value = fields.number(scores, style, 0, 100, _SHARE)
    if abs(value * 10 - round(value * 10)) > 1e-6:
        raise ValueError(f"{style} is {fields.format_value(value)}, not {_SHARE}")
    return float(value)


def _measured_styles(row: _Row) -> list[str]:
    return [style for style, score in row.scores.items() if score is not None]


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def _key(slug: str, style: str) -> str:
    return f"{slug} {style}"


def _run(slug: str, style: str, subset: str) -> ImportedRun:
    return ImportedRun(
        key=_key(slug, style),
        model=slug,
        protocol=PUBLISHED[subset, style],
        configuration={},
        trial=1,
        state=RunState.ACTIVE,
        origin="imported",
        demo=False,
        n_inferred=True,
    )


def _cell(number: int, slug: str, style: str, score: float, subset: str, row: _Row) -> ImportedCell:
    return ImportedCell(
        model=_key(slug, style),
        source=SOURCE.slug,
        problem=f"all-{subset}",
        n=_PARTS_OF_PROBLEM,
        c=round(score * _PARTS_OF_PROBLEM / 100),
        value=repr(score),
        source_date="" if row.released is None else row.released.date().isoformat(),
        source_clock="the model's release, as the file has it",
        row_number=number,
    )


def _line(file: SourceFile, name: str) -> int:
    """Return the line on which a model's entry begins, as far as that can be told."""
    match = re.search(rf'^\s*"{re.escape(name)}"\s*:', file.text, re.MULTILINE)
    return 1 if match is None else file.text.count("\n", 0, match.end()) + 1


SUITE = Suite("bigcodebench-results", "BigCodeBench leaderboard file", _read, {"board": ("full", "hard")})
