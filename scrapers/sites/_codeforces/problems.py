"""Codeforces' pages with statements: one problem, or all of a contest; and a contest's table of problems.

Layouts: `div.problem-statement` with a header of its own and marked sections since 2010, on pages of
contests, trainings, groups and the problem set alike; the archive of acm.sgu.ru with a heading, lines
of limits and examples in tables. A page shows no dates.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from app.domain.sources.records import Classification, DifficultyRating, PageFinding, Record, ScrapedProblem
from scrapers.reading.markdown import TextTooLong
from scrapers.reading.page import SourcePage
from scrapers.site import ParsedPage
from scrapers.sites._codeforces.api import SCALE
from scrapers.sites._codeforces.facts import PageLocation, location_of, problem_path, split_title
from scrapers.sites._codeforces.flags import FLAGS, flags_of
from scrapers.sites._codeforces.headers import drop_old_header, split_header, split_old_header
from scrapers.sites._codeforces.pages import PageContents, StatementBlock, read_contents
from scrapers.sites._codeforces.rows import problem_of_row
from scrapers.sites._codeforces.samples import find_old_samples, find_samples
from scrapers.sites._codeforces.text import language_of, section_titles, statement_text, visible_tags

_INTERACTION: Final = re.compile(
    r"\W*(?:interaction(?: protocol)?|(?:протокол )?взаимодействи[ея]|интеракци[яи])\W*$", re.I
)
_MAX_PROBLEMS: Final = 200


def parse_problem(page: SourcePage) -> ParsedPage:
    """Read the one problem of a problem's page."""
    contents = read_contents(page)
    location = location_of(page.url)
    blocks = contents.blocks
    if len(blocks) > 1:
        blocks = [block for block in blocks if block.index is not None and block.index == location.index]
    if not blocks:
        return _no_statement(contents)
    block = blocks[0]
    contradiction = _contradiction(block, contents, location)
    if contradiction is not None:
        return ParsedPage.not_read("another_page", contradiction)
    return _read(page, block, _merge_locations(location, contents.location), contents)


def parse_contest_problems(page: SourcePage) -> ParsedPage:
    """Read every problem of a contest's page: with statements, or as rows of its table of problems."""
    contents = read_contents(page)
    location = location_of(page.url)
    if location.contest and contents.location.contest and location.contest != contents.location.contest:
        return ParsedPage.not_read("another_page", f"the page is about contest {contents.location.contest}")
    where = _merge_locations(location, contents.location)
    if not contents.blocks:
        return _table(page, contents, where)
    records: list[Record] = []
    findings: list[PageFinding] = []
    if len(contents.blocks) > _MAX_PROBLEMS:
        findings.append(PageFinding("too_many", f"only {_MAX_PROBLEMS} problems of the page were read"))
    for number, block in enumerate(contents.blocks[:_MAX_PROBLEMS], 1):
        parsed = _read(
            page, block, PageLocation(where.contest, None, where.group, where.archive), PageContents(pdf=contents.pdf)
        )
        if parsed.classification is not Classification.OK:
            findings.append(PageFinding("unreadable_problem", f"problem {number} cannot be read", block.index))
        records.extend(parsed.records)
        findings.extend(parsed.findings)
    if not records:
        return ParsedPage(Classification.FORMAT_CHANGED, findings=tuple(findings))
    return ParsedPage(Classification.OK, tuple(records), tuple(findings))


def _no_statement(contents: PageContents) -> ParsedPage:
    if contents.blocks:
        return ParsedPage.not_read(
            "another_page", f"the page holds {len(contents.blocks)} problems, none of them the one"
        )
    if contents.pdf:
        return ParsedPage.not_read("statement_in_pdf", "the statement is a document, not on the page")
    return ParsedPage.not_read("no_statement", "the page has no problem statement")


