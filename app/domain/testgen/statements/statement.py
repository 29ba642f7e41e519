"""A grammar from a statement's constraints, as LeetCode writes them, read sentence by sentence; the rest is reported.

Powers without raised digits (`105` for 10^5, `231 - 1`) are recognised only if no power is written out.
"""

import ast
import html
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from app.domain.errors import InvalidInput
from app.domain.problems import Entry
from app.domain.testgen.grammars.expressions import (
    CallExpr,
    Expr,
    Num,
    Ref,
    Relation,
    Subscript,
    parse_relations,
    refs_of,
)
from app.domain.testgen.grammars.grammar import Base, Grammar, Variable, VariableFact
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.statements.sentences import read_sentence


class StatementGrammar(NamedTuple):
    """The grammar read from a statement; `unread` names the sentences not understood, and other doubts."""

    grammar: Grammar | None
    unread: tuple[str, ...]


MAX_INPUT_ELEMENTS: Final = 10**6  # numbers and characters of an input made in this process
_SECTION = re.compile(r"constraints?[\s:*_#]{0,9}$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^\W*(?:follow[ -]?up|note|example \d+|hint)\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"^[^\w\n]{0,9}Input[^\w\n]{1,9}(\w+ ?=.{1,5000})$", re.MULTILINE)
_MAX_SENTENCE_CHARS = 500  # characters of a sentence
_WORDS = {"true": "True", "false": "False", "null": "None"}
_NOISE = re.compile(r"^(?:constraints?:?|)$", re.IGNORECASE)
_ROW = re.compile(r"\b(\w+)\[i\]\s*={1,2}\s*\[([A-Za-z_][\w ,_]*)\]")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TYPES: tuple[tuple[str, Base], ...] = (
    ("int", "int"), ("integer", "int"), ("long", "int"), ("str", "str"), ("string", "str"), ("character", "str"),
    ("char", "str"), ("bool", "bool"), ("boolean", "bool"),
)  # fmt: skip


def derive_grammar(statement: str, entry: Entry, examples: Sequence[Any] = ()) -> StatementGrammar:
    """Return a grammar of a function's arguments. The statement's examples, and `examples`, must keep to it."""
    try:
        variables = tuple(_variable(param.name, param.type) for param in entry.params)
    except InvalidInput as unknown:
        return StatementGrammar(None, (str(unknown),))
    lines = constraint_lines(statement)
    if not lines:
        return StatementGrammar(None, ("the statement has no constraints",))
    reading = _ConstraintReader(variables, _aliases(statement))
    for line in lines:
        reading.take(line)
    return reading.finish([*examples_in(statement, entry), *examples])


def grammar_of(statement: str, entry: Entry | None, examples: Sequence[Any] = ()) -> Grammar | None:
    """Return the grammar of a function's arguments if every constraint of its statement was understood; else None.

    Also None if even its smallest inputs are too long to be made, since statements are not ours.
    """
    derived = None if entry is None else derive_grammar(statement, entry, examples)
    if derived is None or derived.unread or derived.grammar is None:
        return None
    return derived.grammar if min_input_elements(derived.grammar) <= MAX_INPUT_ELEMENTS else None


def min_input_elements(grammar: Grammar) -> int:
    """Return the number of elements of the shortest inputs."""
    return _count_elements(grammar, 0)


def max_input_elements(grammar: Grammar) -> int:
    """Return the number of elements of the longest inputs."""
    return _count_elements(grammar, 1)


def _count_elements(grammar: Grammar, end: int) -> int:
    """Return the sum over all variables of the product of their lengths, by that end of their ranges."""
    count = dict.fromkeys(grammar.by_name, 1)
    for key, domain in grammar.domains.items():
        if key.length and key.name in count:
            count[key.name] *= max(1, domain[end])
    return sum(count.values())


def examples_in(statement: str, entry: Entry) -> list[list[Any]]:
    """Return the arguments of the examples that a statement shows as `Input: name = literal, ...`."""
    examples = []
    for text in _EXAMPLE.findall(plain_text(statement))[:10]:
        literal = re.sub(r"\b(true|false|null)\b", lambda word: _WORDS[word[1]], text.strip())
        try:
            call = ast.parse(f"f({literal})", mode="eval").body
            arguments = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}  # type: ignore[attr-defined]
            examples.append([arguments[param.name] for param in entry.params])
        except (SyntaxError, ValueError, KeyError, AttributeError, RecursionError, MemoryError):
            continue
    return examples


