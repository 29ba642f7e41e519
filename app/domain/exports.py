"""Columns and cells of the export, and the protocol under which its rows are imported elsewhere. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from app.domain.asking.protocols import Protocol
from app.domain.scenarios import shipped_protocols

Value = str | int | float | bool | list[str] | None


class ExportTable(StrEnum):
    """A table that can be exported."""

    CELLS = "cells"
    PROBLEMS = "problems"
    SAMPLES = "samples"
    LEDGER = "ledger"


class ColumnKind(StrEnum):
    """Type of a column's values; any cell may be empty."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    TEXTS = "texts"


_RUN: Final = {
    "model": ColumnKind.TEXT,
    "configuration": ColumnKind.TEXT,
    "protocol": ColumnKind.TEXT,
    "trial": ColumnKind.INTEGER,
}
_PROBLEM: Final = {"source": ColumnKind.TEXT, "external_id": ColumnKind.TEXT}

# Columns in the order of the file. Natural keys come first; `configuration` is canonical JSON, empty for the default.
COLUMNS: Final[Mapping[ExportTable, Mapping[str, ColumnKind]]] = {
    ExportTable.CELLS: {
        **_RUN,
        **_PROBLEM,
        "item": ColumnKind.INTEGER,
        "n": ColumnKind.INTEGER,
        "c": ColumnKind.INTEGER,
        "pending": ColumnKind.INTEGER,
        "judge_errors": ColumnKind.INTEGER,
        "released_on": ColumnKind.TEXT,
        "level": ColumnKind.TEXT,
        "title": ColumnKind.TEXT,
        "source_name": ColumnKind.TEXT,
        "source_kind": ColumnKind.TEXT,
        "source_demo": ColumnKind.FLAG,
        "protocol_fingerprint": ColumnKind.TEXT,
        "run_state": ColumnKind.TEXT,
        "origin": ColumnKind.TEXT,
        "n_inferred": ColumnKind.FLAG,
        "model_name": ColumnKind.TEXT,
        "organisation": ColumnKind.TEXT,
        "model_released_on": ColumnKind.TEXT,
        "cutoff_on": ColumnKind.TEXT,
        "cutoff_basis": ColumnKind.TEXT,
        "cutoff_evidence": ColumnKind.TEXT,
        "cutoff_in_file": ColumnKind.TEXT,
        "link": ColumnKind.TEXT,
        "open_weights": ColumnKind.FLAG,
        "size_b": ColumnKind.NUMBER,
        "demo": ColumnKind.FLAG,
        "tests_origin": ColumnKind.TEXT,
        "cluster": ColumnKind.TEXT,
    },
    ExportTable.PROBLEMS: {
        **_PROBLEM,
        "title": ColumnKind.TEXT,
        "url": ColumnKind.TEXT,
        "contest": ColumnKind.TEXT,
        "released_on": ColumnKind.TEXT,
        "state": ColumnKind.TEXT,
        "level": ColumnKind.TEXT,
        "tags": ColumnKind.TEXTS,
        "flags": ColumnKind.TEXTS,
        "locale": ColumnKind.TEXT,
        "form": ColumnKind.TEXT,
        "statement_sha256": ColumnKind.TEXT,
        "time_ms": ColumnKind.INTEGER,
        "memory_mb": ColumnKind.INTEGER,
        "checker": ColumnKind.TEXT,
        "tests": ColumnKind.INTEGER,
        "tests_sha256": ColumnKind.TEXT,
        "tests_origin": ColumnKind.TEXT,
        "setters": ColumnKind.TEXTS,
        "tests_brought_by": ColumnKind.TEXT,
        "proof": ColumnKind.TEXT,
        "demo": ColumnKind.FLAG,
    },
    ExportTable.SAMPLES: {
        **_RUN,
        **_PROBLEM,
        "item": ColumnKind.INTEGER,
        "ordinal": ColumnKind.INTEGER,
        "locale": ColumnKind.TEXT,
        "statement_sha256": ColumnKind.TEXT,
        "state": ColumnKind.TEXT,
        "unanswered": ColumnKind.FLAG,
        "verdict": ColumnKind.TEXT,
        "passed": ColumnKind.INTEGER,
        "total": ColumnKind.INTEGER,
        "cpu_ms": ColumnKind.NUMBER,
        "wall_ms": ColumnKind.NUMBER,
        "memory_kb": ColumnKind.INTEGER,
        "limit_mode": ColumnKind.TEXT,
        "slowness": ColumnKind.NUMBER,
        "in_process": ColumnKind.FLAG,
        "tests_sha256": ColumnKind.TEXT,
        "grader_revision": ColumnKind.TEXT,
        "judged_at": ColumnKind.TEXT,
        "followed_format": ColumnKind.FLAG,
        "finish_reason": ColumnKind.TEXT,
        "served_model": ColumnKind.TEXT,
        "fingerprint": ColumnKind.TEXT,
        "tokens_input": ColumnKind.INTEGER,
        "tokens_cached": ColumnKind.INTEGER,
        "tokens_reasoning": ColumnKind.INTEGER,
        "tokens_answer": ColumnKind.INTEGER,
        "cost_usd": ColumnKind.TEXT,
        "latency_ms": ColumnKind.NUMBER,
        "first_token_ms": ColumnKind.NUMBER,
        "answered_at": ColumnKind.TEXT,
        "prompt_sha256": ColumnKind.TEXT,
        "answer": ColumnKind.TEXT,
        "response": ColumnKind.TEXT,
    },
    ExportTable.LEDGER: {
        "id": ColumnKind.INTEGER,
        "at": ColumnKind.TEXT,
        "kind": ColumnKind.TEXT,
        "subject": ColumnKind.TEXT,
        "reason": ColumnKind.TEXT,
        "before": ColumnKind.TEXT,  # JSON, like the next one
        "after": ColumnKind.TEXT,
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


def from_csv_cell(kind: ColumnKind, text: str) -> Any:
    """Return the value of a CSV cell. Raises ValueError if the text is not of this kind."""
    if text == "":
        return None
    match kind:
        case ColumnKind.INTEGER if re.fullmatch(r"-?[0-9]{1,18}", text):
            return int(text)
        case ColumnKind.INTEGER:
            raise ValueError(f"{text[:40]!r} is not a whole number")
        case ColumnKind.NUMBER:
            return float(text)
        case ColumnKind.FLAG if text in ("true", "false"):
            return text == "true"
        case ColumnKind.FLAG:
            raise ValueError(f"{text[:40]!r} is neither true nor false")
        case ColumnKind.TEXTS:
            return json.loads(text)
        case _:
            return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


IMPORTED_SUFFIX: Final = "-imported"


def as_imported(protocol: Protocol) -> Protocol:
    """Return the protocol under which these results stand after an import.

    Imported results keep their protocol. Results that an installation asked and graded itself get a protocol of their
    own: the importing installation knows their problems by name only and cannot judge the answers again.
    """
    if protocol.imported:
        return protocol
    return replace(
        protocol,
        slug=protocol.slug + IMPORTED_SUFFIX,
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
    here = shipped_protocols()
    protocol = {**{imported.slug: imported for imported in map(as_imported, here.values())}, **here}.get(slug)
    current = _NEW_FINGERPRINTS.get(fingerprint, fingerprint)
    return protocol if protocol is not None and protocol.fingerprint == current else None
