"""`parse` as a command: JSON on stdout, and exit codes a script can rely on."""

import json
from pathlib import Path

import typer
from support import atcoder_pages as pages
from typer.testing import CliRunner

from app.cli.sources.parse import parse

cli = typer.Typer()
cli.command("parse")(parse)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(arguments))
    return result.exit_code, result.stdout


def test_a_page_is_printed_as_json(tmp_path: Path) -> None:
    file = tmp_path / "task.html"
    file.write_bytes(pages.task(pages.modern([("1\n", "高橋\n")])))
    code, out = run("atcoder", "task", str(file), "--url", "https://atcoder.jp/contests/abc500/tasks/abc500_a")
    printed = json.loads(out)
    assert code == 0
    assert set(printed) == {"class", "records", "findings"}
    assert printed["class"] == "ok"
    (record,) = printed["records"]
    assert set(record) == {
        "type", "external_id", "contest", "index", "title", "url", "starts_at", "ends_at", "time_limit_ms",
        "memory_limit_mb", "points", "form", "locales", "statements", "samples", "tags", "difficulty",
        "starter_code", "signature", "flags",
    }  # fmt: skip
    assert record["type"] == "problem"
    assert record["external_id"] == "abc500_a"
    assert record["samples"] == [{"input": "1\n", "output": "高橋\n"}]
    assert record["starts_at"] == "2026-01-10T12:00:00Z"


def test_any_other_class_exits_3(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"<title>Just a moment...</title>")
    code, out = run("atcoder", "task", str(file))
    assert code == 3
    assert json.loads(out)["class"] == "blocked"
    assert json.loads(out)["findings"][0]["code"] == "challenge"


def test_kinds_are_listed() -> None:
    code, out = run("--kinds")
    assert code == 0
    assert json.loads(out)["atcoder"][:3] == ["archive", "tasks", "task"]


def test_a_wrong_call_exits_2(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"x")
    for arguments in ((), ("atcoder",), ("nowhere", "task", str(file)), ("atcoder", "nothing", str(file)),
                      ("atcoder", "task", str(tmp_path / "absent")), ("atcoder", "task", str(tmp_path))):  # fmt: skip
        assert run(*arguments) == (2, "")
