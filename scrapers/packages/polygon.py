"""Polygon packages: problem.xml, statement sections, tests or how to make them, a testlib checker or interactor."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final
from xml.etree import ElementTree as Xml

from app.domain.imports import RecipeStep
from app.domain.problems import Checker, CheckerKind, Form, Interactor
from scrapers.packages import common as shared
from scrapers.packages import polygon_build as build
from scrapers.packages import polygon_solutions as solutions
from scrapers.packages.archive import MAX_TEXT_BYTES, InvalidPackage, Package
from scrapers.packages.common import PackageDraft
from scrapers.packages.polygon_elements import note_unread
from scrapers.packages.tex_macros import Macros

MARK: Final = "problem.xml"
# Polygon's names of languages, and their codes.
_LOCALES: Final = {
    "english": "en", "chinese": "zh", "russian": "ru", "afrikaans": "af", "albanian": "sq", "arabic": "ar",
    "armenian": "hy", "azerbaijani": "az", "basque": "eu", "belarusian": "be", "bengali": "bn", "bosnian": "bs",
    "bulgarian": "bg", "catalan": "ca", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl",
    "estonian": "et", "filipino": "fil", "finnish": "fi", "french": "fr", "georgian": "ka", "german": "de",
    "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id",
    "irish": "ga", "italian": "it", "japanese": "ja", "kazakh": "kk", "khmer": "km", "korean": "ko", "kyrgyz": "ky",
    "latvian": "lv", "lithuanian": "lt", "macedonian": "mk", "malay": "ms", "mongolian": "mn", "nepali": "ne",
    "norwegian": "no", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro", "serbian": "sr",
    "sinhala": "si", "slovak": "sk", "slovene": "sl", "slovenian": "sl", "spanish": "es", "swahili": "sw",
    "swedish": "sv", "tajik": "tg", "tamil": "ta", "tatar": "tt", "telugu": "te", "thai": "th", "turkish": "tr",
    "turkmen": "tk", "ukrainian": "uk", "urdu": "ur", "uzbek": "uz", "vietnamese": "vi", "welsh": "cy",
}  # fmt: skip
_HEADINGS: Final = {
    "en": {"input": "Input", "output": "Output", "interaction": "Interaction", "scoring": "Scoring", "notes": "Notes"},
    "zh": {"input": "输入", "output": "输出", "interaction": "交互", "scoring": "评分", "notes": "说明"},
}
# Stock checkers that equal one of our comparisons. Those in _ONE_WORD_STOCK read only one word.
_STOCK: Final = {
    "wcmp": Checker(), "ncmp": Checker(), "icmp": Checker(), "hcmp": Checker(),
    "yesno": Checker(ignore_case=True), "nyesno": Checker(ignore_case=True),
    "rcmp": Checker(CheckerKind.FLOAT, abs=1.5e-6, rel=0.0), "acmp": Checker(CheckerKind.FLOAT, abs=1.5e-6, rel=0.0),
    "dcmp": Checker(CheckerKind.FLOAT, abs=1e-6, rel=1e-6), "rcmp4": Checker(CheckerKind.FLOAT, abs=1e-4, rel=1e-4),
    "rcmp6": Checker(CheckerKind.FLOAT, abs=1e-6, rel=1e-6), "rcmp9": Checker(CheckerKind.FLOAT, abs=1e-9, rel=1e-9),
}  # fmt: skip
_ONE_WORD_STOCK: Final = frozenset({"icmp", "hcmp", "yesno", "rcmp", "acmp", "dcmp"})
_DECLARATION: Final = re.compile(r"<!(?!--|\[CDATA\[)")
_PATTERN: Final = re.compile(r"[\w./-]*%(?:0(\d{1,2}))?d[\w./-]*")


def read(package: Package) -> PackageDraft:
    """Read a package. Raises InvalidPackage for what is damaged, missing, or not judged here."""
    root = _read_xml(package)
    judging = _find_element(root, "judging")
    draft = PackageDraft(root.get("short-name") or package.name)
    draft.tags = tuple(tag.get("value", "") for tag in root.iterfind("tags/tag") if tag.get("value"))
    if judging.get("input-file") or judging.get("output-file"):
        raise _error_near("programs read and write files, which is not judged here", package, "<judging")
    if judging.get("run-count", "1") != "1":
        raise _error_near("a program is run more than once on a test, which is not judged here", package, "<judging")
    testset = _testset(package, judging, draft)
    memory = testset.findtext("memory-limit")
    shared.state_limits(
        draft,
        MARK,
        time_s=_scale(testset.findtext("time-limit"), 1000),
        memory_mb=_scale(memory, 1 << 20),
        output_mb=None,
    )
    interactor = root.find("assets/interactor/source")
    if interactor is not None:
        draft.form = Form.INTERACTIVE
    _read_tests(package, draft, root, testset)
    if interactor is not None:
        _read_interactor(package, draft, interactor)
    else:
        _read_checker(package, draft, root.find("assets/checker"))
    solutions.read_solutions(package, draft, root, testset)
    note_unread(draft, root, testset, _text(package))
    _read_statements(package, draft, root)
    return draft


def _testset(package: Package, judging: Xml.Element, draft: PackageDraft) -> Xml.Element:
    """Return the tests that decide: the set named tests, else the largest."""
    testsets = judging.findall("testset")
    if not testsets:
        raise _error_near("there is no testset", package, "<judging")
    chosen = max(testsets, key=lambda node: (node.get("name") == "tests", len(node.findall("tests/test"))))
    if len(testsets) > 1:
        names = ", ".join(node.get("name") or "?" for node in testsets if node is not chosen)
        draft.notes.append(f"of several testsets {chosen.get('name')} is used; left out: {names}")
    return chosen


def _text(package: Package) -> str:
    return package.text(MARK, 4 * MAX_TEXT_BYTES)


def _read_xml(package: Package) -> Xml.Element:
    text = _text(package)
    declared = _DECLARATION.search(text)
    if declared is not None:  # entities can expand without end, and no package of Polygon has any
        raise InvalidPackage(
            "the file declares entities or a document type", MARK, text.count("\n", 0, declared.start()) + 1
        )
    try:
        return Xml.fromstring(text)  # noqa: S314  # without declarations there is nothing to expand or to fetch
    except Xml.ParseError as broken:
        raise InvalidPackage(f"not well-formed: {broken}", MARK, broken.position[0]) from broken


def _find_element(parent: Xml.Element, path: str) -> Xml.Element:
    element = parent.find(path)
    if element is None:
        raise InvalidPackage(f"there is no element {path}", MARK)
    return element


def _error_near(reason: str, package: Package, near: str) -> InvalidPackage:
    text = _text(package)
    return InvalidPackage(reason, MARK, text.count("\n", 0, max(0, text.find(near))) + 1)


def _scale(text: str | None, unit: int) -> object:
    """Return a whole number in larger units; anything else is returned unchanged, to be refused later."""
    if text is None:
        return None
    text = text.strip()
    return int(text) / unit if text.isascii() and text.isdigit() and len(text) < 16 else text


def _path(element: Xml.Element) -> str:
    return str(PurePosixPath(element.get("path") or "-"))


# --- tests, checkers and interactors ---


def _read_tests(package: Package, draft: PackageDraft, root: Xml.Element, testset: Xml.Element) -> None:
    """Add the tests if the package holds all of them, else the recipe by which its own programs make them."""
    rows = testset.findall("tests/test")
    inputs, answers = (testset.findtext(name) or "" for name in ("input-path-pattern", "answer-path-pattern"))
    for pattern in (inputs, answers):
        if not _PATTERN.fullmatch(pattern):
            raise _error_near(f"the pattern of tests {pattern!r:.60} is not understood", package, "path-pattern")
    if (testset.findtext("test-count") or str(len(rows))).strip() != str(len(rows)):
        raise _error_near(f"test-count is not {len(rows)}, the number of tests listed", package, "<test-count")
    steps = [_step(package, row, inputs % number, answers % number) for number, row in enumerate(rows, start=1)]
    talks = draft.form is Form.INTERACTIVE
    if all(step.text is not None and (step.expected is not None or talks) for step in steps):
        for step in steps:
            shared.add_test(draft, step.text or "", step.expected or "", visible=step.visible, path=step.path)
    else:
        draft.recipe = build.build_recipe(package, root, steps, testset.get("name") or "tests", talks=talks)
        draft.notes.append(f"{sum(step.text is None for step in steps)} tests are made by the package's generators")
        if draft.recipe.testlib is None:
            draft.notes.append("without its files/testlib.h, generators may print other tests than the author's")
    if testset.find("groups/group") is not None or any(row.get("points") or row.get("group") for row in rows):
        draft.notes.append("tests with points or groups: a program is accepted when it passes all")


def _step(package: Package, row: Xml.Element, path: str, answer: str) -> RecipeStep:
    """Return one test of the package. Raises InvalidPackage if the package neither holds it nor says how it is made."""
    step = RecipeStep(path, visible=row.get("sample") == "true", group=row.get("group") or "")
    if path in package:
        expected = shared.read_test(package, answer, unix=True) if answer in package else None
        return replace(step, text=shared.read_test(package, path, unix=True), expected=expected)
    if row.get("method") != "generated" or not row.get("cmd"):
        raise InvalidPackage("the test is missing, and the package does not say how to make it", path)
    if row.get("from-file"):
        raise InvalidPackage("a generator that writes several files is not run here; download the full package", path)
    generator, arguments = build.read_command(row.get("cmd") or "", path)
    return replace(step, generator=generator, arguments=arguments)


def _read_checker(package: Package, draft: PackageDraft, element: Xml.Element | None) -> None:
    if element is None:
        raise _error_near("the package names no checker", package, "<assets")
    stock = re.fullmatch(r"std::(\w+)\.cpp", element.get("name") or "")
    if stock is not None and stock[1] in _STOCK:
        single = draft.recipe is None and all(len(test.expected.split()) == 1 for test in draft.tests)
        if single or stock[1] not in _ONE_WORD_STOCK:
            draft.checker = _STOCK[stock[1]]
            return
    if element.get("type", "testlib") != "testlib":
        raise _error_near(f"a checker of type {element.get('type')!r:.40} is not judged here", package, "<checker")
    source = element.find("source")
    if source is None:
        raise _error_near("the checker has no source", package, "<checker")
    program, language = shared.read_helper_source(package, _path(source), "checker")
    shared.refuse_points(program, _path(source))
    draft.checker = Checker(CheckerKind.TESTLIB, program=program, language=language)


def _read_interactor(package: Package, draft: PackageDraft, source: Xml.Element) -> None:
    path = _path(source)
    program, language = shared.read_helper_source(package, path, "interactor")
    shared.refuse_points(program, path)
    match = re.search(r"\btout\b", program)
    if match is not None:  # the checker then decides by what was written there
        line = program.count("\n", 0, match.start()) + 1
        raise InvalidPackage("the interactor writes for a checker (tout), which is not judged here", path, line)
    draft.interactor = Interactor(program, CheckerKind.TESTLIB, language)


# --- statements ---


def _read_statements(package: Package, draft: PackageDraft, root: Xml.Element) -> None:
    for name in root.iterfind("names/name"):
        locale = _LOCALES.get(name.get("language", ""))
        if locale and name.get("value", "").strip():
            draft.titles[locale] = name.get("value", "").strip()
    refusals: list[InvalidPackage] = []
    languages = _languages(package)
    for language in sorted(languages, key=lambda name: list(_LOCALES).index(name) if name in _LOCALES else -1):
        locale = _LOCALES.get(language)
        try:
            if locale is None:
                raise InvalidPackage(f"no statement: the language {language!r:.40} is not known", languages[language])
            _read_statement(package, draft, language, locale)
        except InvalidPackage as refused:
            refusals.append(refused)
    draft.titles = {locale: title for locale, title in draft.titles.items() if locale in draft.statements}
    shared.check_statements(draft, refusals, "there are no statement-sections")


def _languages(package: Package) -> dict[str, str]:
    """Return the languages that a package has statements in, each with the file that shows it."""
    files_by_language: dict[str, str] = {}
    for folder, file in (("statement-sections", "legend.tex"), ("statements", "problem-properties.json")):
        for path in package.files_below(folder):
            language, _, inner = path.removeprefix(f"{folder}/").partition("/")
            if inner == file:
                files_by_language.setdefault(language, path)
    return files_by_language


def _read_statement(package: Package, draft: PackageDraft, language: str, locale: str) -> None:
    parts, where = _sections(package, language)
    if not parts.get("legend", "").strip():
        return
    headings = _HEADINGS.get(locale, _HEADINGS["en"])
    texts = []
    macros = Macros()  # a part may use the macros of the parts before it
    for section in ("legend", *headings):
        if parts.get(section, "").strip():
            text, _title, images = shared.read_tex(parts[section], where.format(section), macros)
            draft.flags = tuple({*draft.flags, "image"}) if images else draft.flags
            texts.append(f"## {headings[section]}\n\n{text}" if section in headings else text)
    if draft.form is Form.INTERACTIVE:
        texts += _dialogues(package, language)
    shared.add_statement(draft, locale, "\n\n".join(texts), f"{language}.md")


def _sections(package: Package, language: str) -> tuple[Mapping[str, str], str]:
    """Return the parts of a statement by name, and the pattern of their files."""
    folder = f"statement-sections/{language}"
    names = ("legend", *_HEADINGS["en"])
    if f"{folder}/legend.tex" in package:
        paths = {name: f"{folder}/{name}.tex" for name in names}
        return {name: package.text(path) for name, path in paths.items() if path in package}, f"{folder}/{{}}.tex"
    path = f"statements/{language}/problem-properties.json"
    if path not in package:
        return {}, path
    try:
        data = json.loads(package.text(path))
    except (ValueError, RecursionError) as broken:
        raise InvalidPackage(f"no statement: {broken}", path) from broken
    if not isinstance(data, dict):
        raise InvalidPackage("no statement: its top level is not an object", path)
    return {name: data[name] for name in names if isinstance(data.get(name), str)}, path


def _dialogues(package: Package, language: str) -> list[str]:
    """Return the examples of an interactive statement: what the program reads and what it writes."""
    texts = []
    for path in package.files_below(f"statement-sections/{language}"):
        if re.fullmatch(r"example\.\d{1,3}", PurePosixPath(path).name) and f"{path}.a" in package:
            message, reply = package.text(path).strip("\n"), package.text(f"{path}.a").strip("\n")
            if "```" not in message + reply:
                texts.append(f"## Example\n\nRead:\n\n```\n{message}\n```\n\nWritten:\n\n```\n{reply}\n```")
    return texts
