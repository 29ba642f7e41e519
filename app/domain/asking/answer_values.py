"""Extraction of values from an answer that was asked for values only: parsed as literals, never evaluated."""

import ast
import json
import keyword
import re
import warnings
from dataclasses import replace
from typing import Any, Final

from app.domain.asking.extraction import Extraction
from app.domain.asking.markdown.fences import fence_lines
from app.domain.asking.reasoning import without_reasoning

_MAX_CHARS: Final = 20_000
_JSON_WORDS: Final = {"true": True, "false": False, "null": None}
# Argument names that are Python keywords, at the start of a line, and the prefix that makes them valid names.
_KEYWORD_ARGUMENT: Final = re.compile(rf"^([ \t]*)({'|'.join(keyword.kwlist)})(?=[ \t]*=(?!=))", re.MULTILINE)
_NAME_PREFIX: Final = "judged_"
_LABEL: Final = re.compile(
    r"^\W*(?:the\s+)?(?:\w+\s+){0,2}(?:output|input|answer|result|输出|输入|答案)\w*\W*(?:is|为|是)?\s*[:：]\s*", re.I
)
_PARSE_ERRORS: Final = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


def extract_value(text: str) -> Extraction:
    """Return the one value that an answer gives, as JSON; the format is followed if the answer holds nothing else.

    Otherwise the last fenced value counts, else the value after a word such as "Output:", else that of the last line.
    """
    return _first_readable(text, _parse_value)


def extract_arguments(text: str) -> Extraction:
    """Return the arguments that an answer gives, as JSON: {"given": [positional], "named": {by name}}.

    Each stands on its own line, with or without its name, or all stand in a call. They are found as in `extract_value`.
    The format is followed only if every argument has its name.
    """
    extraction = _first_readable(text, _parse_arguments)
    nameless = extraction.code is not None and json.loads(extraction.code)["given"]
    return replace(extraction, followed_format=False) if nameless else extraction


def _first_readable(text: str, read: Any) -> Extraction:
    answer = without_reasoning(text).strip()
    whole = _read_as_json(answer, read)
    if whole is not None:
        return Extraction(whole, followed_format=True)
    for part in _candidate_parts(answer):
        value = _read_as_json(part, read)
        if value is not None:
            return Extraction(value, followed_format=False)
    return Extraction(None, followed_format=False)


def _candidate_parts(answer: str) -> list[str]:
    """Return the parts of an answer that may be the value, the likeliest first."""
    lines, parts = list(fence_lines(answer)), list[str]()
    if len(lines) > 1:
        parts.append(answer[lines[-2].end : lines[-1].start].strip())
    rows = [row.strip() for row in answer.splitlines() if row.strip()]
    labelled = next((number for number, row in enumerate(rows) if _LABEL.match(row)), None)
    if labelled is not None:
        parts.append("\n".join([_LABEL.sub("", rows[labelled]), *rows[labelled + 1 :]]).strip())
    if rows:
        parts.append(_LABEL.sub("", rows[-1]).strip())
    return [part.strip("`* ") for part in parts if part.strip("`* ")]


def _read_as_json(text: str, read: Any) -> str | None:
    if not text or len(text) > _MAX_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a model's string are not our warnings
            return json.dumps(read(text), ensure_ascii=False, allow_nan=False)
    except _PARSE_ERRORS:
        return None


def _parse_value(text: str) -> Any:
    """Return a literal of JSON, Python or a mixture of both. Raises what `ast` raises."""
    try:
        return json.loads(text)
    except ValueError:
        return _parse_literal(ast.parse(text, mode="eval").body)


def _parse_literal(node: ast.expr) -> Any:
    return _json_value(ast.literal_eval(_JsonConstants().visit(node)))


class _JsonConstants(ast.NodeTransformer):
    """Replacement of JSON's constants by Python's, outside of texts."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the constant that a name stands for. Other names stay, and are not literals."""
        return ast.Constant(_JSON_WORDS[node.id]) if node.id in _JSON_WORDS else node


def _parse_arguments(text: str) -> dict[str, Any]:
    text = _KEYWORD_ARGUMENT.sub(rf"\1{_NAME_PREFIX}\2", text)
    for spelt in (text, ",\n".join(row.rstrip(" ,;") for row in text.splitlines() if row.strip())):
        try:
            call = ast.parse(f"f({spelt}\n)", mode="eval").body
        except SyntaxError:
            continue
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "f":
            if len(call.args) == 1 and isinstance(call.args[0], ast.Call) and not call.keywords:
                call = call.args[0]  # the answer wrote the whole call
            named = {str(word.arg).removeprefix(_NAME_PREFIX): _parse_literal(word.value) for word in call.keywords}
            return {"given": [_parse_literal(part) for part in call.args], "named": named}
    raise ValueError("no arguments")


def _json_value(value: Any) -> Any:
    """Return a value as JSON holds it. Raises ValueError for any other type."""
    if isinstance(value, list | tuple):
        return [_json_value(part) for part in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _json_value(part) for key, part in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"a {type(value).__name__} is not a JSON value")
