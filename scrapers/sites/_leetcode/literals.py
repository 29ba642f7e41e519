"""Values of LeetCode's examples, turned into JSON literals: `nums = [1,2], s = "a"`, `1->2->3`, `e`.

A literal that is JSON on one line stays as it is written. Texts are read once from left to right.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from app.domain.problems import Param

MAX_LITERAL_CHARS: Final = 100_000  # of one example's input or output

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
_SEPARATORS: Final = re.compile(r"(?:[\s,，;；、+\u3000]|\band\b|和)*+")
_COMMENT_AFTER: Final = re.compile(r"[ \t]*+(?:\([^()\n]{0,300}\)|（[^（）\n]{0,300}）|//[^\n]*+)")  # of a value
_AFTER_OUTPUT: Final = re.compile(r"[ \t\u3000]*+(?:$|[\n.。;；(（]|//|or\b|或)", re.IGNORECASE)
_STRING_END: Final = re.compile(r"[,，]\s*+[A-Za-z_]\w{0,60}\s*+=|\n|\Z")  # of a string without quotes
_KEPT_LIST: Final = re.compile(r"[=＝]\s*+(\[[^\]\n]{0,5000}\])")


def value_of(literal: str) -> Any:
    """Return the value of a JSON literal. Raises ValueError for anything else."""
    try:
        return json.loads(literal, parse_constant=_refuse_constant)
    except RecursionError as deep:
        raise ValueError("nested too deeply") from deep


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def scan_literal(text: str, at: int) -> tuple[str, int] | None:
    """Return (the JSON literal that begins at `at`, its end); None without one."""
    at = _end(_SPACES.match(text, at), at)
    arrows = _ARROWS.match(text, at)
    if arrows is not None:
        values = [number for number in re.findall(r"-?\d+|null|none", arrows[0], re.IGNORECASE) if number[-1].isdigit()]
        array = _if_json(f"[{','.join(values)}]")
        return (array, arrows.end()) if array is not None else None
    token = _TOKEN.match(text, at)
    if token is None or token["comment"]:
        return None
    if token["word"]:
        word = token["word"].rstrip(".;)。；）")
        # A bracket ends a word: "4(as told)" is a number and a remark.
        word = re.split(r"[(（]", word, maxsplit=1)[0]
        literal = _word(word)
        return (literal, at + len(word)) if literal is not None else None
    if token["string"]:
        literal = _string(token[0])
        return (literal, token.end()) if literal is not None else None
    return _read_nested(text, at) if token[0] in "[{" else None


def _read_nested(text: str, at: int) -> tuple[str, int] | None:
    """Read a list or an object without its comments, with strings and words in any spelling."""
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
    literal = _if_json(source) if "\n" not in source else None
    if literal is None:
        literal = _compact_json("".join(parts))
    return (literal, position) if literal is not None else None


def _if_json(literal: str) -> str | None:
    try:
        value_of(literal)
    except ValueError:
        return None
    return literal


def _compact_json(literal: str) -> str | None:
    try:
        return json.dumps(value_of(literal), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None


def _string(token: str) -> str | None:
    if token[0] == '"':
        return _if_json(token)
    return _if_json('"' + token[1:-1].replace("\\'", "'").replace('"', '\\"') + '"')


def _word(word: str) -> str | None:
    if _NUMBER.fullmatch(word):
        return _if_json(word)
    return _WORDS.get(word.lower())


def _end(match: re.Match[str] | None, default: int) -> int:
    return match.end() if match is not None else default


def fits(literal: str, kind: str) -> bool:
    """Return whether a literal can be a value of a type; anything fits an unknown type."""
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


def read_arguments(text: str, params: Sequence[Param] | None) -> tuple[str, ...] | None:
    """Return the arguments of an example's input, as literals in the order of `params`; None if they cannot be read.

    Without `params` (an unknown signature) they are taken in the order written.
    """
    if len(text) > MAX_LITERAL_CHARS:
        return None
    types = {param.name.casefold(): param.type for param in params or ()}
    pairs: list[tuple[str, str]] = []
    at = _end(_SEPARATORS.match(text, 0), 0)
    while at < len(text) and len(pairs) < 64:
        label = _NAME.match(text, at)
        name = label[1].casefold() if label else ""
        at = label.end() if label else at
        kind = types.get(name, "") if label else _type_at(params, len(pairs))
        item = scan_literal(text, at)
        if (item is None or not fits(item[0], kind)) and _is_text(kind):
            item = _read_unquoted(text, at)
        if item is None:
            return None
        pairs.append((name, item[0]))
        at = _end(_COMMENT_AFTER.match(text, item[1]), item[1])
        following = _end(_SEPARATORS.match(text, at), at)
        if following == at < len(text) and _NAME.match(text, at) is None:
            return None  # something else follows the value, so this is only a part of it
        at = following
    return _order_by_params(pairs, params) if at >= len(text) else None


def _type_at(params: Sequence[Param] | None, index: int) -> str:
    return params[index].type if params is not None and index < len(params) else ""


def _read_unquoted(text: str, at: int) -> tuple[str, int] | None:
    """Read a string without quotes: up to the next name, or the end of its line."""
    end = _STRING_END.search(text, at)
    source = text[at : end.start() if end else len(text)]
    return (json.dumps(source.strip(), ensure_ascii=False), at + len(source)) if source.strip() else None


def _order_by_params(pairs: list[tuple[str, str]], params: Sequence[Param] | None) -> tuple[str, ...] | None:
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


def read_output(text: str, kind: str, *, kept: bool = False) -> str | None:
    """Return the literal that an example's output begins with; None if it cannot be read.

    `kept`: the answer is the part of a list that a returned length keeps, as in `2, nums = [1,2,_]`.
    """
    text = text.strip()
    if not text or len(text) > MAX_LITERAL_CHARS:
        return None
    if kept:
        return _kept_part(text, kind)
    item = scan_literal(text, 0)
    if item is not None and fits(item[0], kind) and _AFTER_OUTPUT.match(text, item[1]):
        return item[0]
    if _is_text(kind):
        return json.dumps(text.split("\n", 1)[0].strip(), ensure_ascii=False)
    return None


def _kept_part(text: str, kind: str) -> str | None:
    count = scan_literal(text, 0)
    match = _KEPT_LIST.search(text)
    if match is None:
        return count[0] if count is not None and count[0][0] == "[" and fits(count[0], kind) else None
    item = scan_literal(re.sub(r",?[ \t]{0,20}_[ \t]{0,20}(?=[,\]])", "", match[1]).replace("[,", "["), 0)
    if item is None or count is None or not fits(item[0], kind):
        return None
    whole = value_of(item[0])
    return item[0] if isinstance(whole, list) and str(len(whole)) == count[0] else None