def _contradiction(block: StatementBlock, contents: PageContents, location: PageLocation) -> str | None:
    """Return why a page is not the one that its address promises; None if it may be."""
    if location.index and block.index and location.index != block.index:
        return f"the page says that it is problem {block.index}"
    contest = contents.location.contest
    if location.contest and contest and location.contest != contest and not location.listed:
        return f"the page is about contest {contest}"
    return None


def _merge_locations(address: PageLocation, page: PageLocation) -> PageLocation:
    """Return a page's location: by the address it came from, else by its own content."""
    return (
        address
        if address.contest
        else PageLocation(page.contest, address.index or page.index, page.group, page.archive)
    )


def _read(page: SourcePage, block: StatementBlock, where: PageLocation, contents: PageContents) -> ParsedPage:
    head, body = (split_old_header if block.old else split_header)(block.root)
    label = block.index or where.index
    index, title = split_title(head.title, label)
    index = index or label
    samples, unpaired = (find_old_samples if block.old else find_samples)(body)
    sections = list(islice(section_titles(body), 50))
    pictures = any(tag.name == "img" for tag in visible_tags(body))
    try:
        text = statement_text(body, page.base_url)
    except TextTooLong as wrong:
        return ParsedPage.not_read("too_long", str(wrong))
    if block.old:
        text = drop_old_header(text, head.title)
    if not text and not contents.pdf:
        return ParsedPage.not_read("empty_statement", "the statement is empty")
    if text and not (sections or samples or (title and head.time_ms)):
        return ParsedPage.not_read("unknown_layout", "the statement has no part we know")
    flags = set(flags_of(text))
    if any(_INTERACTION.match(section) for section in sections) or "interactive" in contents.tags:
        flags.add("interactive")
    flags.update(name for name, is_so in (("file_io", head.files), ("image", pictures)) if is_so)
    # A program must know the names of its input and output files.
    statement = "\n\n".join((*head.files, text)) if text else ""
    contest = where.contest
    problem = ScrapedProblem(
        external_id=f"{contest}/{index}" if contest and index else None,
        contest=contest,
        index=index,
        title=title,
        url=page.base_url + problem_path(contest, index, where.group, where.archive) if contest and index else None,
        time_limit_ms=head.time_ms,
        memory_limit_mb=head.memory_mb,
        form=("interactive" if "interactive" in flags else "stdin") if text else None,
        locales=(language_of(text),) if text else (),
        statements={language_of(text): statement} if text else {},
        samples=samples,
        tags=tuple(contents.tags),
        difficulty=DifficultyRating(SCALE, contents.rating) if contents.rating is not None else None,
        flags=tuple(flag for flag in FLAGS if flag in flags),
    )
    return ParsedPage(Classification.OK, (problem,), tuple(_missing(problem, unpaired)))


def _missing(problem: ScrapedProblem, unpaired: int) -> Iterator[PageFinding]:
    subject = problem.external_id or problem.index
    if problem.external_id is None:
        yield PageFinding("missing_id", "neither the address nor the page names the problem", subject)
    if problem.title is None:
        yield PageFinding("missing_title", "the problem has no title", subject)
    if problem.time_limit_ms is None or problem.memory_limit_mb is None:
        yield PageFinding("missing_limits", "the problem shows no time or no memory limit", subject)
    if not problem.statements:
        yield PageFinding("statement_in_pdf", "the statement is a document, not on the page", subject)
    elif not problem.samples and problem.form == "stdin":
        yield PageFinding("missing_samples", "the statement has no sample we can read", subject)
    if unpaired:
        yield PageFinding("unpaired_sample", f"{unpaired} sample texts have no partner", subject)


def _table(page: SourcePage, contents: PageContents, where: PageLocation) -> ParsedPage:
    """Read the rows of a contest's table of problems: index, title, limits and files, without statements."""
    problems: dict[str, ScrapedProblem] = {}
    for row in contents.rows:
        problem = problem_of_row(row, where, page.base_url)
        if problem is not None and problem.external_id is not None:
            problems.setdefault(problem.external_id, problem)
    if not problems:
        return _no_statement(contents)
    return ParsedPage(Classification.OK, tuple(problems.values()))