def _variable(name: str, spelled: str) -> Variable:
    """Return a parameter by LeetCode's or Python's spelling of its type. Raises InvalidInput for others."""
    text, depth = spelled.replace(" ", ""), 0
    while match := re.fullmatch(r"(?:typing\.)?[Ll]ist\[(.*)\]|(.*)\[\]", text):
        text, depth = match[1] or match[2] or "", depth + 1
    base = dict(_TYPES).get(text.lower())
    if base is None or depth > 3:
        raise InvalidInput(f"{name} is a {spelled or 'value of no type'}, for which there is no grammar")
    return Variable(name, base, depth)


def plain_text(text: str) -> str:
    """Return a statement without markup: raised digits as `^`, one spelling of each comparison."""
    text = re.sub(r"<sup>\s{0,9}(\S{1,20})\s{0,9}</sup>", r"^\1", text)
    text = re.sub(r"</?(?:li|ul|ol|p|div|pre)\b[^<>\n]*>|<br ?/?>", "\n", text)
    text = re.sub(r"<[/a-zA-Z][^<>\n]*>", "", text)
    text = html.unescape(text)
    text = re.sub(r"(?<=\d)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda match: "^" + match[1].translate(_SUPERSCRIPTS), text)
    for old, new in (("≤", "<="), ("≥", ">="), ("≠", "!="), ("−", "-"), ("–", "-"), ("×", "*"), ("`", ""), ("\\", ""),
                     ("\u00a0", " "), ("\u202f", ""), ("“", '"'), ("”", '"'), ("’", "'"), ("‘", "'")):  # fmt: skip
        text = text.replace(old, new)
    return text


def constraint_lines(statement: str) -> list[str]:
    """Return the sentences under the heading of constraints, without bullets."""
    text = re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", plain_text(statement))
    text = re.sub(r"(?<!')\*\*(?!')", "", text)  # bold, not two stars
    headings = list(_SECTION.finditer(text))
    if not headings:
        return []
    lines: list[str] = []
    for raw in text[headings[-1].end() :].splitlines():
        line = re.sub(r"^[\s\-*•]+(?=[^\s\d])|^[\s*•]+|^\s*-\s+", "", raw).strip() if raw.strip() else ""
        if raw.strip().startswith("-") and re.match(r"\s*-\d", raw):
            line = raw.strip()
        if _END.match(line):
            break
        if not _NOISE.match(line):
            lines.append(line.rstrip(" .;"))
    return lines if any("^" in line for line in lines) else [_restore_powers(line) for line in lines]


def _restore_powers(line: str) -> str:
    line = re.sub(r"\b10([2-9]|1[0-8])\b", r"10^\1", line)
    return re.sub(r"\b2(3[0-2]|6[2-4])\b(?=\s*-\s*1)|(?<=-)2(3[0-2]|6[2-4])\b", r"2^\1\2", line)


def _aliases(statement: str) -> dict[str, Ref]:
    """Return names of columns, from `queries[i] = [l_i, r_i]`."""
    aliases: dict[str, Ref] = {}
    for array, names in _ROW.findall(plain_text(statement)):
        for column, name in enumerate(part.strip() for part in names.split(",")):
            for spelled in (name, name.replace("_", "")):
                aliases.setdefault(spelled, Ref(array, (Subscript("i"), Subscript("", column))))
    return aliases


class _ConstraintReader:
    def __init__(self, variables: tuple[Variable, ...], aliases: dict[str, Ref]) -> None:
        self._variables = {variable.name: variable for variable in variables}
        self._aliases = {name: ref for name, ref in aliases.items()
                         if ref.name in self._variables and name not in self._variables}  # fmt: skip
        self._relations: list[Relation] = []
        self._facts: list[VariableFact] = []
        self._unread: list[str] = []
        for name in {ref.name for ref in self._aliases.values()}:
            columns = len({ref.path for ref in self._aliases.values() if ref.name == name})
            self._relations.append(Relation(Ref(name, (Subscript("i"),), length=True), "==", Num(columns)))

    def take(self, line: str) -> None:
        """Read one sentence, or record that it was not understood."""
        if len(line) > _MAX_SENTENCE_CHARS:
            self._unread.append(f"{line[:80]}...")
            return
        line = re.sub(r"^(?:The input is generated such that|It is guaranteed that|For all valid i,?)\s+", "", line)
        line = re.sub(r"\s+(?:where|for (?:all|every|each))\b.*$", "", line).strip(" .,")
        line = re.sub(r"(?<=[a-z])_(?=[a-z]\b)", "", line)
        if _ROW.fullmatch(line):
            return
        relations = self._parse_relations(line)
        if relations is not None:
            self._relations += relations
            return
        read = read_sentence(line, self._variables)
        if read is None:
            self._unread.append(line)
            return
        self._facts += read.facts
        self._relations += [self._resolve(relation) for relation in read.relations]

    def _parse_relations(self, line: str) -> list[Relation] | None:
        try:
            relations = [
                relation for part in re.split(r"\s+and\s+(?=.*[<=>])", line) for relation in parse_relations(part)
            ]
            return [
                remainder for relation in relations if (remainder := self._as_fact(self._resolve(relation))) is not None
            ]
        except InvalidInput:
            return None

    def _resolve(self, relation: Relation) -> Relation:
        return Relation(self._resolve_names(relation.left), relation.op, self._resolve_names(relation.right))

    def _resolve_names(self, expr: Expr) -> Expr:
        if isinstance(expr, CallExpr):
            return CallExpr(expr.name, tuple(map(self._resolve_names, expr.args)))
        if not isinstance(expr, Ref) or expr.name in self._variables:
            return expr
        if expr.name in self._aliases and not expr.path:
            return Ref(self._aliases[expr.name].name, self._aliases[expr.name].path, expr.length)
        alike = [name for name in self._variables if name.lower() == expr.name.lower()]
        return Ref(alike[0], expr.path, expr.length) if alike else expr

    def _as_fact(self, relation: Relation) -> Relation | None:
        """Record a relation between whole rows or neighbours as a fact of the array; return other relations."""
        one, other = relation.left, relation.right
        if not (isinstance(one, Ref) and isinstance(other, Ref) and one.name == other.name in self._variables):
            return relation
        if len(one.path) != 1 or len(other.path) != 1 or one.length or one.path == other.path:
            return relation
        if relation.op == "!=":
            self._facts.append(VariableFact("distinct", one.name))
            return None
        if other.path[0].shift - one.path[0].shift == 1 and one.path[0].name == other.path[0].name:
            self._facts.append(VariableFact("sorted" if relation.op == "<=" else "increasing", one.name))
            return None
        raise InvalidInput("a relation between different indices")

    def finish(self, examples: Sequence[Any]) -> StatementGrammar:
        """Return the grammar, unless a quantity has no bounds or an example violates it."""
        variables = tuple(self._variables.values())
        relations = tuple(dict.fromkeys(self._relations))
        self._unread += [f"what is {name}?" for name in self._unbound_names(relations)]
        grammar = Grammar(variables, relations, tuple(dict.fromkeys(self._facts)))
        try:
            grammar.check()
        except InvalidInput as open_:
            return StatementGrammar(None, (*self._unread, str(open_)))
        for number, example in enumerate(examples, start=1):
            wrong = rejection_reason(grammar, example)
            if wrong is not None:
                return StatementGrammar(None, (*self._unread, f"example {number} does not fit what was read: {wrong}"))
        return StatementGrammar(grammar, tuple(self._unread))

    def _unbound_names(self, relations: Iterable[Relation]) -> list[str]:
        """Return names that nothing ties to the input: most likely columns of unknown order."""
        tied = {ref.name for relation in relations if relation.op == "=="
                for ref in (*refs_of(relation.left), *refs_of(relation.right))}  # fmt: skip
        tied |= {ref.name for fact in self._facts for detail in fact.details
                 if isinstance(detail, Ref | CallExpr) for ref in refs_of(detail)}  # fmt: skip
        names = {ref.name for relation in relations for ref in relation.refs()}
        return sorted(names - tied - set(self._variables))
