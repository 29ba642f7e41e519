"""AtCoder's task pages: one statement in up to two languages, limits, samples, and flags.

Layouts seen: since 2014 `div.part > section > h3 + pre`; 2012-2014 `div.part > h3 + section > pre` with prettyprint;
the oldest and guest contests with headings, or plain paragraphs, before `pre`. All are read alike: a sample is the
first `pre` after its label.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from bs4 import PageElement, Tag

from app.domain.sources.records import Classification, PageFinding, Record, ScrapedExample, ScrapedProblem
from scrapers.reading.html import BLOCKS, attribute, classes, is_dropped, visible_text
from scrapers.reading.markdown import to_text
from scrapers.reading.page import SourcePage
from scrapers.site import ParsedPage
from scrapers.sites._atcoder.contests import contest_times, task_url, without_training
from scrapers.sites._atcoder.facts import LIMIT_LINE, contest_id, limits, points, split_title, task_ids
from scrapers.sites._atcoder.flags import flags_of
from scrapers.sites._atcoder.samples import find_samples

_KANA: Final = re.compile("[\u3041-\u30ff]")
_CJK: Final = re.compile("[\u4e00-\u9fff]")
_SECTION: Final = re.compile(
    r"^(?:problem(?: statement)?|statement|constraints?|input(?: format)?|output(?: format)?|sample\b.*|例.*"
    r"|問題(?:文|概要)?|制約.*|入力.*|出力.*|入出力.*|課題|ストーリー|story)\W*$",
    re.IGNORECASE,
)
_MIN_STATEMENT_CHARS: Final = 200
_MAX_PARENTS: Final = 5  # tags around a limit's label
_ABSENT: Final = re.compile(
    r"not available|no english|english (?:version|statement) is|準備中|ありません", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Block:
    """One task on a page: its heading, the line with its limits, its statement."""

    heading: str
    limit_line: str
    statement: Tag
    links: tuple[str, ...]


def parse_task(page: SourcePage) -> ParsedPage:
    """Read the one problem of a task page."""
    block = next(_blocks(page), None)
    if block is None:
        return ParsedPage.not_read("no_statement", "the page has no task statement")
    contest, task = _task_identity(page)
    own = task_ids(_shared_address(page))[1]
    if task and own and task.casefold() != own.casefold():
        return ParsedPage.not_read("another_page", f"the page says that it is {own}")
    return _read(page, replace(block, heading=block.heading or page.title), contest, task)


def parse_tasks_print(page: SourcePage) -> ParsedPage:
    """Read every problem of a contest's print page, which names tasks by label and seldom by id."""
    contest = contest_id(page.url) or contest_id(_canonical_address(page))
    records: list[Record] = []
    findings: list[PageFinding] = []
    for number, block in enumerate(_blocks(page), 1):
        task = next((name for link in block.links if (name := task_ids(link)[1])), None)
        parsed = _read(page, block, contest, task)
        if parsed.classification is not Classification.OK:
            findings.append(PageFinding("unreadable_task", f"task {number} cannot be read", block.heading or None))
        records.extend(parsed.records)
        findings.extend(parsed.findings)
    if not records:
        return ParsedPage.not_read("no_statement", "the page has no readable task statement")
    return ParsedPage(Classification.OK, tuple(records), tuple(findings))


def _blocks(page: SourcePage) -> Iterator[_Block]:
    """Yield the tasks of a page in order; a heading and a limit line belong to the next statement."""
    heading = limit_line = ""
    links: list[str] = []
    skip_until: Tag | None = None
    for node in page.soup.descendants:
        if skip_until is not None:
            if node is not skip_until:
                continue
            skip_until = None
        if not isinstance(node, Tag):
            if not limit_line and node.parent is not None and LIMIT_LINE.search(str(node)):
                limit_line = _limit_line(node)
        elif attribute(node, "id") == "task-statement":
            yield _Block(heading, limit_line, node, tuple(links))
            heading, limit_line, links = "", "", []
            skip_until = _next_outside(node)
            if skip_until is None:
                return
        elif not heading and (node.name == "h2" or "h2" in classes(node)):
            heading = _heading_text(node)
        elif node.name == "a" and len(links) < 50 and "/tasks/" in attribute(node, "href"):
            links.append(attribute(node, "href"))


def _limit_line(label: PageElement) -> str:
    """Return the text with most limits around a label, no further out than its block."""
    lines: list[str] = []
    for around in islice(label.parents, _MAX_PARENTS):
        lines.append(visible_text(around, 400))
        if around.name in BLOCKS:
            break
    return max(lines, key=lambda line: sum(limit is not None for limit in limits(line)), default="")


def _next_outside(node: Tag) -> Tag | None:
    """Return the first tag after `node` that is not inside it."""
    tag = node
    while tag is not None:
        following = tag.find_next_sibling()
        if isinstance(following, Tag):
            return following
        if tag.parent is None:
            return None
        tag = tag.parent
    return None


def _heading_text(tag: Tag) -> str:
    """Return a heading without the buttons inside it."""
    parts = [
        visible_text(content, 500) for content in tag.contents if not (isinstance(content, Tag) and _is_button(content))
    ]
    return " ".join(" ".join(parts).split())


def _is_button(tag: Tag) -> bool:
    return is_dropped(tag) or tag.name == "a" or "btn" in classes(tag)


