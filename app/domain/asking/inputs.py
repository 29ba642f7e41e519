"""The values in an answer that was asked for values alone: parsed as literals, never evaluated."""

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

_LONGEST: Final = 20_000
_WORDS: Final = {"true": True, "false": False, "null": None}
# Names that other languages give to arguments, at the beginning of a line, and what makes them names here.
_NAME: Final = re.compile(rf"^([ \t]*)({'|'.join(keyword.kwlist)})(?=[ \t]*=(?!=))", re.MULTILINE)
_MARK: Final = "judged_"
_LABEL: Final = re.compile(
    r"^\W*(?:the\s+)?(?:\w+\s+){0,2}(?:output|input|answer|result|输出|输入|答案)\w*\W*(?:is|为|是)?\s*[:：]\s*", re.I
)
_UNREAD: Final = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


def value_in(text: str) -> Extraction:
    """The one value that an answer gives, as JSON, strictly where nothing else stands there.

    Else the last fenced value is taken, the value after a word such as "Output:", or that of the last line.
    """
    return _first(text, _value)


def given_in(text: str) -> Extraction:
    """The arguments that an answer gives, as JSON: {"given": [those in order], "named": {those with names}}.

    Each stands on a line of its own, with its name or without, or all of them as in a call. Found as by `value_in`;
    only where each has its name is it as asked for.
    """
    found = _first(text, _arguments)
    nameless = found.code is not None and json.loads(found.code)["given"]
    return replace(found, followed_format=False) if nameless else found


def _first(text: str, read: Any) -> Extraction:
    answer = without_reasoning(text).strip()
    whole = _read(answer, read)
    if whole is not None:
        return Extraction(whole, followed_format=True)
    for part in _parts(answer):
        found = _read(part, read)
        if found is not None:
            return Extraction(found, followed_format=False)
    return Extraction(None, followed_format=False)


def _parts(answer: str) -> list[str]:
    """What may be the value where an answer holds more, the likeliest first."""
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


def _read(text: str, read: Any) -> str | None:
    if not text or len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
            return json.dumps(read(text), ensure_ascii=False, allow_nan=False)
    except _UNREAD:
        return None


def _value(text: str) -> Any:
    """A literal of JSON or Python, or of both at once. Raises what they raise."""
    try:
        return json.loads(text)
    except ValueError:
        return _literal(ast.parse(text, mode="eval").body)


def _literal(node: ast.expr) -> Any:
    return _plain(ast.literal_eval(_Words().visit(node)))


class _Words(ast.NodeTransformer):
    """JSON's words as Python's, wherever they are no text."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The constant that a word stands for; other names stay, and are no literals."""
        return ast.Constant(_WORDS[node.id]) if node.id in _WORDS else node


def _arguments(text: str) -> dict[str, Any]:
    text = _NAME.sub(rf"\1{_MARK}\2", text)
    for spelt in (text, ",\n".join(row.rstrip(" ,;") for row in text.splitlines() if row.strip())):
        try:
            call = ast.parse(f"f({spelt}\n)", mode="eval").body
        except SyntaxError:
            continue
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "f":
            if len(call.args) == 1 and isinstance(call.args[0], ast.Call) and not call.keywords:
                call = call.args[0]  # the call itself was written down
            named = {str(word.arg).removeprefix(_MARK): _literal(word.value) for word in call.keywords}
            return {"given": [_literal(part) for part in call.args], "named": named}
    raise ValueError("no arguments")


def _plain(value: Any) -> Any:
    """A value as JSON holds it. Raises ValueError for one that it does not hold."""
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(part) for key, part in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"a {type(value).__name__} is not a JSON value")
