"""Programs for display, without comments: whole, or one function and what it needs. Programs are only parsed."""

import ast
import builtins
import warnings

from app.domain.problems import Entry

MIN_SHOWN_CHARS, MAX_SHOWN_CHARS = 100, 500  # characters, as published
_MAX_PARSED_CHARS = 20_000
# Names that make a result depend on more than code and input, or that need arithmetic too hard to do by hand.
_REFUSED_NAMES = frozenset(
    {"input", "open", "eval", "exec", "compile", "globals", "locals", "vars", "id", "hash", "random", "time",
     "datetime", "os", "sys", "pow", "float", "complex", "sqrt", "exp", "log", "log2", "log10", "print", "setattr",
     "delattr", "getattr", "factorial", "prod", "comb", "perm", "lcm", "__import__"}
)  # fmt: skip
# Modules whose results depend only on their arguments, without large or fractional arithmetic.
_ALLOWED_MODULES = frozenset(
    {"__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "heapq",
     "itertools", "math", "queue", "re", "sortedcontainers", "string", "types", "typing"}
)  # fmt: skip
_ALLOWED_METHODS = frozenset(
    {"__init__", "__getitem__", "__contains__", "__len__"}
)  # other special methods hide an operator


def shown_program(code: str, entry: Entry) -> str | None:
    """Return the program for display; None if it is too long or short, or has code that the filters refuse.

    A method of a class without other state becomes a function of its own, as published.
    """
    tree = _parse(code)
    if tree is None:
        return None
    try:
        tree = _strip_docstrings(tree)
        tree = tree if entry.cls is None else _ClassUnwrapper(tree, entry.cls).tree
        text = ast.unparse(tree)
    except (ValueError, RecursionError):
        return None
    named = any(isinstance(part, ast.FunctionDef) and part.name == entry.name for part in tree.body)
    fits = named and MIN_SHOWN_CHARS <= len(text) <= MAX_SHOWN_CHARS
    return text if fits and not _has_refused_code(tree) and _read_names(tree) <= _known_names(tree) else None


def tidy_program(code: str) -> str | None:
    """Return the program without comments and docstrings, a statement per line; None if invalid or too long."""
    tree = _parse(code)
    return None if tree is None else ast.unparse(_strip_docstrings(tree)) + "\n"


def _parse(code: str) -> ast.Module | None:
    if len(code) > _MAX_PARSED_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def holds_sets(code: str) -> bool:
    """Return whether a program may make sets, whose order may differ between runs."""
    return any(
        isinstance(node, ast.Set | ast.SetComp)
        or (isinstance(node, ast.Name) and node.id in ("set", "frozenset"))
        or (isinstance(node, ast.Attribute) and node.attr in ("keys", "items"))  # their difference is a set
        for node in ast.walk(ast.parse(code))
    )


def plain_parameters(code: str, name: str) -> list[str] | None:
    """Return the parameters of a function of a module, in order; None if it has others than plain ones."""
    for part in ast.parse(code).body:
        if isinstance(part, ast.FunctionDef) and part.name == name:
            args = part.args
            plain = not (args.posonlyargs or args.vararg or args.kwonlyargs or args.kwarg or args.defaults)
            return [argument.arg for argument in args.args] if plain else None
    return None


def _has_refused_code(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute | ast.alias):
            word = {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name"}[type(node)]
            if getattr(node, word).split(".")[0] in _REFUSED_NAMES:
                return True
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr not in _ALLOWED_METHODS:
            return True
        if isinstance(node, ast.Import) and any(part.name.split(".")[0] not in _ALLOWED_MODULES for part in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in _ALLOWED_MODULES:
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            return True
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div | ast.Pow):
            return True
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.Global):
            return True
    return False


def _read_names(tree: ast.Module) -> set[str]:
    """Return names that are read, except in annotations: they change no run, and are shown without their imports."""
    notes = [
        note
        for node in ast.walk(tree)
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(note, ast.expr)
    ]
    noted = {id(part) for note in notes for part in ast.walk(note)}
    return {
        part.id
        for part in ast.walk(tree)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in noted
    }


def _known_names(tree: ast.Module) -> set[str]:
    """Return the names that a reader knows: Python's own, and those that the program itself defines or imports.

    The judge's preamble is not shown, and names from `import *` are not known.
    """
    names = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name.split(".")[0])
            case _:
                pass
    return names


def _strip_docstrings(tree: ast.Module) -> ast.Module:
    """Return a module without docstrings: they may reveal the answer."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:] or [ast.Pass()]
    return tree


class _ClassUnwrapper(ast.NodeTransformer):
    """Conversion of a class's methods to functions. Raises ValueError if it has more than methods that call methods."""

    def __init__(self, tree: ast.Module, name: str) -> None:
        body: list[ast.stmt] = []
        self._self, self._methods = "", set[str]()
        for part in tree.body:
            if not (isinstance(part, ast.ClassDef) and part.name == name):
                body.append(part)
                continue
            if part.bases or part.decorator_list or part.keywords:
                raise ValueError("a class that is more than a place for methods")
            body += [self._function(method, part) for method in part.body]
        self.tree = ast.fix_missing_locations(ast.Module(body, tree.type_ignores))

    def _function(self, method: ast.stmt, cls: ast.ClassDef) -> ast.stmt:
        if not isinstance(method, ast.FunctionDef) or method.decorator_list or not method.args.args:
            raise ValueError("more than plain methods")
        self._self = method.args.args.pop(0).arg
        self._methods = {part.name for part in cls.body if isinstance(part, ast.FunctionDef)}
        return self.generic_visit(method)  # type: ignore[return-value]  # a function stays one

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace a method of the class by the function."""
        self_ = isinstance(node.value, ast.Name) and node.value.id == self._self
        if not self_:
            return self.generic_visit(node)
        if node.attr not in self._methods:
            raise ValueError("state of its own")
        return ast.Name(node.attr, node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Raise ValueError if the object itself is used."""
        if node.id == self._self:
            raise ValueError("the object is more than a place for methods")
        return node
