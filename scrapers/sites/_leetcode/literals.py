"""Values as LeetCode's examples write them, made JSON literals: `nums = [1,2], s = "a"`, `1->2->3`, `e`.

A literal that is JSON on one line stays as it is written. Texts are read once from left to right.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

MAX_LENGTH: Final = 100_000  # characters of one example's input or output

_SPACES: Final = re.compile(r"[\s\u3000]*+")
_TOKEN: Final = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?P<comment>//[^\n]*+)|(?P<mark>[\[\]{},:])"""
    r"""|(?P<word>[^\s\[\]{},:"'，；、]++)"""
)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][-+]?\d++)?")
_WORDS: Final = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null"}
_ARROWS: Final = re.compile(
    r"\(?[ \t]*+-?\d++(?:[ \t]*+(?:-++>|→)[ \t]*+(?:-?\d++|null\b|none\b))++[ \t]*+\)?", re.IGNORECASE
)
_NAME: Final = re.compile(r"([A-Za-z_]\w{0,60})\s*+[=:＝：]\s*+")
_BETWEEN: Final = re.compile(r"(?:[\s,，;；、+\u3000]|\band\b|和)*+")
_ASIDE: Final = re.compile(r"[ \t]*+(?:\([^()\n]{0,300}\)|（[^（）\n]{0,300}）|//[^\n]*+)")  # a remark after a value
_AFTER_OUTPUT: Final = re.compile(r"[ \t\u3000]*+(?:$|[\n.。;；(（]|//|or\b|或)", re.IGNORECASE)
_NEXT: Final = re.compile(r"[,，]\s*+[A-Za-z_]\w{0,60}\s*+=|\n|\Z")  # what ends a string without quotes
_KEPT: Final = re.compile(r"[=＝]\s*+(\[[^\]\n]{0,5000}\])")


class Param(NamedTuple):
    """One parameter: its name, and its type in LeetCode's or Python's spelling, "" when unknown."""

    name: str
    type: str


def value_of(literal: str) -> Any:
    """The value of a JSON literal. Raises ValueError for what is none."""
    try:
        return json.loads(literal, parse_constant=_refuse)
    except RecursionError as deep:
        raise ValueError("nested too deeply") from deep


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def scan(text: str, at: int) -> tuple[str, int] | None:
    """(the JSON literal that begins at `at`, where it ends); None when none does."""
    at = _end(_SPACES.match(text, at), at)
    arrows = _ARROWS.match(text, at)
    if arrows is not None:
        values = [number for number in re.findall(r"-?\d+|null|none", arrows[0], re.IGNORECASE) if number[-1].isdigit()]
        array = _sound(f"[{','.join(values)}]")
        return (array, arrows.end()) if array is not None else None
    token = _TOKEN.match(text, at)
    if token is None or token["comment"]:
        return None
    if token["word"]:
        word = token["word"].rstrip(".;)。；）")
        # What a word is followed by inside brackets ends it here too: "4(as told)" is the number and a remark.
        word = re.split(r"[(（]", word, maxsplit=1)[0]
        literal = _word(word)
        return (literal, at + len(word)) if literal is not None else None
    if token["string"]:
        literal = _string(token[0])
        return (literal, token.end()) if literal is not None else None
    return _nested(text, at) if token[0] in "[{" else None


def _nested(text: str, at: int) -> tuple[str, int] | None:
    """A list or an object, its remarks left out, with strings and words in any spelling."""
    depth = 0
    parts: list[str] = []
    position = at
    while True:
        token = _TOKEN.match(text, _end(_SPACES.match(text, position), position))
        if token is None:
            return None
        position = token.end()
        if token["comment"]:
            continue
        part = token[0] if token["mark"] else _string(token[0]) if token["string"] else _word(token[0])
        if part is None:
            return None
        parts.append(part)
        depth += (part in ("[", "{")) - (part in ("]", "}"))
        if depth == 0:
            break
    source = text[at:position]
    literal = _sound(source) if "\n" not in source else None
    if literal is None:
        literal = _compact("".join(parts))
    return (literal, position) if literal is not None else None


def _sound(literal: str) -> str | None:
    try:
        value_of(literal)
    except ValueError:
        return None
    return literal


