"""Real statements as a page shows them: every one renders, and nearly every formula is set."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.sources.records import ScrapedProblem
from scrapers.monitors import check_problem
from scrapers.reading.tex import find_broken_formulas, formulas
from scrapers.replay import parse_page
from scrapers.site import find_site
from web.statement import render_statement

# Pages of one problem or of several, by the folder they lie in.
KINDS = {
    "atcoder": ("task", "tasks_print"),
    "codeforces": ("problem", "contest_problems"),
    "leetcode": ("question",),
}
URLS = {"codeforces": "https://codeforces.com/contest/1550/problems"}
MOST_BYTES = 3_000_000


def statements(shared: Path) -> Iterator[tuple[str, str, ScrapedProblem, str]]:
    """(where from, locale, problem, text) of everything the captures hold; what is no problem page has none."""
    for site, kinds in KINDS.items():
        for path in sorted((shared / "captures" / site).rglob("*")):
            if not path.is_file() or path.stat().st_size > MOST_BYTES:
                continue
            for kind in kinds:
                parsed = parse_page(find_site(site), kind, path.read_bytes(), URLS.get(site, ""))
                for record in parsed.records:
                    if isinstance(record, ScrapedProblem):
                        for locale, text in record.statements.items():
                            yield f"{path.name}, {kind}", locale, record, text


def test_every_captured_statement_renders_and_its_formulas_are_set(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count, total, odd = 0, 0, 0
    sites = set()
    for name, locale, problem, text in statements(shared):
        made = render_statement(text, "picture")
        assert made.html, name
        assert made.formulas == len(list(formulas(text))), name  # what shows a text and what checks it agree
        count, total, odd = count + 1, total + made.formulas, odd + made.unset
        sites.add(name)
        alarms = {each.code for each in check_problem(problem, {"limits", "dates"})}
        assert not alarms & {"tex", "language", "values"}, (name, locale, alarms)
    with capsys.disabled():
        print(f"\n{count} statements of {len(sites)} captures: {total - odd} of {total} formulas set")
    assert count >= 18
    assert total >= 500
    assert odd <= 0.01 * total


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_statements_of_a_recorded_submission_render(shared: Path, every: int) -> None:
    """Texts of three sites as another benchmark kept them: other writers, so any Markdown and any dollars."""
    name = "submission_O1-Mini-2024-09-12_N1_codegeneration_eval_all.json.gz"
    with gzip.open(shared / "data" / "livecodebench" / name, "rt", encoding="utf-8") as file:
        texts = [row["question_content"] for row in json.load(file)]
    assert len(texts) == 880
    shares = []
    for text in texts[::every]:
        made = render_statement(text, "picture")
        assert made.html
        if made.formulas:
            shares.append(made.unset / made.formulas)
        assert len(find_broken_formulas(text)) <= made.formulas
    assert sum(shares) / len(shares) < 0.02
