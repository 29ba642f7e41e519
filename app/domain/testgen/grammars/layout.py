"""Layout of inputs as text: writing of values, and strict reading."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.errors import InvalidInput
from app.domain.testgen.grammars.domains import Domains, Unsatisfiable, narrow
from app.domain.testgen.grammars.expressions import Key
from app.domain.testgen.grammars.grammar import Cases, Grammar, Values
from app.domain.testgen.grammars.validator import evaluate, sizes_of, violation


def render(grammar: Grammar, cases: Sequence[Values]) -> str:
    """Return the text of a file: the number of cases if the grammar has several, then each case."""
    lines = [str(len(cases))] if grammar.cases else []
    for values in cases:
        for number, names in enumerate(grammar.layout):
            if number in grammar.zipped:
                arrays = [values[name] for name in names]
                lines += [" ".join(_words(row)) for row in zip(*arrays, strict=False)]
            else:
                lines += _lines(grammar, names, values)
    return "".join(f"{line}\n" for line in lines)


def _lines(grammar: Grammar, names: Sequence[str], values: Values) -> list[str]:
    variable = grammar.by_name[names[0]]
    if len(names) == 1 and (variable.depth == 2 or (variable.depth == 1 and variable.base == "str")):
        return [" ".join(_words(row)) for row in values[names[0]]]
    return [" ".join(word for name in names for word in _words(values[name]))]


def _words(value: Any) -> list[str]:
    if isinstance(value, list | tuple):
        return [word for item in value for word in _words(item)]
    return [str(int(value)) if isinstance(value, bool) else str(value)]


def read_cases(grammar: Grammar, text: str) -> list[Values]:
    """Return the cases of a text. Raises InvalidInput unless its layout is, to the byte, that of the grammar."""
    lines = text.split("\n")
    reader = _LineReader(lines[:-1])
    count = reader.number() if grammar.cases else 1
    if not 1 <= count <= 10**6:
        raise InvalidInput(f"{count} cases")
    cases = [_case(grammar, reader) for _ in range(count)]
    if reader.left or render(grammar, cases) != text:
        raise InvalidInput("the text does not follow the grammar's layout")
    return cases


class _LineReader:
    def __init__(self, lines: list[str]) -> None:
        self._lines, self._at = lines, 0

    @property
    def left(self) -> int:
        return len(self._lines) - self._at

    def line(self) -> list[str]:
        if not self.left:
            raise InvalidInput("the text ends too early")
        self._at += 1
        return self._lines[self._at - 1].split(" ") if self._lines[self._at - 1] else []

    def number(self) -> int:
        words = self.line()
        if len(words) != 1:
            raise InvalidInput("the number of cases needs a line of its own")
        return int(_word(words[0], "int"))


def _case(grammar: Grammar, reader: _LineReader) -> Values:
    values: dict[str, Any] = {}
    for number, names in enumerate(grammar.layout):
        variable = grammar.by_name[names[0]]
        if number in grammar.zipped:
            _read_side_by_side(grammar, names, values, reader)
        elif len(names) == 1 and (variable.depth == 2 or (variable.depth == 1 and variable.base == "str")):
            rows = [reader.line() for _ in range(_length(grammar, variable.name, values, reader.left))]
            values[variable.name] = [
                row[0] if variable.base == "str" and len(row) == 1 else [_word(word, variable.base) for word in row]
                for row in rows
            ]
        else:
            _read_line(grammar, names, values, reader.line())
    return values


def _read_line(grammar: Grammar, names: Sequence[str], values: dict[str, Any], words: list[str]) -> None:
    at = 0
    for name in names:
        variable = grammar.by_name[name]
        count = _length(grammar, name, values, len(words) - at) if variable.depth else 1
        part = [_word(word, variable.base) for word in words[at : at + count]]
        if len(part) < count:
            raise InvalidInput(f"the line of {name} is too short")
        values[name] = part if variable.depth else part[0]
        at += count
    if at < len(words):
        raise InvalidInput(f"the line of {names[-1]} is too long")


def _read_side_by_side(grammar: Grammar, names: Sequence[str], values: dict[str, Any], reader: _LineReader) -> None:
    variables = [grammar.by_name[name] for name in names]
    arrays: list[list[Any]] = [[] for _ in names]
    for _ in range(_length(grammar, names[0], values, reader.left)):
        words, at = reader.line(), 0
        for variable, array in zip(variables, arrays, strict=True):
            width = grammar.columns(variable.name) if variable.depth == 2 else 1
            part = [_word(word, variable.base) for word in words[at : at + width]]
            if len(part) < width:
                raise InvalidInput(f"a line of {variable.name} is too short")
            array.append(part if variable.depth == 2 else part[0])
            at += width
    values.update(zip(names, arrays, strict=True))


def _length(grammar: Grammar, name: str, values: Values, rest: int) -> int:
    """Return the length of an array, given the values before it; all that is left if nothing determines it."""
    domains: Domains = {**sizes_of(grammar, values)}
    try:
        narrow(grammar.relations, domains)
    except Unsatisfiable:
        raise InvalidInput("the sizes contradict the constraints") from None
    low, high = domains.get(Key(name, (), length=True), (0, rest + 1))
    return min(low, rest + 1) if low == high else rest


def _word(word: str, base: str) -> Any:
    if base == "str":
        return word
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 100):
        raise InvalidInput(f"{word[:20]!r} is not a number")
    return bool(int(word)) if base == "bool" else int(word)


def rejection_reason(grammar: Grammar, content: Any) -> str | None:
    """Return what is wrong with an input, text or a list of arguments; None if it keeps to the grammar."""
    if not grammar.layout:
        names = [variable.name for variable in grammar.variables]
        if not isinstance(content, list) or len(content) != len(names):
            return f"not {len(names)} arguments"
        return violation(grammar, dict(zip(names, content, strict=True)))
    if not isinstance(content, str):
        return "not a text"
    try:
        cases = read_cases(grammar, content)
    except InvalidInput as unreadable:
        return str(unreadable)
    problem = next((wrong for values in cases if (wrong := violation(grammar, values)) is not None), None)
    return problem or (_case_violation(grammar.cases, cases) if grammar.cases else None)


def _case_violation(bounds: Cases, cases: Sequence[Mapping[str, Any]]) -> str | None:
    if not bounds.least <= len(cases) <= bounds.most:
        return f"{len(cases)} cases"
    for total in bounds.totals:
        if sum(evaluate(total.quantity, values, {}) for values in cases) > total.limit:
            return f"all {total.quantity.name} together are more than {total.limit}"
    return None
