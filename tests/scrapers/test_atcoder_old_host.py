"""Task pages of AtCoder's old host, one a contest: limits and dates stand elsewhere and in two languages."""

from datetime import UTC, datetime

import pytest

from app.domain.sources.records import Classification, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.site import find_site

URL = "https://lamps2017.contest.atcoder.jp/tasks/lamps_b"
TIMES = (
    '<time style="display:none" id="contest-start-time">2017/03/04 12:00:00 +0000</time>'
    '<time style="display:none" id="contest-end-time">2017/03/04 14:30:00 +0000</time>'
)


def both(english: str, japanese: str) -> str:
    return f'<span class="lang"><span class="lang-en">{english}</span><span class="lang-ja">{japanese}</span></span>'


TIME, MEMORY = both("Time limit", "時間制限"), both("Memory limit", "メモリ制限")


def task(limits: str, times: str = TIMES) -> bytes:
    return (
        f"<html><head><title>B: Lamps | AtCoder</title></head><body>{times}<h2>B - Lamps</h2><hr>{limits}"
        '<div id="task-statement"><div class="part"><section><h3>Problem Statement</h3><p>Count the lamps.</p>'
        "</section></div><h3>Sample Input 1</h3><pre>1\n</pre><h3>Sample Output 1</h3><pre>2\n</pre></div></body>"
        "</html>"
    ).encode()


@pytest.mark.parametrize(
    "limits",
    [
        f"<p>{TIME} : 4sec / {MEMORY} : 256MB</p>",
        f"<div><b>{TIME}</b>: 4 sec / <b>{MEMORY}</b>: 256 MB</div>",
        "<p><span>Time limit: 4 sec</span> / <span>Memory limit: 256 MB</span></p>",
        "<p>Time limit : 4sec / Memory limit : 256MB</p>",
    ],
)
def test_limits_and_dates_that_the_page_shows_are_read(limits: str) -> None:
    parsed = parse_page(find_site("atcoder"), "task", task(limits), URL)
    assert parsed.classification is Classification.OK
    assert not parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.external_id, problem.contest, problem.title) == ("lamps_b", "lamps2017", "Lamps")
    assert (problem.time_limit_ms, problem.memory_limit_mb) == (4000, 256)
    assert problem.starts_at == datetime(2017, 3, 4, 12, tzinfo=UTC)
    assert problem.ends_at == datetime(2017, 3, 4, 14, 30, tzinfo=UTC)


def test_what_the_page_does_not_show_is_missed() -> None:
    outside = f"<div>{'x ' * 300}<p><span>Time limit</span></p>4 sec</div>"
    parsed = parse_page(
        find_site("atcoder"), "task", task(outside, TIMES.replace("2017/03/04 14:30", "2017/13/04 14:30")), URL
    )
    assert {finding.code for finding in parsed.findings} == {"missing_limits", "missing_date"}
