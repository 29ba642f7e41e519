"""Grammar files: a JSON or TOML object as described in docs/testgen.md."""

import json
import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from app.domain.errors import InvalidInput
from app.domain.testgen.grammars.expressions import (
    CallExpr,
    Expr,
    Num,
    Ref,
    Relation,
    parse_expression,
    parse_relations,
)
from app.domain.testgen.grammars.facts import FACTS
from app.domain.testgen.grammars.grammar import Base, Cases, Grammar, QuantityTotal, Variable, VariableFact

_TYPE = re.compile(r"(\w+)((?:\[\])*)")
_NAME = re.compile(r"[A-Za-z]\w*")
_FACT = re.compile(r"(\w+)\((.*)\)", re.DOTALL)
_ARGUMENT = re.compile(r"\s*('[^']*'|\"[^\"]*\"|[^,'\"]+(?:\([^)]*\))?)\s*(?:,|$)")
_KEYS = {"variables", "constraints", "layout", "cases"}
_MAX_CONSTRAINTS, _MAX_DEPTH = 200, 3


def read_grammar(text: str) -> Grammar:
    """Return the grammar of a file's text, JSON or else TOML. Raises InvalidInput naming the error."""
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise InvalidInput(f"the grammar is neither JSON nor TOML: {wrong}") from wrong
    return parse_grammar(data)


def parse_grammar(data: Mapping[str, Any]) -> Grammar:
    """Return the grammar of an object. Raises InvalidInput naming the error."""
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        raise InvalidInput(f"unknown key {unknown[0]!r} in the grammar; the keys are {', '.join(sorted(_KEYS))}")
    try:
        variables = tuple(_parse_variable(name, kind) for name, kind in dict(data["variables"]).items())
        relations, facts = parse_constraints(data.get("constraints") or [], variables)
        layout, zipped = _parse_layout(data.get("layout") or [], variables)
        cases = _parse_cases(data["cases"]) if data.get("cases") else None
    except KeyError as missing:
        raise InvalidInput(f"the grammar lacks {missing}") from missing
    except (TypeError, ValueError, AttributeError) as wrong:
        raise InvalidInput(f"unreadable grammar: {wrong}") from wrong
    if cases and not layout:
        raise InvalidInput("cases need a layout: only text inputs have several cases")
    grammar = Grammar(variables, relations, facts, layout, cases, zipped)
    grammar.check()
    return grammar


def _parse_variable(name: str, kind: str) -> Variable:
    match = _TYPE.fullmatch(kind)
    if not _NAME.fullmatch(name) or match is None or match[1] not in get_args(Base):
        raise InvalidInput(f"{name} = {kind!r}: a variable is int, str or bool, or an array such as int[][]")
    depth = len(match[2]) // 2
    if depth > _MAX_DEPTH:
        raise InvalidInput(f"{name}: arrays may be nested at most {_MAX_DEPTH} deep")
    base: Base = "int" if match[1] == "int" else "str" if match[1] == "str" else "bool"
    return Variable(name, base, depth)


def parse_constraints(
    lines: Sequence[str], variables: Sequence[Variable]
) -> tuple[tuple[Relation, ...], tuple[VariableFact, ...]]:
    """Return relations and facts from their lines. Raises InvalidInput."""
    if len(lines) > _MAX_CONSTRAINTS:
        raise InvalidInput(f"more than {_MAX_CONSTRAINTS} constraints")
    relations: list[Relation] = []
    facts: list[VariableFact] = []
    for line in lines:
        match = _FACT.fullmatch(str(line).strip())
        if match and match[1] in FACTS:
            facts.append(_parse_fact(match[1], match[2], variables))
        else:
            relations += parse_relations(str(line))
    return tuple(relations), tuple(facts)


# The least and the greatest number of details of a fact.
_DETAILS = {
    "tree": (1, 2), "graph": (1, 2), "digraph": (1, 2), "connected": (1, 2), "acyclic": (1, 2), "permutation": (0, 1),
    "letters": (1, 1), "oneof": (1, 100), "count": (2, 2), "same_letters": (1, 1), "subsequence": (1, 1),
}  # fmt: skip


