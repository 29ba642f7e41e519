"""Sentences of constraints other than relations, as LeetCode phrases them."""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.errors import InvalidInput
from app.domain.testgen.grammars.expressions import CallExpr, Num, Ref, Relation, Subscript, parse_relations
from app.domain.testgen.grammars.grammar import Variable, VariableFact

Variables = Mapping[str, Variable]


class ParsedSentence(NamedTuple):
    """The facts and relations of a sentence."""

    facts: tuple[VariableFact, ...] = ()
    relations: tuple[Relation, ...] = ()


Reader = Callable[["re.Match[str]", Variables], ParsedSentence | None]

_LIST = r"(?P<who>[\w\[\]]+(?:(?:,? and |, )[\w\[\]]+)*)"
_QUOTED = re.compile(r"'([^'])'|\"([^\"]+)\"")
_LETTER_KINDS = (
    (r"lower ?case and upper ?case|upper ?case and lower ?case|lower ?case or upper ?case", string.ascii_letters),
    (r"upper ?case and lower ?case", string.ascii_letters),
    (r"lower ?case", string.ascii_lowercase),
    (r"upper ?case", string.ascii_uppercase),
    (r"\bEnglish letters|\bletters", string.ascii_letters),
)


def read_sentence(line: str, variables: Variables) -> ParsedSentence | None:
    """Return the meaning of a sentence; None if it is not understood."""
    for pattern, reader in _SENTENCES:
        match = pattern.fullmatch(line)
        if match is not None and (read := reader(match, variables)) is not None:
            return read
    return None


def _named_variables(match: "re.Match[str]", variables: Variables) -> list[str] | None:
    """Return the variables that a sentence names; None if one is unknown."""
    parts = re.split(r",? and |, ", match["who"])
    names = [re.sub(r"\[.*", "", part) for part in parts]
    return names if all(name in variables for name in names) else None


def _facts(fact: str, names: Sequence[str] | None, *details: Any) -> ParsedSentence | None:
    return None if names is None else ParsedSentence(tuple(VariableFact(fact, name, details) for name in names))


def _arrays(variables: Variables) -> list[str]:
    return [variable.name for variable in variables.values() if variable.depth]


# --- characters ------------------------------------------------------------------------------------------------------


