"""A name that nothing has is a slip of the call, whichever verb it is given to: exit code 2."""

import pytest

from app.cli.__main__ import main
from app.cli.verbs import VERBS
from app.config import Settings
from workers.context import leave

REASON = ["--reason", "why"]
CALLS = [
    ["board", "nobody"], ["board", "codegen", "--protocol", "nobody"],
    ["board", "codegen", "--ref", "nobody"], ["holistic", "--family", "nobody"], ["snapshot", "nobody", *REASON],
    ["export", "board", "nobody"], ["export", "cells", "--protocol", "nobody"], ["import", "nobody", "file"],
    ["scrape", "nobody"], ["scrape", "atcoder", "--facts", "nobody"], ["replay", "nobody"],
    ["parse", "nobody", "archive", "file"], ["parse", "atcoder", "nobody", "file"],
    ["model", "cutoff", "nobody", "--on", "2026-01-01", "--evidence", "https://example.com/card", *REASON],
    ["model", "weights", "nobody", "--weights", "open", *REASON],
    ["model", "prices", "nobody"],
    ["run", "start", "new", "--protocol", "nobody", "--gpu", "org/weights"],
    ["run", "show", "77"], ["run", "watch", "77"],
    ["run", "pause", "77", *REASON], ["run", "resume", "77", *REASON], ["run", "cancel", "77", *REASON],
    ["run", "void", "77", *REASON],
    ["protocol", "add", "new", "--from", "nobody"], ["protocol", "orders", "nobody", *REASON],
    ["protocol", "sweep", "nobody", "--top-k", "5"],
    ["budget", "set", "5", "--run", "77", *REASON], ["budget", "set", "5", "--organisation", "nobody", *REASON],
    ["budget", "lift", "--run", "77", *REASON],
    ["problem", "items", "house/nobody", "--protocol", "house"], ["problem", "tests", "house/nobody"],
    ["setter", "add", "new", "--vendor", "v", "--endpoint", "http://127.0.0.1:9/v1", "--backend", "nobody"],
    ["setter", "remove", "nobody", *REASON],
    ["rejudge", "--problem", "house/nobody", *REASON], ["rejudge", "--model", "nobody", *REASON],
    ["rejudge", "--protocol", "nobody", *REASON], ["rejudge", "--source", "nobody", *REASON],
    ["rejudge", "--show", "77"], ["rejudge", "--begin", "77", *REASON], ["rejudge", "--drop", "77", *REASON],
    ["key", "revoke", "nobody", *REASON], ["link", "--member-of", "nobody", "--email", "ada@example.com"],
    ["league", "prove", "nobody"], ["perf", "nobody"], ["doctor", "nobody"], ["completion", "nobody"],
    ["logs", "nobody"], ["nobody"], ["gateway", "withdraw", "https://nobody.example", *REASON],
    ["vendor", "invite", "no body", "ada@example.com"],
]  # fmt: skip


def test_every_verb_refuses_a_name_that_nothing_has_as_a_wrong_call(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = settings.state_dir / "logs"
    logs.mkdir(exist_ok=True)
    (logs / "web.log").touch()
    monkeypatch.setenv("TIDEMARK_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("TIDEMARK_REDIS_URL", settings.redis_url)
    monkeypatch.setenv("TIDEMARK_STATE", str(settings.state_dir))
    wrong = {}
    for words in CALLS:
        code = main(words)
        said = capsys.readouterr().err
        if code != 2 or "Missing" in said or "No such" in said:
            wrong[" ".join(words)] = f"{code}: {said[-300:]}"
    leave()
    assert not wrong, "\n".join(f"{call}\n    {said}" for call, said in wrong.items())
    takes_none = {"up", "down", "status", "worker", "test", "link", "alarm", "backup", "restore", "shots"}
    with_files = {"grade", "testgen", "consensus", "grade-answer", "judge-env"}
    assert {words[0] for words in CALLS} - {"nobody"} | takes_none | with_files == set(VERBS)
