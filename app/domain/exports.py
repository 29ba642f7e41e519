"""Columns and cells of the export, and the protocol under which its rows are imported elsewhere. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from app.domain.asking.protocols import Protocol
from app.domain.scenarios import shipped

Value = str | int | float | bool | list[str] | None


class Table(StrEnum):
    """A table that can be exported."""

    CELLS = "cells"
    PROBLEMS = "problems"
    SAMPLES = "samples"
    LEDGER = "ledger"


class Kind(StrEnum):
    """Type of a column's values; any cell may be empty."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    TEXTS = "texts"


_RUN: Final = {"model": Kind.TEXT, "configuration": Kind.TEXT, "protocol": Kind.TEXT, "trial": Kind.INTEGER}
_PROBLEM: Final = {"source": Kind.TEXT, "external_id": Kind.TEXT}

# Columns in the order of the file. Natural keys come first; `configuration` is canonical JSON, empty for the default.
COLUMNS: Final[Mapping[Table, Mapping[str, Kind]]] = {
    Table.CELLS: {
        **_RUN,
        **_PROBLEM,
        "item": Kind.INTEGER,
        "n": Kind.INTEGER,
        "c": Kind.INTEGER,
        "pending": Kind.INTEGER,
        "judge_errors": Kind.INTEGER,
        "released_on": Kind.TEXT,
        "level": Kind.TEXT,
        "title": Kind.TEXT,
        "source_name": Kind.TEXT,
        "source_kind": Kind.TEXT,
        "source_demo": Kind.FLAG,
        "protocol_fingerprint": Kind.TEXT,
        "run_state": Kind.TEXT,
        "origin": Kind.TEXT,
        "n_inferred": Kind.FLAG,
        "model_name": Kind.TEXT,
        "organisation": Kind.TEXT,
        "model_released_on": Kind.TEXT,
        "cutoff_on": Kind.TEXT,
        "cutoff_basis": Kind.TEXT,
        "cutoff_evidence": Kind.TEXT,
        "cutoff_in_file": Kind.TEXT,
        "link": Kind.TEXT,
        "open_weights": Kind.FLAG,
        "size_b": Kind.NUMBER,
        "demo": Kind.FLAG,
        "tests_origin": Kind.TEXT,
        "cluster": Kind.TEXT,
    },
    Table.PROBLEMS: {
        **_PROBLEM,
        "title": Kind.TEXT,
        "url": Kind.TEXT,
        "contest": Kind.TEXT,
        "released_on": Kind.TEXT,
        "state": Kind.TEXT,
        "level": Kind.TEXT,
        "tags": Kind.TEXTS,
        "flags": Kind.TEXTS,
        "locale": Kind.TEXT,
        "form": Kind.TEXT,
        "statement_sha256": Kind.TEXT,
        "time_ms": Kind.INTEGER,
        "memory_mb": Kind.INTEGER,
        "checker": Kind.TEXT,
        "tests": Kind.INTEGER,
        "tests_sha256": Kind.TEXT,
        "tests_origin": Kind.TEXT,
        "setters": Kind.TEXTS,
        "tests_brought_by": Kind.TEXT,
        "proof": Kind.TEXT,
        "demo": Kind.FLAG,
    },
    Table.SAMPLES: {
        **_RUN,
        **_PROBLEM,
        "item": Kind.INTEGER,
        "ordinal": Kind.INTEGER,
        "locale": Kind.TEXT,
        "statement_sha256": Kind.TEXT,
        "state": Kind.TEXT,
        "unanswered": Kind.FLAG,
        "verdict": Kind.TEXT,
        "passed": Kind.INTEGER,
        "total": Kind.INTEGER,
        "cpu_ms": Kind.NUMBER,
        "wall_ms": Kind.NUMBER,
        "memory_kb": Kind.INTEGER,
        "limit_mode": Kind.TEXT,
        "slowness": Kind.NUMBER,
        "in_process": Kind.FLAG,
        "tests_sha256": Kind.TEXT,
        "grader_revision": Kind.TEXT,
        "judged_at": Kind.TEXT,
        "followed_format": Kind.FLAG,
        "finish_reason": Kind.TEXT,
        "served_model": Kind.TEXT,
        "fingerprint": Kind.TEXT,
        "tokens_input": Kind.INTEGER,
        "tokens_cached": Kind.INTEGER,
        "tokens_reasoning": Kind.INTEGER,
        "tokens_answer": Kind.INTEGER,
        "cost_usd": Kind.TEXT,
        "latency_ms": Kind.NUMBER,
        "first_token_ms": Kind.NUMBER,
        "answered_at": Kind.TEXT,
        "prompt_sha256": Kind.TEXT,
        "answer": Kind.TEXT,
        "response": Kind.TEXT,
    },
    Table.LEDGER: {
        "id": Kind.INTEGER,
        "at": Kind.TEXT,
        "kind": Kind.TEXT,
        "subject": Kind.TEXT,
        "reason": Kind.TEXT,
        "before": Kind.TEXT,  # JSON, like the next one
        "after": Kind.TEXT,
    },
}  # fmt: skip

