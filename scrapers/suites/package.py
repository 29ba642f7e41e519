"""Problem packages of Polygon, Kattis (ICPC, DOMjudge) and DMOJ: a folder or a zip archive, one problem each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain.asking.protocols import HOUSE_SOURCES, PRIVATE_SOURCE
from app.domain.errors import BadRow, NotFound
from app.domain.imports import ImportBatch, ImportedProblem, ImportedSource
from app.domain.publishing.origins import Origin
from scrapers.packages import common, dmoj, kattis, polygon
from scrapers.packages.archive import InvalidPackage, Package, open_package
from scrapers.packages.common import PackageDraft
from scrapers.site import find_site
from scrapers.suite import SourceFile, Suite, check_storable, refusal
from scrapers.suites._common import fields

SOURCE: Final = ImportedSource("packages", "Packages", kind="suite")
_PRIVATE: Final = ImportedSource(PRIVATE_SOURCE, "Private problems", kind="suite")
_FORMATS: Final[Mapping[str, tuple[str, Callable[[Package], PackageDraft]]]] = {
    polygon.MARK: ("Polygon", polygon.read),
    kattis.MARK: ("Kattis", kattis.read),
    dmoj.MARK: ("DMOJ", dmoj.read),
}
_MARKS: Final = frozenset({*_FORMATS, kattis.DOMJUDGE})
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9_.-]{0,99})?")
_RESERVED: Final = HOUSE_SOURCES | {PRIVATE_SOURCE}  # sources that are labelled as demo, and the private one
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _locate(path: Path) -> SourceFile:
    """Return the path of the package; its contents are checked when it is read."""
    return SourceFile(path.absolute().name, "", "", path=path)


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    if file.path is None:
        raise refusal(BadRow(file.name, 1, "a package is read from its folder or archive"))
    try:
        source, name = _source(options)
        with open_package(file.path) as opened:
            package = opened.without_top_folder(_MARKS)
            kind, draft = _draft(package)
            sha256 = package.digest()
        released = fields.instant({"released": options["released"]}, "released", now) if "released" in options else None
        problem = _problem(draft, source, _external_id(name, draft), released, kind, _original(options))
        check_storable(asdict(problem)["statements"])
        check_storable([*problem.titles.values(), *problem.tags, problem.title])
    except InvalidPackage as refused:
        where = f"{file.name}/{refused.path}".rstrip("/")
        raise refusal(BadRow(where, refused.line, refused.reason)) from refused
    except ValueError as wrong:  # an option, or text that no database holds
        raise refusal(BadRow(file.name, 1, str(wrong))) from wrong
    return ImportBatch(
        kind="package",
        origin=Origin.PACKAGE,
        file_sha256=sha256,
        file_name=file.name,
        sources=(source,),
        problems=(problem,),
        notes=tuple(f"{problem.external_id}: {note}" for note in draft.notes),
    )


def _source(options: Mapping[str, str]) -> tuple[ImportedSource, str | None]:
    """Return (the problem's source, the problem named in the options). Raises InvalidPackage."""
    slug, problem = options.get("source", SOURCE.slug), options.get("problem")
    if problem is not None and not _ID.fullmatch(problem):
        raise InvalidPackage(f"--problem {problem!r:.120} is not a problem name")
    if "private" in options:
        if "source" in options:
            raise InvalidPackage("a private problem has no other source; give --private without --source")
        return _PRIVATE, problem
    if slug == SOURCE.slug:
        return SOURCE, problem
    if slug in _RESERVED:
        how = "; private ones with --private" if slug == PRIVATE_SOURCE else ""
        raise InvalidPackage(f"packages cannot be imported as problems of {slug}{how}")
    try:
        site = find_site(slug)
    except NotFound as unknown:
        if not _SLUG.fullmatch(slug) or len(slug) > 40:
            raise InvalidPackage(
                f"--source {slug!r:.60} is neither a site nor a name of lower-case letters and digits"
            ) from unknown
        return ImportedSource(slug, slug.replace("-", " ").title(), kind="suite"), problem
    if problem is None:
        raise InvalidPackage(f"{slug} has its own problem names; say which one this is, as in --problem 1550/B")
    return ImportedSource(site.name, site.title, base_url=site.base_url), problem


def _original(options: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the (source, name) of the problem that this one rewrites. Raises InvalidPackage."""
    if "rewrites" not in options:
        return None
    source, _, name = options["rewrites"].partition("/")
    if not _SLUG.fullmatch(source) or not _ID.fullmatch(name):
        raise InvalidPackage(
            f"--rewrites {options['rewrites']!r:.120} is not SOURCE/PROBLEM, such as codeforces/1550/B"
        )
    return source, name


def _draft(package: Package) -> tuple[str, PackageDraft]:
    """Return (format, draft of the package). Raises InvalidPackage."""
    marks = [mark for mark in _FORMATS if mark in package]
    if not marks and kattis.DOMJUDGE in package:
        marks = [kattis.MARK]
    if len(marks) != 1:
        several = f"it holds {' and '.join(marks)}" if marks else f"it holds none of {', '.join(_FORMATS)}"
        raise InvalidPackage(f"not a package of exactly one known format: {several}")
    kind, read = _FORMATS[marks[0]]
    draft = read(package)
    if not draft.tests and draft.recipe is None:
        raise InvalidPackage("the package has no tests")
    common.choose_programs(draft)
    return kind, draft


def _external_id(option: str | None, draft: PackageDraft) -> str:
    name = draft.name if option is None else option
    if not _ID.fullmatch(name):
        raise InvalidPackage(f"the package is named {name!r:.60}; name its problem with --problem")
    return name


def _problem(
    draft: PackageDraft,
    source: ImportedSource,
    external_id: str,
    released: datetime | None,
    kind: str,
    original: tuple[str, str] | None,
) -> ImportedProblem:
    title = draft.titles.get("en") or next(iter(draft.titles.values()), draft.name)
    return ImportedProblem(
        source=source.slug,
        external_id=external_id,
        title=title,
        released_on=released,
        titles=draft.titles,
        tags=draft.tags if source.kind == "suite" else (),  # a site has its own
        flags=tuple(sorted(draft.flags)),
        statements=draft.statements,
        form=draft.form,
        limits=draft.limits,
        unstated=draft.unstated,
        checker=draft.checker,
        interactor=draft.interactor,
        tests=tuple(draft.tests),
        tests_made_by=f"{kind} package",
        programs=tuple(draft.programs),
        submissions=tuple(draft.submissions),
        rewrites=original,
        recipe=draft.recipe,
    )


SUITE = Suite(
    "package",
    "Problem packages of Polygon, Kattis and DMOJ",
    _read,
    {"source": (), "problem": (), "released": (), "private": ("yes",), "rewrites": ()},
    load=_locate,
)