def _task_identity(page: SourcePage) -> tuple[str | None, str | None]:
    """Return (contest, task) of the address that the page came from, else of the address it gives itself."""
    contest, task = task_ids(page.url)
    return (contest, task) if task else task_ids(_canonical_address(page))


def _canonical_address(page: SourcePage) -> str:
    link = page.soup.find("a", href=re.compile(r"/contests/[^/?]+/(?:tasks/[^/?]+|tasks_print)\?lang="))
    return _shared_address(page) or (attribute(link, "href") if isinstance(link, Tag) else "")


def _shared_address(page: SourcePage) -> str:
    """Return the address that a page gives itself for sharing; "" if it gives none."""
    meta = page.soup.find("meta", attrs={"property": "og:url"})
    if isinstance(meta, Tag) and "/contests/" in attribute(meta, "content"):
        return attribute(meta, "content")
    tag = page.soup.find(attrs={"data-a2a-url": True})
    return attribute(tag, "data-a2a-url") if isinstance(tag, Tag) else ""


def _read(page: SourcePage, block: _Block, contest: str | None, task: str | None) -> ParsedPage:
    roots = _locales(block.statement)
    time_ms, memory_mb = limits(block.limit_line)
    if not roots:
        return ParsedPage.not_read("empty_statement", "the task statement is empty")
    samples, findings = _samples(roots, task)
    texts = {locale: visible_text(root) for locale, root in roots.items()}
    if not (samples or any(_has_section(root) for root in roots.values())):
        # Without a known section, only limits and a text of some length show that this is a statement.
        is_statement = (time_ms or memory_mb) and max(map(len, texts.values())) >= _MIN_STATEMENT_CHARS
        if not is_statement:
            return ParsedPage.not_read("unknown_layout", "the statement has no section we know")
    index, title = split_title(block.heading)
    starts_at, ends_at = contest_times(page)
    flags = flags_of(texts.values(), block.statement)
    problem = ScrapedProblem(
        external_id=task,
        contest=contest,
        index=index,
        title=title,
        url=task_url(page.base_url, contest, task) if contest and task else None,
        starts_at=starts_at,
        ends_at=ends_at,
        time_limit_ms=time_ms,
        memory_limit_mb=memory_mb,
        points=next((score for text in texts.values() if (score := points(text[:600])) is not None), None),
        form="interactive" if "interactive" in flags else "stdin",
        locales=tuple(roots),
        statements={locale: to_text(root, page.base_url) for locale, root in roots.items()},
        samples=samples,
        flags=flags,
    )
    missing = tuple(_missing(problem))
    return ParsedPage(Classification.OK, (without_training(problem),), (*missing, *findings))


def _missing(problem: ScrapedProblem) -> Iterator[PageFinding]:
    subject = problem.external_id or problem.index
    if problem.external_id is None:
        yield PageFinding("missing_id", "neither the address nor the page names the task", subject)
    if problem.title is None:
        yield PageFinding("missing_title", "the task has no title", subject)
    if problem.time_limit_ms is None or problem.memory_limit_mb is None:
        yield PageFinding("missing_limits", "the task shows no time or no memory limit", subject)
    if problem.starts_at is None or problem.ends_at is None:
        yield PageFinding("missing_date", "the page shows no contest duration", subject)
    if not problem.samples and problem.form == "stdin":
        yield PageFinding("missing_samples", "the statement has no sample we can read", subject)


def _locales(statement: Tag) -> dict[str, Tag]:
    """Return the statement by language, English first; old pages have one language and do not mark it."""
    marked: dict[str, Tag] = {}
    for span in statement.find_all("span", class_=re.compile("^lang-[a-z]{2}$"), limit=20):
        locale = next(name[5:] for name in classes(span) if re.fullmatch("lang-[a-z]{2}", name))
        if locale not in marked and _is_written(span):
            marked[locale] = span
    if marked:
        return dict(sorted(marked.items()))
    text = visible_text(statement, 20_000)
    return {_language(text): statement} if text else {}


def _is_written(root: Tag) -> bool:
    text = visible_text(root, 400)
    return bool(text) and not (len(text) < 200 and _ABSENT.search(text))


def _language(text: str) -> str:
    # A few Japanese names occur in English texts; running Japanese always has kana.
    japanese = len(_KANA.findall(text)) + len(_CJK.findall(text))
    return "ja" if _KANA.search(text) and japanese * 10 > len(text) else "en"


def _has_section(root: Tag) -> bool:
    headings = root.find_all(["h1", "h2", "h3", "h4", "h5", "dt", "b", "strong"], limit=60)
    return any(_SECTION.match(visible_text(heading, 60)) for heading in headings)


def _samples(roots: dict[str, Tag], task: str | None) -> tuple[tuple[ScrapedExample, ...], list[PageFinding]]:
    """Return the samples of the first language that has any, with findings if the languages disagree."""
    findings = []
    samples_by_locale = {}
    for locale, root in roots.items():
        samples_by_locale[locale], unpaired = find_samples(root)
        if unpaired:
            findings.append(PageFinding("unpaired_sample", f"{unpaired} sample texts ({locale}) have no partner", task))
    versions = [samples for samples in samples_by_locale.values() if samples]
    if any(samples != versions[0] for samples in versions[1:]):
        findings.append(PageFinding("samples_differ", "the samples differ between the languages", task))
    return (versions[0] if versions else ()), findings