def _consists_of(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    names = _named_variables(match, variables)
    if names is None or any(variables[name].base != "str" for name in names):
        return None
    phrase = match["what"]
    count = re.search(r",? and exactly (one|two|three|\d+) '(.)'s?(?: characters?)?$", phrase)
    if count:
        phrase = phrase[: count.start()]
    words = [one or more for one, more in _QUOTED.findall(phrase)]
    if any(len(word) > 1 for word in words):
        return _facts("oneof", names, *words)
    characters = _characters(phrase, words)
    if not characters:
        return None
    facts = [VariableFact("letters", name, (characters + (count[2] if count else ""),)) for name in names]
    if count:
        times = {"one": 1, "two": 2, "three": 3}.get(count[1]) or int(count[1])
        facts += [VariableFact("count", name, (count[2], times)) for name in names]
    return ParsedSentence(tuple(facts))


def _characters(phrase: str, quoted: Sequence[str]) -> str:
    """Return the alphabet that a phrase names; "" if it names none, or more than is understood."""
    rest = re.sub(r"\b(only|of|the|characters?|English|or|and|either|letters|single|to|in|from)\b|[,()\[\]]", " ",
                  _QUOTED.sub(" ", phrase))  # fmt: skip
    characters = ""
    if re.search(r"\bdigits?\b", rest):
        rest = re.sub(r"\bdigits?\b", " ", rest)
        inner = [character for character in quoted if character.isdigit()]
        low, high = (inner[0], inner[-1]) if len(inner) == 2 else ("0", "9")
        characters += "".join(map(chr, range(ord(low), ord(high) + 1)))
        quoted = [character for character in quoted if not character.isdigit()]
    for pattern, letters in _LETTER_KINDS:
        if re.search(pattern, phrase, re.IGNORECASE):
            rest = re.sub(pattern, " ", rest, flags=re.IGNORECASE)
            rest = re.sub(r"\b(lower|upper) ?case\b", " ", rest, flags=re.IGNORECASE)
            characters += letters
            break
    if re.search(r"\bspaces?\b", rest):
        rest, characters = re.sub(r"\bspaces?\b", " ", rest), characters + " "
    left = re.sub(r"\b(range|inclusive|vowels?|a)\b", " ", rest).strip(" .")
    if re.search(r"\bvowels?\b", rest) and not characters:
        characters = "aeiou"
    return "" if left else characters + "".join(character for character in quoted if character not in characters)


def _either(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    """Return the allowed values of a number; phrases about texts are read by their characters."""
    names = _named_variables(match, variables)
    digits = re.fullmatch(r"-?\d+(?:(?:, (?:or )?| or )-?\d+)*", match["what"])
    if names is None or digits is None or variables[names[0]].base != "int":
        return None
    return _facts("oneof", names, *map(int, re.findall(r"-?\d+", match["what"])))


# --- order and difference --------------------------------------------------------------------------------------------


def _distinct(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    return _facts("distinct", _named_variables(match, variables))


def _distinct_in_range(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    names = _named_variables(match, variables)
    if names is None or len(names) > 1:
        return None
    try:
        relations = parse_relations(f"{match['low']} <= {names[0]}[i] <= {match['high']}")
    except InvalidInput:
        return None
    return ParsedSentence((VariableFact("distinct", names[0]),), relations)


def _all_distinct(_match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    """Read `All the given points are unique`: unambiguous if there is only one array."""
    arrays = _arrays(variables)
    return _facts("distinct", arrays) if len(arrays) == 1 else None


def _sorted(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    order = match["order"].lower()
    strict = "strictly" in order
    if "desc" in order or ("decreas" in order and "non" not in order) or "non-increasing" in order:
        return _facts("decreasing" if strict else "descending", _named_variables(match, variables))
    return _facts("increasing" if strict else "sorted", _named_variables(match, variables))


def _permutation(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    return _facts("permutation", _named_variables(match, variables), int(match["first"]))


def _disjoint(_match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    rows = [variable.name for variable in variables.values() if variable.depth == 2 and variable.base == "int"]
    return _facts("disjoint", rows) if len(rows) == 1 else None


def _prime(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    return _facts("prime", _named_variables(match, variables))


def _no_zeros(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    return _facts("no_leading_zeros", _named_variables(match, variables))


# --- graphs ----------------------------------------------------------------------------------------------------------


def _tree(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    names = _named_variables(match, variables)
    if names is None or any(variables[name].depth != 2 for name in names):
        return None
    facts = []
    for name in names:
        vertices = CallExpr("+", (Ref(name, (), length=True), Num(1)))
        facts.append(VariableFact("tree", name, (vertices, 0)))
    return ParsedSentence(tuple(facts))


# --- one against another ---------------------------------------------------------------------------------------------


def _anagrams(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    one, other = match["one"], match["other"]
    if one not in variables or other not in variables:
        return None
    lengths = Relation(Ref(one, (), length=True), "==", Ref(other, (), length=True))
    return ParsedSentence((VariableFact("same_letters", other, (one,)),), (lengths,))


def _subsequence(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    part, whole = match["one"], match["other"]
    if part not in variables or whole not in variables or variables[part].base != "str":
        return None
    lengths = Relation(Ref(part, (), length=True), "<=", Ref(whole, (), length=True))
    return ParsedSentence((VariableFact("subsequence", part, (whole,)),), (lengths,))


def _divisible(match: "re.Match[str]", _variables: Variables) -> ParsedSentence | None:
    try:
        return ParsedSentence((), parse_relations(f"{match['one']} % {match['other']} == 0"))
    except InvalidInput:
        return None


def _sum_of_lengths(match: "re.Match[str]", variables: Variables) -> ParsedSentence | None:
    name = match["who"]
    if name not in variables or not variables[name].depth:
        return None
    try:
        (bound,) = parse_relations(f"0 <= {match['most']}")
    except (InvalidInput, ValueError):
        return None
    total = CallExpr("sum", (Ref(name, (Subscript("i"),), length=True),))
    return ParsedSentence((), (Relation(total, "<=", bound.right),))


_THINGS = r"(?:elements|values|integers|numbers|strings|words|points|pairs|intervals|queries|edges|rows|entries|items)"
_SENTENCES: tuple[tuple["re.Pattern[str]", Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reader)
    for pattern, reader in (
        (rf"(?:all (?:{_THINGS} (?:of|in) )?)?{_LIST} (?:only )?(?:consists?|contains?|is|are|is made up|comprises?)"
         r" (?:only )?(?:of )?(?P<what>.+)", _consists_of),
        (rf"(?:each )?{_LIST} is (?:either )?(?P<what>.+)", _either),
        (rf"(?:all )?(?:the )?(?:{_THINGS} (?:of|in) )?{_LIST} (?:is|are) (?:all )?(?:pairwise )?(?:unique|distinct)",
         _distinct),
        (rf"{_LIST} (?:contains|consists of|has|have)(?: only)? (?:unique|distinct) {_THINGS} (?:in the range )"
         r"\[(?P<low>.+), (?P<high>.+)\]", _distinct_in_range),
        (rf"{_LIST} (?:contains|consists of|has|have)(?: only)? (?:unique|distinct) {_THINGS}", _distinct),
        (r"all (?:the |of the )?(?:given )?\w+ are (?:unique|distinct|different)", _all_distinct),
        (r"(?:there are )?no (?:repeated|duplicate[ds]?) \w+(?: (?:among|in) (?:the )?\w+)?", _all_distinct),
        (r"there are no (?:repeated|duplicate[ds]?) \w+(?: (?:among|in) (?:the )?\w+)?", _all_distinct),
        (rf"{_LIST} (?:is|are) (?:sorted )?in (?P<order>[\w -]+?)(?: order)?", _sorted),
        (rf"{_LIST} (?:is|are) sorted in (?:a )?(?P<order>[\w -]+?)(?: order)?", _sorted),
        (rf"{_LIST} is a permutation of (?:the )?(?:{_THINGS} )?(?:in the range )?(?:from )?\[?(?P<first>[01])\b.*",
         _permutation),
        (r"(?:the )?(?:given )?\w+ (?:are|is) non-overlapping|no two \w+ overlap", _disjoint),
        (rf"{_LIST} (?:is|are) (?:a )?prime(?: numbers?)?", _prime),
        (rf"{_LIST} (?:has|have|does not (?:contain|have)|do not (?:contain|have))(?: no| any)? leading zero(?:s|es)?",
         _no_zeros),
        (rf"{_LIST} (?:represents?|forms?|is|are) (?:a )?valid trees?", _tree),
        (r"(?P<one>\w+) and (?P<other>\w+) are anagrams(?: of each other)?", _anagrams),
        (r"(?P<one>\w+) (?:appears as|is) a subsequence (?:in|of) (?P<other>\w+)", _subsequence),
        (r"(?P<one>[\w.]+) is (?:divisible by|a multiple of) (?P<other>\w+)", _divisible),
        (r"(?:the )?(?:sum|total)(?: of)?(?: the)? lengths? of (?:all )?(?:\w+ (?:in|of) )?(?P<who>\w+)"
         r" (?:does not exceed|will not exceed|is at most|doesn't exceed) (?P<most>[\d *^]+)", _sum_of_lengths),
    )
)  # fmt: skip
