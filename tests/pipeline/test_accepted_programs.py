"""`import programs`: accepted programs of others prove tests, and leave by no door."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from factories import web_app
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from support.batches import SUM, WRONG, batch, problem
from support.toys import plugged_in, sources
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.tables import AuditEntry, Endpoint, Problem, ProgramRow, TestSet
from app.domain.exports import ExportTable
from app.domain.imports import ImportedModel, ImportedProblem
from app.services.boards.export import Format, lines
from app.services.operations.access import issue_login_link
from app.services.runs import imports, plan
from workers import tasks
from workers.context import Context, now, use

MARK = "somebody_elses_own_words"
MINE = f"# {MARK}\n{SUM}"
BARE = replace(problem(0, shipped=False), programs=())
# A scenario whose only item shows a reference program.
SHOWING = (
    sources()["prediction"]
    .replace('name="prediction"', 'name="showing"')
    .replace('scenario="prediction"', 'scenario="showing"')
    .replace('slug="prediction"', 'slug="showing"')
    .replace("Need.TESTS", "Need.PROGRAMS")
    .replace('{"input": test.input}, expected=test.expected)', '{"input": program.code}, expected="1")')
    .replace(
        "for number, test in enumerate(material.tests[:_MAX_ITEMS])",
        "for number, program in enumerate(material.programs)",
    )
)


def lay(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, body in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return root


def run(settings: Settings, *words: str | Path) -> Result:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(settings.state_dir)}  # fmt: skip
    return CliRunner(env=names).invoke(build_parser(["import"]), ["import", "programs", *map(str, words)])


def begin(ctx: Context, *problems: ImportedProblem) -> None:
    ctx.commit(imports.store_batch, batch(*problems), now())


def test_problems_are_named_by_folders_or_files(ctx: Context, tmp_path: Path) -> None:
    begin(ctx, BARE, replace(problem(1, shipped=False), programs=(), external_id="1550/B"))
    folder = lay(tmp_path / "programs", {
        "sum-0/a.py": MINE, "sum-0/team/b.cpp": "int main(){}", "1550/B.py": SUM, "1550/B/c.py": WRONG,
        "README.md": "x", "sum-9/a.py": SUM,
    })  # fmt: skip
    done = run(ctx.settings, "house", folder, "--no-wait", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert (said["problems"], said["rows"], said["unmatched"]) == (2, 4, ["sum-9/a.py"])
    assert said["notes"] == ["README.md: unknown file extension, skipped"]
    with ctx.sessions() as session:
        kept = session.execute(
            select(Problem.external_id, ProgramRow.language, ProgramRow.kind, ProgramRow.secret, ProgramRow.origin)
            .join(ProgramRow, ProgramRow.problem_id == Problem.id)
            .order_by(Problem.external_id, ProgramRow.language)
        ).all()
        assert [tuple(row) for row in kept] == [
            ("1550/B", "python", "reference", True, "accepted elsewhere"),
            ("1550/B", "python", "reference", True, "accepted elsewhere"),
            ("sum-0", "cpp", "reference", True, "accepted elsewhere"),
            ("sum-0", "python", "reference", True, "accepted elsewhere"),
        ]
        assert {name.split()[0] for name in session.scalars(select(ProgramRow.name))} == {"accepted"}, "no author's"
    again = json.loads(run(ctx.settings, "house", folder, "--no-wait", "--json").stdout)
    assert (again["problems"], again["rows"]) == (2, 0), "the same again is no news"


def test_a_bad_file_or_call_keeps_nothing(ctx: Context, tmp_path: Path) -> None:
    begin(ctx, BARE)
    folder = lay(tmp_path / "programs", {"sum-0/a.py": MINE, "sum-0/b.py": b"\xff", "sum-0/c.py": b"1\n\0"})
    done = run(ctx.settings, "house", folder, "--no-wait", "--json")
    assert done.exit_code == 1
    assert [(row["file"], row["line"]) for row in json.loads(done.stdout)["bad_rows"]] == [
        ("sum-0/b.py", 1), ("sum-0/c.py", 2),
    ]  # fmt: skip
    assert run(ctx.settings, "house", "--no-wait").exit_code != 0
    assert run(ctx.settings, "house", tmp_path / "nowhere", "--no-wait").exit_code != 0
    (tmp_path / "empty").mkdir()
    assert "the folder has no files" in str(run(ctx.settings, "house", tmp_path / "empty", "--no-wait").exception)
    assert run(ctx.settings, "harbour", lay(tmp_path / "fine", {"a.py": SUM}), "--no-wait").exit_code != 0
    with ctx.sessions() as session:
        assert session.scalars(select(ProgramRow)).all() == []


@pytest.mark.sandbox
def test_tests_that_nobody_vouched_for_are_proven_by_them(ctx: Context, tmp_path: Path) -> None:
    begin(ctx, BARE, replace(problem(1, shipped=False), programs=()))
    proofs = select(TestSet.proof).join(Problem, Problem.id == TestSet.problem_id).order_by(Problem.external_id)
    with ctx.sessions() as session:
        assert session.scalars(proofs).all() == ["unproven", "unproven"]
    programs = {"sum-0.py": MINE, "sum-1.py": f"# {MARK}\n{WRONG}"}
    done = run(ctx.settings, "house", lay(tmp_path / "programs", programs), "--no-wait")
    assert (done.exit_code, MARK in done.output) == (0, False), done.output
    use(ctx)
    tasks.prove_tests()
    with ctx.sessions() as session:
        assert session.scalars(proofs).all() == ["proven", "refuted"]
        assert MARK not in json.dumps(session.scalars(select(TestSet.proof_detail)).all())
        held = session.scalars(select(Problem.hold_reason).order_by(Problem.external_id)).all()
    assert MARK not in everything_shown(ctx, "sum-0", "sum-1")
    assert [reason is None for reason in held] == [True, False]


def everything_shown(ctx: Context, *problems: str) -> str:
    """Every page and answer about problems, every export, and the logs of people's writes."""
    parts = []
    with ctx.sessions.begin() as session:
        token = issue_login_link(session, now())
        parts += ["".join(lines(session, table, form)) for table in ExportTable for form in (Format.JSONL, Format.CSV)]
        parts += [repr((row.action, row.subject, row.reason, row.after)) for row in session.scalars(select(AuditEntry))]
    with (
        served(web_app(ctx.sessions, ctx.settings.state_dir)) as url,
        httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES, follow_redirects=True) as client,
    ):
        client.post("/en/login", data={"token": token})
        for path in (*(f"/en/problems/house/{name}" for name in problems), "/en/", "/en/ops", "/en/ops/quarantine",
                     "/en/ops/machinery", "/en/changes", "/en/status", "/api/v1/status", "/api/v1/boards/codegen",
                     "/api/v1/ledger"):  # fmt: skip
            parts.append(client.get(path).text)
    assert all(name in "".join(parts) for name in problems)
    return "".join(parts)