def _parse_fact(name: str, text: str, variables: Sequence[Variable]) -> VariableFact:
    at, parts = 0, []
    while at < len(text):
        match = _ARGUMENT.match(text, at)
        if match is None:
            raise InvalidInput(f"{name}({text}): unreadable")
        parts.append(match[1].strip())
        at = match.end()
    least, most = _DETAILS.get(name, (0, 0))
    if not parts or not least <= len(parts) - 1 <= most:
        raise InvalidInput(f"{name}({text}): expected a variable and {least} to {most} arguments")
    whole = {variable.name for variable in variables if variable.lengths}
    details = [_parse_detail(part, whole) for part in parts[1:]]
    if name in ("tree", "graph", "digraph", "connected", "acyclic"):
        details[0] = Num(details[0]) if isinstance(details[0], int) else details[0]
        if not isinstance(details[0], Num | Ref | CallExpr) or not all(
            isinstance(detail, int) for detail in details[1:]
        ):
            raise InvalidInput(f"{name}({text}): expected edges, the number of vertices and the first vertex")
    if name in ("letters", "count", "same_letters", "subsequence") and not isinstance(details[0], str):
        raise InvalidInput(
            f"{name}({text}): expected a text and {'characters' if name == 'letters' else 'another text'}"
        )
    if name == "letters":
        details = [alphabet(str(details[0]))]
    return VariableFact(name, parts[0], tuple(details))


def _parse_detail(text: str, whole: set[str]) -> int | str | Expr:
    if text[0] in "'\"":
        return text[1:-1]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return text if text in whole else parse_expression(text)


def alphabet(text: str) -> str:
    """Return the characters of `a-z0-9` or `abc`, each once. Raises InvalidInput if there are none."""
    spread = re.sub(r"(\w)-(\w)", lambda match: "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1))), text)
    characters = "".join(dict.fromkeys(spread))
    if not characters or not set(characters) <= set(string.printable):
        raise InvalidInput(f"{text!r} is not an alphabet of printable ASCII characters")
    return characters


def _parse_layout(
    lines: Sequence[str], variables: Sequence[Variable]
) -> tuple[tuple[tuple[str, ...], ...], frozenset[int]]:
    names = {variable.name: variable for variable in variables}
    rows: list[tuple[str, ...]] = []
    zipped: set[int] = set()
    for number, line in enumerate(lines):
        parts = tuple(part for part in re.split(r"[,\s]+", line) if part)
        for part in parts:
            if part not in names:
                raise InvalidInput(f"the layout names {part!r}, which is not a variable")
        if "," in line:
            zipped.add(number)
        rows.append(parts)
    names_used = [part for parts in rows for part in parts]
    if rows and sorted(names_used) != sorted(names):
        raise InvalidInput("the layout must name each variable exactly once")
    for number, parts in enumerate(rows):
        _check_line(parts, names, together=number in zipped)
    return tuple(rows), frozenset(zipped)


def _check_line(parts: tuple[str, ...], names: Mapping[str, Variable], *, together: bool) -> None:
    for part in parts:
        variable = names[part]
        if together and not 1 <= variable.depth <= 2:
            raise InvalidInput(f"{part}: only arrays can be printed side by side")
        if not together and len(parts) > 1 and variable.depth > 1:
            raise InvalidInput(f"{part}: an array of arrays needs lines of its own")
        if variable.depth > 2 or (variable.depth == 2 and variable.base == "str"):
            raise InvalidInput(f"{part} is nested too deep for a layout")


def _parse_cases(data: Mapping[str, Any]) -> Cases:
    least, most = int(data.get("least", 1)), int(data["most"])
    if not 1 <= least <= most <= 100_000:
        raise InvalidInput("cases needs 1 <= least <= most <= 100000")
    totals = []
    for line in data.get("totals") or []:
        for relation in parse_relations(str(line)):
            if not isinstance(relation.left, Ref) or not isinstance(relation.right, Num) or relation.op != "<=":
                raise InvalidInput(f"{line!r}: a total has the form SIZE <= NUMBER")
            totals.append(QuantityTotal(relation.left, relation.right.value))
    return Cases(least, most, tuple(totals))
