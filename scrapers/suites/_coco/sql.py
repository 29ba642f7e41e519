"""SQL items: a query and the rows of its table. The query is run by a Python program, on a throw-away SQLite database.

The items are written for MySQL. These rules make them queries of SQLite:

* `LEFT(`, `RIGHT(` and `IF(` are words of SQLite's own and become functions of other names;
* functions that SQLite lacks are defined here: CONCAT, LEFT, RIGHT, IF, CEIL, FLOOR, MOD, POWER, SQRT, YEAR, MONTH,
  DAY and DATEDIFF, each null if an argument is null, except IF;
* `/` divides as in MySQL, never whole;
* the rows are lists of values in the query's order of columns; without ORDER BY they may come in any order;
* a statement that changes the table gives the whole table.

Queries that depend on the day or on chance, and several statements in one item, cannot be judged.
"""

import re
from typing import Any, Final

from app.domain.imports import ImportedProgram, TestsSource
from app.domain.judging.non_program_answers import CLOSE_NUMBERS, as_rows, is_ordered
from app.domain.problems import Checker, CheckerKind, Entry, Param, Test
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._coco.values import literal
from scrapers.suites._common import fields

_TABLE: Final = re.compile(r"\b(?:FROM|JOIN|UPDATE|INTO)\s+[`\"]?([A-Za-z_]\w*)", re.IGNORECASE)
_UNREPEATABLE: Final = re.compile(
    r"\b(NOW|CURDATE|CURTIME|SYSDATE|UTC_DATE|UTC_TIMESTAMP|RAND|RANDOM|UUID|CURRENT_DATE|CURRENT_TIME"
    r"|CURRENT_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP)\b",
    re.IGNORECASE,
)
_WITH_NAME: Final = re.compile(r"\b([A-Za-z_]\w*)\s+AS\s*\(", re.IGNORECASE)  # names defined by WITH
_DIVISION: Final = re.compile(r"(?<!\*)/(?!\*)")  # not part of a comment mark
_OWN_WORDS: Final = re.compile(r"\b(LEFT|RIGHT|IF)(?=\s*\()", re.IGNORECASE)
_TEXT: Final = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"")
_PROGRAM: Final = """\
import datetime
import math
import sqlite3


def _strict(function):
    return lambda *given: None if None in given else function(*given)


def _day(text):
    return datetime.date.fromisoformat(str(text)[:10])


_FUNCTIONS = {
    "CONCAT": _strict(lambda *parts: "".join(map(str, parts))),
    "_LEFT": _strict(lambda text, n: str(text)[:max(n, 0)]),
    "_RIGHT": _strict(lambda text, n: str(text)[-n:] if n > 0 else ""),
    "_IF": lambda test, one, other: one if test else other,
    "CEIL": _strict(math.ceil), "CEILING": _strict(math.ceil), "FLOOR": _strict(math.floor),
    "MOD": _strict(lambda one, other: math.fmod(one, other) if isinstance(one, float) else int(math.fmod(one, other))),
    "POWER": _strict(lambda one, other: float(one) ** other), "POW": _strict(lambda one, other: float(one) ** other),
    "SQRT": _strict(math.sqrt),
    "YEAR": _strict(lambda text: _day(text).year), "MONTH": _strict(lambda text: _day(text).month),
    "DAY": _strict(lambda text: _day(text).day),
    "DATEDIFF": _strict(lambda one, other: (_day(one) - _day(other)).days),
}


def _quoted(name):
    return '"' + str(name).replace('"', '""') + '"'


def _filled(base, name, rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    base.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(map(_quoted, columns))})")
    for row in rows:
        marks = ", ".join("?" * len(columns))
        base.execute(f"INSERT INTO {_quoted(name)} VALUES ({marks})", [row.get(column) for column in columns])


def query({names}):
    base = sqlite3.connect(":memory:")
    for name, function in _FUNCTIONS.items():
        base.create_function(name, -1, function, deterministic=True)
    for name, rows in {tables}:
        _filled(base, name, rows)
    found = base.execute({query!r})
    if found.description is None:
        found = base.execute("SELECT * FROM " + _quoted({changed!r}))
    return [list(row) for row in found]
"""


def database(row: fields.Row, code: str) -> CocoItem:
    """Read an SQL item."""
    query = code.strip().rstrip(";").strip()
    bare = _TEXT.sub("''", query)
    with_names = {name.lower() for name in _WITH_NAME.findall(bare)}
    names = [name for name in dict.fromkeys(_TABLE.findall(bare)) if name.lower() not in with_names]
    if ";" in bare:
        return CocoItem(code, unfit="it is more than one statement")
    if (unrepeatable := _UNREPEATABLE.search(bare)) is not None:
        return CocoItem(code, unfit=f"its result depends on when it is run: {unrepeatable[1].upper()}")
    try:
        tables = _tables(row.get("input"), names)
    except ValueError as unfit:
        return CocoItem(code, unfit=str(unfit))
    return CocoItem(
        code,
        entry=Entry("query", params=tuple(Param(name) for name in tables), returns="double[][]"),
        tests=(Test(list(tables.values()), _claim(row.get("expected_output"))),),
        tests_from=TestsSource.RUN,
        programs=(ImportedProgram("query", "python", _program(query, list(tables))),),
        checker=CLOSE_NUMBERS if is_ordered(query) else Checker(CheckerKind.UNORDERED),
    )


def _program(query: str, tables: list[str]) -> str:
    parts = (
        ("{names}", ", ".join(tables)),
        ("{tables}", "[" + ", ".join(f"({name!r}, {name})" for name in tables) + "]"),
        ("{query!r}", repr(_rewrite(query))),
        ("{changed!r}", repr(tables[0])),
    )
    text = _PROGRAM
    for place, words in parts:
        text = text.replace(place, words)
    return text


def _rewrite(query: str) -> str:
    """Return the query as SQLite reads it; strings in it stay as they are."""
    pieces, end = [], 0
    for quoted in _TEXT.finditer(query):
        pieces += [_in_sqlite(query[end : quoted.start()]), quoted[0]]
        end = quoted.end()
    return "".join([*pieces, _in_sqlite(query[end:])])


def _in_sqlite(part: str) -> str:
    return _DIVISION.sub("* 1.0 /", _OWN_WORDS.sub(r"_\1", part))


def _tables(value: Any, names: list[str]) -> dict[str, list[Any]]:
    """Return the rows of each table. Raises ValueError if the input does not state them."""
    value = literal(value)
    if isinstance(value, list):
        if len(names) != 1:
            raise ValueError(f"its input holds one table, and its query reads {', '.join(names) or 'none'}")
        value = {names[0]: value}
    if not isinstance(value, dict) or not {name.lower() for name in names} <= {name.lower() for name in value}:
        raise ValueError("its input does not hold the tables of its query")
    for name, rows in value.items():
        if (
            not name.isidentifier()
            or not isinstance(rows, list)
            or not all(isinstance(row, dict) and row for row in rows)
        ):
            raise ValueError(f"its input {name} is not made of rows")
        if any(isinstance(cell, list | dict) for row in rows for cell in row.values()):
            raise ValueError(f"its input {name} has rows within rows")
    if not all(value.values()):
        raise ValueError("a table of its input is empty, so its columns are not known")
    return value


def _claim(value: Any) -> Any:
    """Return the file's expected value, with rows as lists of values."""
    try:
        return as_rows(literal(value))
    except ValueError:
        return value