def _compact(literal: str) -> str | None:
    try:
        return json.dumps(value_of(literal), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None


def _string(token: str) -> str | None:
    if token[0] == '"':
        return _sound(token)
    return _sound('"' + token[1:-1].replace("\\'", "'").replace('"', '\\"') + '"')


def _word(word: str) -> str | None:
    if _NUMBER.fullmatch(word):
        return _sound(word)
    return _WORDS.get(word.lower())


def _end(match: re.Match[str] | None, default: int) -> int:
    return match.end() if match is not None else default


def fits(literal: str, kind: str) -> bool:
    """Whether a literal can be a value of a type; anything fits a type we do not know."""
    kind = kind.strip()
    lower = kind.lower()
    if lower.startswith("optional["):
        return literal == "null" or fits(literal, kind[len("optional[") : -1])
    if lower.endswith("[]") or lower.startswith(("list", "vector")) or "node" in lower:
        return literal[0] == "[" or literal == "null"
    if lower in ("string", "str", "character", "char"):
        return literal[0] == '"'
    if lower in ("boolean", "bool"):
        return literal in ("true", "false")
    if lower in ("integer", "int", "long"):
        return re.fullmatch(r"-?\d+", literal) is not None
    return lower not in ("double", "float") or bool(_NUMBER.fullmatch(literal))


def _is_text(kind: str) -> bool:
    return kind.strip().lower() in ("string", "str", "character", "char")


def arguments(text: str, params: Sequence[Param] | None) -> tuple[str, ...] | None:
    """The arguments an example's input names, as literals in the order of `params`; None when they cannot be read.

    Without `params` (an unknown signature) they are taken in the order written.
    """
    if len(text) > MAX_LENGTH:
        return None
    types = {param.name.casefold(): param.type for param in params or ()}
    pairs: list[tuple[str, str]] = []
    at = _end(_BETWEEN.match(text, 0), 0)
    while at < len(text) and len(pairs) < 64:
        label = _NAME.match(text, at)
        name = label[1].casefold() if label else ""
        at = label.end() if label else at
        kind = types.get(name, "") if label else _type_at(params, len(pairs))
        item = scan(text, at)
        if (item is None or not fits(item[0], kind)) and _is_text(kind):
            item = _bare(text, at)
        if item is None:
            return None
        pairs.append((name, item[0]))
        at = _end(_ASIDE.match(text, item[1]), item[1])
        following = _end(_BETWEEN.match(text, at), at)
        if following == at < len(text) and _NAME.match(text, at) is None:
            return None  # something else follows the value: it is not the whole of it
        at = following
    return _ordered(pairs, params) if at >= len(text) else None


def _type_at(params: Sequence[Param] | None, index: int) -> str:
    return params[index].type if params is not None and index < len(params) else ""


def _bare(text: str, at: int) -> tuple[str, int] | None:
    """A string without quotes: up to the next name, or the end of its line."""
    end = _NEXT.search(text, at)
    source = text[at : end.start() if end else len(text)]
    return (json.dumps(source.strip(), ensure_ascii=False), at + len(source)) if source.strip() else None


def _ordered(pairs: list[tuple[str, str]], params: Sequence[Param] | None) -> tuple[str, ...] | None:
    if params is None:
        return tuple(literal for _, literal in pairs) or None
    names = [param.name.casefold() for param in params]
    by_name = dict(pairs)
    if len(set(names)) == len(names) and set(names) <= set(by_name):
        values = [by_name[name] for name in names]
    elif len(pairs) == len(params):
        values = [literal for _, literal in pairs]
    else:
        return None
    fitting = all(fits(value, param.type) for value, param in zip(values, params, strict=True))
    return tuple(values) if fitting else None


def output(text: str, kind: str, *, kept: bool = False) -> str | None:
    """The literal an example's output begins with; None when it cannot be read.

    `kept`: the answer is the part of a list that a returned length keeps, as in `2, nums = [1,2,_]`.
    """
    text = text.strip()
    if not text or len(text) > MAX_LENGTH:
        return None
    if kept:
        return _kept(text, kind)
    item = scan(text, 0)
    if item is not None and fits(item[0], kind) and _AFTER_OUTPUT.match(text, item[1]):
        return item[0]
    if _is_text(kind):
        return json.dumps(text.split("\n", 1)[0].strip(), ensure_ascii=False)
    return None


def _kept(text: str, kind: str) -> str | None:
    count = scan(text, 0)
    match = _KEPT.search(text)
    if match is None:
        return count[0] if count is not None and count[0][0] == "[" and fits(count[0], kind) else None
    item = scan(re.sub(r",?[ \t]{0,20}_[ \t]{0,20}(?=[,\]])", "", match[1]).replace("[,", "["), 0)
    if item is None or count is None or not fits(item[0], kind):
        return None
    whole = value_of(item[0])
    return item[0] if isinstance(whole, list) and str(len(whole)) == count[0] else None
