"""Recipe for the tests of a Polygon package that was downloaded without them: commands, generators, validators."""

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final
from xml.etree import ElementTree as Xml

from app.domain.imports import ImportedProgram, Recipe, RecipeStep
from scrapers.packages import common as shared
from scrapers.packages.archive import MAX_TEXT_BYTES, InvalidPackage, Package

_TESTLIB: Final = "files/testlib.h"
_COMBINING: Final = re.compile(r"[|<>].*|\d?>.*|&+|;", re.DOTALL)
_MAX_ARGUMENTS: Final = 200
_MAX_COMMAND_CHARS: Final = 4000


def read_command(text: str, path: str) -> tuple[str, tuple[str, ...]]:
    """Return (generator, arguments) of a test's command. Raises InvalidPackage for a command that is not run here."""
    try:
        words = shlex.split(text) if len(text) <= _MAX_COMMAND_CHARS else []
    except ValueError as broken:
        raise InvalidPackage(f"the command {text!r:.80} is not understood: {broken}", path) from broken
    if not words or len(words) > _MAX_ARGUMENTS or any("\0" in word for word in words):
        raise InvalidPackage(f"the command {text!r:.80} is not understood", path)
    if any(_COMBINING.fullmatch(word) for word in words):
        raise InvalidPackage(f"the command {text!r:.80} combines programs, which is not done here", path)
    return words[0], tuple(words[1:])


def build_recipe(
    package: Package, root: Xml.Element, steps: Sequence[RecipeStep], testset: str, *, talks: bool
) -> Recipe:
    """Return all that is needed to make the tests. Raises InvalidPackage, naming a part that is missing or in a
    language not run here."""
    if len(steps) > shared.MAX_TESTS:
        raise InvalidPackage(f"more than {shared.MAX_TESTS} tests", steps[-1].path)
    sources = _executables(package, root)
    generators: dict[str, ImportedProgram] = {}
    for step in steps:
        if step.text is None and step.generator not in generators:
            generators[step.generator] = _program(package, _source_of(package, sources, step), "generator")
    validators = tuple(
        _program(package, path, "validator")
        for source in root.iterfind("assets/validators/validator/source")
        if (path := _path(source))
    )
    solution = None if talks else _solution(package, root)
    return Recipe(tuple(steps), generators, validators, solution, _testlib(package), testset)


def _path(source: Xml.Element) -> str:
    return str(PurePosixPath(source.get("path") or "-"))


def _executables(package: Package, root: Xml.Element) -> dict[str, str]:
    """Return the sources of the package's executables by the name that commands use."""
    named = [_path(source) for source in root.iterfind("files/executables/executable/source")]
    return {PurePosixPath(path).stem: path for path in (*_unnamed_sources(package), *named)}


def _unnamed_sources(package: Package) -> list[str]:
    """Return sources beside the others that problem.xml does not name, as in packages edited by hand."""
    return [path for path in package.files_below("files") if path.count("/") == 1 and shared.language_of(path)]


def _source_of(package: Package, sources: dict[str, str], step: RecipeStep) -> str:
    name = PurePosixPath(step.generator.replace("\\", "/")).name.removesuffix(".exe")
    path = sources.get(name)
    if path is None or path not in package:
        raise InvalidPackage(
            f"the generator {step.generator!r:.60} of the test is not in the package as source", step.path
        )
    return path


def _program(package: Package, path: str, role: str) -> ImportedProgram:
    source, language = shared.read_helper_source(package, path, role)
    return ImportedProgram(path, language, source)


def _solution(package: Package, root: Xml.Element) -> ImportedProgram:
    """Return the program that answers: the main solution, or another accepted one in a language judged everywhere."""
    candidates = []
    for solution in root.iterfind("assets/solutions/solution"):
        tag, source = solution.get("tag"), solution.find("source")
        if tag not in ("main", "accepted") or source is None or _path(source) not in package:
            continue
        program = shared.read_submission(package, _path(source), reference=True, constants=shared.NO_CONSTANTS)
        if program is not None and not source.get("type", "").startswith("python.2"):
            candidates.append((program.language not in shared.UNIVERSAL_LANGUAGES, tag != "main", program))
    if not candidates:
        raise InvalidPackage("answers are missing, and no main or accepted solution is in a language that is run here")
    return min(candidates, key=lambda entry: entry[:2])[2]


def _testlib(package: Package) -> str | None:
    """Return the package's own header; None if it has none, or only a placeholder."""
    if _TESTLIB not in package:
        return None
    text = package.text(_TESTLIB, MAX_TEXT_BYTES)
    return text if "registerGen" in text else None
