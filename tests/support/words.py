"""Faults of the catalogues of words, and of the keys that pages use, one line each."""

import ast
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

_KEY = re.compile(r"[a-z_]+\.[a-z0-9_.-]*")
_ASKS = frozenset({"t", "knows"})


def faults(path: Path, template: Path) -> list[str]:
    """Everything missing, empty, fuzzy, unused or at odds with English in a catalogue; nothing where it is whole."""
    english, content = _entries(_read(template)), _read(path)
    entries = _entries(content)
    counts = Counter(message.context for message in content if message.id)
    lines = [f"{key}: stands here {n} times" for key, n in counts.items() if n > 1]
    lines += [f"{key}: missing" for key in english.keys() - entries.keys()]
    lines += [f"{message.id}: unused" for message in content.obsolete.values()]
    if content.plural_forms != get_plural(content.locale_identifier).plural_forms:
        lines.append(f"Plural-Forms of {content.locale_identifier} are {get_plural(content.locale_identifier)}")
    for key, message in entries.items():
        lines += (f"{key}: {fault}" for fault in _faults(message, english.get(key), path == template))
    return sorted(lines)


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def _entries(catalogue: Catalog) -> dict[str, Message]:
    return {message.context or "": message for message in catalogue if message.id}


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def _faults(message: Message, english: Message | None, is_template: bool) -> Iterator[str]:
    texts = _forms(message.id if is_template else message.string)
    if not message.context:
        yield f"no key for {message.id!r}"
    if message.fuzzy:
        yield "fuzzy"
    if not texts or not all(text.strip() for text in texts):
        yield "empty"
    if english is None:
        yield "unused"
    elif english.id != message.id:
        yield "another English sentence"
    if is_template and any(_forms(message.string)):
        yield "English is the msgid, and the msgstr stays empty"
    if any(places(text) != places(_forms(message.id)[-1]) for text in texts if text):
        yield "other placeholders"


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


@dataclass(frozen=True, slots=True)
class Use:
    """A key, or the shape of several, where a page names it; `values` are the names given, None where not known."""

    where: str
    shape: re.Pattern[str]
    key: str | None
    is_asked: bool
    values: frozenset[str] | None


def uses(paths: Iterable[Path]) -> list[Use]:
    """Every key that templates and Python files name."""
    return [use for path in paths for use in (_in_template(path) if path.suffix == ".html" else _in_python(path))]


def unknown(found: Iterable[Use], messages: dict[str, tuple[str, ...]]) -> list[str]:
    """Keys that are asked for and have no words, and those whose placeholders get no value."""
    lines = []
    for use in (use for use in found if use.is_asked):
        keys = [key for key in messages if use.shape.fullmatch(key)]
        if not keys:
            lines.append(f"{use.where}: no words for {use.key or use.shape.pattern}")
        elif use.key is not None and use.values is not None:
            needed = places(messages[use.key][-1]) | ({"n"} if len(messages[use.key]) > 1 else set())
            lines += [f"{use.where}: {use.key} needs {name}" for name in sorted(needed - use.values)]
    return lines


def unused(found: Iterable[Use], keys: Iterable[str]) -> list[str]:
    """Keys that nothing names."""
    shapes = {use.shape for use in found}
    return [key for key in keys if not any(shape.fullmatch(key) for shape in shapes)]


def _use(where: str, parts: list[str | None], *, is_asked: bool, values: frozenset[str] | None) -> Iterator[Use]:
    """The use of a key made of these parts, None being any text; nothing where it does not begin as a key does."""
    if parts and parts[0] and _KEY.fullmatch(parts[0]):
        if parts[-1] and parts[-1].endswith("."):  # `word` and dictionaries of prefixes: the code follows
            parts = [*parts, None]
        shape = re.compile("".join(".+" if part is None else re.escape(part) for part in parts))
        yield Use(where, shape, parts[0] if len(parts) == 1 else None, is_asked, values)


def _in_template(path: Path) -> Iterator[Use]:
    for call in Environment().parse(path.read_text()).find_all(nodes.Call):  # nothing is rendered
        name = call.node.name if isinstance(call.node, nodes.Name) else getattr(call.node, "attr", "")
        asked = call.args[1:2] if name == "word" else call.args[:1] if name in _ASKS else []
        values = None if name == "knows" or call.dyn_kwargs else frozenset(pair.key for pair in call.kwargs)
        for parts in (parts for node in asked for parts in _template_parts(node)):
            yield from _use(f"{path.name}:{call.lineno}", parts, is_asked=True, values=values)


def _template_parts(node: nodes.Node) -> Iterator[list[str | None]]:
    if isinstance(node, nodes.CondExpr):
        for branch in (node.expr1, node.expr2):
            yield from _template_parts(branch) if branch is not None else ()
    elif isinstance(node, nodes.Concat):
        yield [part.value if isinstance(part, nodes.Const) else None for part in node.nodes]
    else:
        yield [node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else None]


def _in_python(path: Path) -> Iterator[Use]:
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) in _ASKS and node.args:
            names = {keyword.arg for keyword in node.keywords}
            known = None not in names and _called(node.func) != "knows"
            values = frozenset(name for name in names if name) if known else None
            for parts in _python_parts(node.args[0]):
                yield from _use(f"{path.name}:{node.lineno}", parts, is_asked=True, values=values)
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            for parts in _python_parts(node):
                yield from _use(f"{path.name}:{node.lineno}", parts, is_asked=False, values=None)


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _python_parts(node: ast.expr) -> Iterator[list[str | None]]:
    if isinstance(node, ast.IfExp):
        yield from _python_parts(node.body)
        yield from _python_parts(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield [
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None
            for part in node.values
        ]
    else:
        yield [node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None]
