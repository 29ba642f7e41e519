"""Words of programs, endpoints and sites do nothing to the terminal that shows them, nor to what reads a log."""

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from structlog import get_logger
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.log import configure_logging
from scrapers.replay import parse_page
from scrapers.site import find_site

HOSTILE = "a\x1b]0;b\x07\x9b31m\u202ec\ud800d\0e\r2026-01-01 [error] f"
BY_NUMBER = "a&#27;[31m&#x1B;&#0;&#x202e;b&#x2066;c&#127;&#8207;&#151;"
NEEDED = "é中\u200f—"  # what pages need: marks of a language's direction among it


def harmful(text: str) -> set[str]:
    return {each for each in text if not each.isprintable() and each not in "\n\u200f"}


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_log_shows_them_and_does_not_obey(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    before, out = logging.getLogger().handlers[:], io.StringIO()
    try:
        configure_logging(Settings(_env_file=None, log_format=form), out)
        get_logger("a").warning("said", reason=HOSTILE, kept={"by": [HOSTILE]}, needed="é中")
        logging.getLogger("another").warning("it said %s", HOSTILE)
        try:
            raise ValueError(HOSTILE)
        except ValueError:
            get_logger("a").exception("failed")
    finally:
        logging.getLogger().handlers[:] = before
    text = out.getvalue()
    assert harmful(text) <= ({"\x1b"} if form == "console" else set())
    assert "\x1b]" not in text
    assert text.count("31m") >= 4
    assert "é中" in text
    if form == "json":
        assert [json.loads(line)["event"][:6] for line in text.splitlines()] == ["said", "it sai", "failed"]
    else:
        assert not any(line.startswith("2026-01-01 [error]") for line in text.replace("Error:", "").splitlines()[:2])


def test_other_programs_logs_are_shown_so_too(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "postgres.log").write_bytes(HOSTILE.encode("utf-8", "surrogatepass") + "\né中".encode())
    shown = CliRunner().invoke(build_parser(["logs"]), ["logs", "--state", str(tmp_path)])
    assert shown.exit_code == 0
    assert harmful(shown.stdout) == set()
    assert "é中" in shown.stdout


def test_no_page_puts_them_into_records_and_reasons() -> None:
    row = '<tr><td><time class="fixtime">2026-01-05 21:00:00+0900</time></td><td><a href="/contests/abc1">{}</a></td>'
    rows = f"<html><body><table>{row.format(HOSTILE + NEEDED + BY_NUMBER)}<td>01:40</td></tr></table></body></html>"
    archive = parse_page(
        find_site("atcoder"), "archive", rows.encode("utf-8", "surrogatepass"), "https://a.example/archive"
    )
    [contest] = archive.records
    refused = parse_page(find_site("atcoder"), "archive", f"<html><h1>404 {BY_NUMBER}</h1></html>".encode())
    content = {"questionId": "1", "title": HOSTILE + NEEDED, "titleSlug": "a", "isPaidOnly": False}
    question = {"data": {"question": content | {"content": f"<p>{BY_NUMBER}</p>"}}}
    asked = parse_page(find_site("leetcode"), "question", json.dumps(question).encode())
    failed = parse_page(
        find_site("codeforces"), "contest_list", json.dumps({"status": "FAILED", "comment": HOSTILE + NEEDED}).encode()
    )
    for parsed in (archive, refused, asked, failed):
        told = [finding.message for finding in parsed.findings]
        told += [word for record in parsed.records for word in words(record)]
        assert harmful("".join(told)) == set(), told
    assert NEEDED in (getattr(contest, "title", None) or "")
    assert NEEDED in failed.findings[0].message


def words(record: Any) -> list[str]:
    """The texts of a record."""
    values = [getattr(record, name) for name in record.__dataclass_fields__]
    texts = [value for value in values if isinstance(value, str)]
    return texts + [text for value in values if isinstance(value, dict) for text in value.values() if type(text) is str]
