"""The site that the guide writes down, kept to the contract of all sites as soon as its file is there."""

from pathlib import Path

from support.snippets import contract, plug_in, plugged

from app.domain.sources.records import Classification, ScrapedContest, ScrapedExample, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.site import all_sites

GUIDE = "adding-a-site.md"
TASK = b"""<!DOCTYPE html><html><head><title>Eggs</title></head><body><article id="task" data-id="eggs" data-contest="7"
data-letter="A"><h1>Eggs</h1><p id="limits">Limits: 2 s, 256 MB</p><div id="statement"><p>Count <b>eggs</b>.</p></div>
<pre>1 2</pre><pre>3</pre><pre>4 5</pre><pre>9</pre></article></body></html>"""


def test_the_contract_of_sites_covers_it(tmp_path: Path) -> None:
    said = contract(plug_in(GUIDE), tmp_path, "scrapers/test_site_contract.py", "dozen or there_are_sites")
    for kind in ("contests", "contest", "task"):
        assert f"test_garbage_never_raises_and_gives_nothing[dozen-{kind}] PASSED" in said
    assert "test_a_site_describes_itself[dozen] PASSED" in said


def test_it_reads_what_its_judge_shows(tmp_path: Path) -> None:
    with plugged(plug_in(GUIDE), tmp_path):
        site = all_sites()["dozen"]
        task = parse_page(site, "task", TASK, "https://dozen.example/tasks/eggs")
        assert task.classification is Classification.OK
        assert task.records == (
            ScrapedProblem(
                "eggs", "7", "A", "Eggs", "https://dozen.example/tasks/eggs", time_limit_ms=2000, memory_limit_mb=256,
                form="stdin", locales=("en",), statements={"en": "Count **eggs**."},
                samples=(ScrapedExample("1 2\n", "3\n"), ScrapedExample("4 5\n", "9\n")),
            ),
        )  # fmt: skip
        listed = parse_page(
            site, "contests", b'{"contests": [{"id": 7, "title": "Seven", "starts": "2026-05-01T10:00"}]}'
        )
        assert (listed.classification, listed.records) == (Classification.FORMAT_CHANGED, ())
        right = b'{"contests": [{"id": 7, "title": "7", "starts": "2026-05-01T10:00Z", "ends": "2026-05-01T11:00Z"}]}'
        [contest] = parse_page(site, "contests", right).records
        assert isinstance(contest, ScrapedContest)
        assert (contest.external_id, contest.ends_at is not None) == ("7", True)