def test_no_page_answer_export_or_log_shows_them(
    ctx: Context, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    begin(ctx, problem(0))
    done = run(ctx.settings, "house", lay(tmp_path / "programs", {"sum-0/a.py": MINE}), "--no-wait")
    assert done.exit_code == 0
    assert MARK not in everything_shown(ctx, "sum-0")
    logged = capfd.readouterr()
    assert MARK not in done.output + logged.out + logged.err


def test_they_are_sent_to_nobody(ctx: Context, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    asked: list[str] = []

    def answer(request: Asked) -> Say:
        asked.append(json.dumps(request.json))
        return model_server.message("OUTPUT\n1\n")

    with plugged_in(tmp_path_factory.mktemp("scenarios"), ("showing", SHOWING)) as known, ModelServer(answer) as server:
        begin(ctx, problem(0))
        assert run(ctx.settings, "house", lay(tmp_path / "programs", {"sum-0/a.py": MINE}), "--no-wait").exit_code == 0
        use(ctx)
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for scenario in known.values():  # of each way of asking
            for protocol in {each.style: each for each in scenario.protocols}.values():
                ctx.commit(plan.register_demo, (tern,), protocol, now())
        tasks.plan_runs()
        with ctx.sessions() as session:
            endpoints = session.scalars(select(Endpoint.id)).all()
        for endpoint in endpoints:
            tasks.infer_slice(endpoint)
    shown = [text for text in asked if "a, b = map" in text]
    assert shown, "the reference that came with the problem is asked about"
    assert MARK not in "".join(asked)
