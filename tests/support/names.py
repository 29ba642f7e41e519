"""Names and docstrings of the code, and the rules that they keep (GLOSSARY.md has the words)."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "scrapers", "workers", "web", "perf")

# A participle says what was done to a thing, not which thing it is; so do adverbs, pronouns and adjectives alone.
_IRREGULAR = frozenset(
    [
        "told",
        "made",
        "given",
        "kept",
        "held",
        "heard",
        "seen",
        "known",
        "shown",
        "said",
        "put",
        "found",
        "lost",
        "sent",
        "left",
        "met",
        "begun",
        "taken",
        "written",
        "drawn",
        "built",
        "done",
        "gone",
        "spent",
        "meant",
        "thrown",
        "chosen",
        "broken",
        "hidden",
        "won",
        "born",
        "owed",
        "paid",
        "bought",
        "brought",
        "caught",
        "understood",
    ]
)
_ADJECTIVES = frozenset(
    [
        "missing",
        "waiting",
        "lacking",
        "pending",
        "remaining",
        "outstanding",
        "due",
        "unfit",
        "unreadable",
        "new",
        "old",
        "late",
        "early",
        "own",
    ]
)
_ADVERBS = frozenset(
    [
        "apart",
        "together",
        "again",
        "once",
        "still",
        "ever",
        "never",
        "only",
        "also",
        "aside",
        "here",
        "there",
        "then",
        "before",
        "after",
        "since",
        "already",
        "both",
        "all",
        "any",
        "each",
        "every",
        "other",
        "others",
        "another",
        "none",
        "nobody",
        "somebody",
        "whoever",
        "what",
        "which",
        "who",
        "whether",
        "where",
        "how",
    ]
)
_NOUNS_IN_ED = frozenset(["seed", "feed", "speed", "need", "embed", "shed", "bed", "reed", "deed", "breed"])

# Words that a docstring does not open with: a reader looks for the verb, or for the thing that is documented.
_OPENERS = re.compile(
    r"(What|Whether|Who|Whom|Whose|Whoever|How|Where|Why|Which|Those|That|Of|As|Nobody|Somebody|They|It|The same)\b"
)


class Definition(NamedTuple):
    """A module, class or function: `kind` names which, `place` is `path:line`."""

    kind: str
    name: str
    place: str
    docstring: str | None
    fields: frozenset[str]


def is_bare_word(name: str) -> bool:
    """Return whether a name is one participle, adverb, pronoun or adjective alone."""
    word = name.strip("_").lower()
    regular = word.endswith("ed") and word not in _NOUNS_IN_ED
    return "_" not in word and (regular or word in _IRREGULAR | _ADJECTIVES | _ADVERBS) and not _is_compound(name)


def opens_badly(docstring: str) -> bool:
    """Return whether a docstring opens with a word that is neither a verb nor the thing itself."""
    return _OPENERS.match(docstring.strip()) is not None


@cache
def definitions() -> tuple[Definition, ...]:
    """All modules, classes and functions of the packages, nested ones too."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return tuple(found for path in paths for found in _definitions_in(path))


def names_of_several_classes() -> dict[str, list[str]]:
    """Class names that more than one class bears, each with the places."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for each in definitions():
        if each.kind == "class":
            places[each.name].append(each.place)
    return {name: where for name, where in places.items() if len(where) > 1}


def pairs_of_like_classes() -> list[tuple[Definition, Definition]]:
    """Pairs of classes of which the smaller one, of at least five fields, shares three quarters of them."""
    classes = [each for each in definitions() if each.kind == "class" and len(each.fields) >= 5]
    return [
        (one, other)
        for one, other in combinations(classes, 2)
        if len(one.fields & other.fields) >= 0.75 * min(len(one.fields), len(other.fields))
    ]


def _is_compound(name: str) -> bool:
    return bool(re.search(r"[a-z][A-Z]", name))


def _definitions_in(path: Path) -> Iterator[Definition]:
    tree, place = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix()
    name = path.parent.name if path.name == "__init__.py" else path.stem
    yield Definition("module", name, f"{place}:1", ast.get_docstring(tree), frozenset())
    local = {
        inner
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if inner is not outer
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            yield Definition("class", node.name, f"{place}:{node.lineno}", ast.get_docstring(node), frozenset(fields))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            value = {d.id for d in node.decorator_list if isinstance(d, ast.Name)} & {"property", "cached_property"}
            kind = "local" if node in local else "value" if value else "function"
            yield Definition(kind, node.name, f"{place}:{node.lineno}", ast.get_docstring(node), frozenset())
