"""One file's syntax, told once to all rules that look at it in turn."""

import ast
from functools import lru_cache


@lru_cache(maxsize=1)
def tree_of(source: str) -> ast.Module:
    """One file is looked at by every rule in turn."""
    return ast.parse(source)


@lru_cache(maxsize=1)
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a file, as ast.walk has it."""
    found = [tree]
    for node in found:  # which grows
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                found.append(part)
            elif isinstance(part, list):
                found += [each for each in part if isinstance(each, ast.AST)]
    return tuple(found)


def called_by(node: ast.AST) -> str:
    """`session.commit()` -> "session.commit"; "" for anything that is not a plain call."""
    if not isinstance(node, ast.Call):
        return ""
    parts, at = [], node.func
    while isinstance(at, ast.Attribute):
        parts.append(at.attr)
        at = at.value
    parts.append(at.id if isinstance(at, ast.Name) else "?")
    return ".".join(reversed(parts))


@lru_cache(maxsize=1)
def calls(tree: ast.AST) -> tuple[tuple[ast.Call, str], ...]:
    """Every call of a file with what is called."""
    return tuple((node, called_by(node)) for node in nodes(tree) if isinstance(node, ast.Call))


@lru_cache(maxsize=1)
def imported(tree: ast.Module) -> tuple[tuple[int, str], ...]:
    """Every name that a file imports, with its line."""
    found: list[tuple[int, str]] = []
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found += ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.lineno, node.module))
            found += ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
    return tuple(found)