# Characters that end a line for some readers and that JSON does not escape.
_LINE_ENDS: Final = {ord(character): f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}


def as_json_line(row: Mapping[str, Value]) -> str:
    """Return a row as one line of JSON with numbers in full."""
    return json.dumps(row, ensure_ascii=False).translate(_LINE_ENDS)


# Spreadsheets run a cell that begins like this, also after invisible characters, which some of them drop; they remove
# a leading apostrophe.
_FORMULA: Final = re.compile(
    r"'*(?:[\t\r\n]|[\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[=+@＝＋－＠﹦﹢﹣﹫-])"
)
_NUMERAL: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
# Characters that separate cells or lines for some reader, quotes, and blanks at an end.
_QUOTED: Final = re.compile(r'[",;|\t\r\n]|^ | $')


def as_csv_cell(value: Value) -> str:
    """Return a value as a CSV cell: empty for None, true or false, lists as JSON, numbers in full.

    Text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return repr(value)
    return f"'{value}" if _FORMULA.match(value) and not _NUMERAL.fullmatch(value) else value


def csv_line(cells: Iterable[str]) -> str:
    """Return cells as one line of CSV with its line end; cells with semicolons or tabs are quoted, too."""
    quoted = ('"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell for cell in cells)
    return ",".join(quoted) + "\r\n"


def from_csv_cell(kind: Kind, text: str) -> Any:
    """Return the value of a CSV cell. Raises ValueError if the text is not of this kind."""
    if text == "":
        return None
    match kind:
        case Kind.INTEGER if re.fullmatch(r"-?[0-9]{1,18}", text):
            return int(text)
        case Kind.INTEGER:
            raise ValueError(f"{text[:40]!r} is not a whole number")
        case Kind.NUMBER:
            return float(text)
        case Kind.FLAG if text in ("true", "false"):
            return text == "true"
        case Kind.FLAG:
            raise ValueError(f"{text[:40]!r} is neither true nor false")
        case Kind.TEXTS:
            return json.loads(text)
        case _:
            return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


IMPORTED: Final = "-imported"


def importable(protocol: Protocol) -> Protocol:
    """Return the protocol under which these results stand after an import.

    Imported results keep their protocol. Results that an installation asked and graded itself get a protocol of their
    own: the importing installation knows their problems by name only and cannot judge the answers again.
    """
    if protocol.imported:
        return protocol
    return replace(
        protocol,
        slug=protocol.slug + IMPORTED,
        title=f"{protocol.title}, imported results",
        imported=True,
    )


# Old fingerprints, computed when they included a protocol's coverage, and the present ones of the same protocols.
_NEW_FINGERPRINTS: Final = {
    "cc81faac6fd68f5b945952a9a001f92c6a3e505cd61ebec876a34a8ae99cc0c3":
        "0fe81d69cf27c9211158070b3bb94e5c9bdf0f8fffe14808ff594dc3df1c6474",  # house
    "ae62d59f2891c8b1c73afd2bb64e0774619877af254852570f713d8742e748eb":
        "960729e213f41d65cbaf6a40ba4390a7fa3a6d4b52d4980376f3353685fe7eea",  # fresh
    "3c6b6ebae9b94b10817f0a33399b59e9c083c4d54573619d49824b63a8dba08c":
        "ec77f679f98c77ff55214c91beb2ad7e16460be0925bcb143c3c0e821f99214c",  # lcb
    "abc986e800dd4a7991e391e982fdac8d8114c4da1ec29de30fc86c374c6525d5":
        "9ee97237cba40b2cb37b40869b96d70dae1ed7325725934ff2877df653f7f951",  # lcb-repair
    "7e71067ae138119a51d1121b97b44fdd7e052fcf63a33efa079a8622e94aa641":
        "5763cfd6f6147458cad0ddb509ccfdc4a3ccc2ebf2b3792ba89754106ea66194",  # lcb-recorded
    "fc9e2c01c4b913c1e0937b61194429ddf10e3e935a92cd8825a69833df080c45":
        "02a15e3a7466c744071b14ff1025a3745accf48d13e0340c7f56eccacf512f65",  # house-imported
    "9e4099247aae59017a8ca27d42b5297efce206ab551a05e5ba47b0f752935cb6":
        "a52031ec22b3f1a72fd91afd4a9babe7c82e676dddc6db64b34f52c2a6fb0881",  # fresh-imported
    "d70069c73940e0c4105f8bddfd864d1b98af3391a2e760fceee96deb446ff26c":
        "1e1f6c7ed72fa60c161a7423d62222b900d10e1a1fd7b4ad4418254229d27ece",  # lcb-recorded-imported
}  # fmt: skip


@lru_cache(maxsize=256)
def known_protocol(slug: str, fingerprint: str) -> Protocol | None:
    """Return the protocol that an export names; None unless this version knows it with exactly these contents."""
    here = shipped()
    protocol = {**{imported.slug: imported for imported in map(importable, here.values())}, **here}.get(slug)
    current = _NEW_FINGERPRINTS.get(fingerprint, fingerprint)
    return protocol if protocol is not None and protocol.fingerprint == current else None
