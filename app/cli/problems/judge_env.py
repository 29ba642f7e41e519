"""`tidemark judge-env`: packages that unittests may import, the tasks that pass with them, and headers for C++."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from app.cli.parser import State, VerbGroup
from app.cli.problems.atcoder_library import WHERE_TO_GET, read_library
from app.config import ROOT, Settings
from app.domain.errors import InvalidInput
from app.domain.imports import ImportedProblem
from app.domain.problems import Form
from app.domain.publishing.holds import ProofOutcome
from app.services.problems import publishing
from app.supervise import open_state
from scrapers.suite import find_suite
from workers.context import make_context, now, use
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.proofs import prove
from workers.grading.testing.atcoder_library import LibraryHeaders, find_headers, install_headers
from workers.grading.testing.packages import Packages, build_packages, find_packages

judge_env = VerbGroup("Install and check the packages and headers that judged programs may use.")

_LOCKS = {"bigcode": "requirements-bigcode.txt"}
_HEADERS = "acl"
_NO_PACKAGES = "no packages: unittests may import only the standard library and sortedcontainers"
_NO_HEADERS = "no headers: a C++ program that includes <atcoder/...> does not compile"

Name = Annotated[str, typer.Argument(metavar="NAME", help="bigcode (packages), or acl (the AtCoder Library).")]
Tasks = Annotated[str, typer.Argument(metavar="NAME", help="The environment: bigcode.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@judge_env.command("build")
def build_environment(
    name: Name,
    library: Annotated[
        Path | None, typer.Argument(metavar="FOLDER_OR_ZIP", help="For acl: its release archive, or a checkout of it.")
    ] = None,
    *,
    state: State = None,
) -> None:
    """Install an environment: bigcode, or acl from the file that you downloaded.

    If the packages changed, all unittests are proven again. Programs see them read-only. If they cannot be installed
    here, one line says why.
    """
    if name == _HEADERS:
        _build_headers(library)
        return
    lock, settings = ROOT / _lock_file(name), Settings().judge_settings()
    if library is not None:
        raise InvalidInput(f"{name} is installed from its lock file, not from {library}")
    before = find_packages(settings.sandbox_root)
    installed = build_packages(settings.sandbox_root, settings.python, lock, settings.scratch)
    _print_packages(installed)
    if before is None or before.digest != installed.digest:
        with open_state(state) as here:
            ctx = use(make_context(here))
            count = ctx.commit(publishing.prove_all_again, Form.UNITTEST)
            ctx.wake("prove")
        print(f"{count} test sets will be proven again; running judges use the packages after their next self-test")


def _build_headers(library: Path | None) -> None:
    if library is None:
        raise InvalidInput(WHERE_TO_GET)
    headers = LibraryHeaders.of(Settings().judge_settings().sandbox_root, *read_library(library))
    install_headers(headers)
    _print_headers(headers)
    print("running judges use the headers after their next self-test; C++ answers then get a new grader revision")


@judge_env.command()
def show(name: Name, *, as_json: AsJson = False) -> None:
    """Print the packages that unittests are judged with here, or the headers for C++."""
    root = Settings().judge_settings().sandbox_root
    if name == _HEADERS:
        headers = find_headers(root)
        if as_json:
            facts = headers and {"digest": headers.digest, "source": headers.source, "headers": sorted(headers.files)}
            print(json.dumps(facts))
        elif headers is None:
            print(_NO_HEADERS)
        else:
            _print_headers(headers)
        return
    _lock_file(name)
    packages = find_packages(root)
    if as_json:
        print(json.dumps(None if packages is None else {"digest": packages.digest, "packages": packages.versions}))
    elif packages is None:
        print(_NO_PACKAGES)
    else:
        _print_packages(packages)


@judge_env.command()
def check(
    name: Tasks,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="BigCodeBench tasks, as `import bigcodebench` reads.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Prove a file's tasks with the packages here.

    References must pass three times, and stubs fail. Needs no server.

    Prints the share of tasks that pass, the missing packages, the branch coverage of the references, and each failed
    task with its reason. The exit code is 1 if a task fails.
    """
    _lock_file(name)
    suite = find_suite("bigcodebench")
    problems = suite.read(suite.load(file), {}, now()).problems
    judge = AnsweringJudge(Settings().judge_settings())
    judge.self_test()
    proofs = [TaskProof(problem, prove(judge, problem.spec, problem.programs)) for problem in problems]
    print(json.dumps(task_report(proofs)) if as_json else "\n".join(task_report_lines(proofs)))
    if any(not proof.outcome.proven for proof in proofs):
        raise typer.Exit(1)


class TaskProof(NamedTuple):
    """A task and the outcome of its proof."""

    problem: ImportedProblem
    outcome: ProofOutcome


def task_report(proofs: Sequence[TaskProof]) -> dict[str, object]:
    """Return the result of `check` as JSON values."""
    failed = {proof.problem.external_id: proof.outcome.reason for proof in proofs if not proof.outcome.proven}
    reached = {
        proof.problem.external_id: proof.outcome.covered for proof in proofs if proof.outcome.covered is not None
    }
    missing = Counter(name for proof in proofs for name in proof.outcome.lacking)
    return {
        "tasks": len(proofs),
        "passed": len(proofs) - len(failed),
        "pass_rate": round((len(proofs) - len(failed)) / len(proofs), 4) if proofs else None,
        "missing": dict(sorted(missing.items(), key=lambda pair: (-pair[1], pair[0]))),
        "failed": failed,
        "reached": {task: covered._asdict() | {"coverage": covered.share} for task, covered in reached.items()},
    }


def task_report_lines(proofs: Sequence[TaskProof]) -> list[str]:
    """Return the result of `check` as text."""
    totals = task_report(proofs)
    text = [f"{totals['passed']} of {totals['tasks']} tasks pass"]
    missing = totals["missing"]
    assert isinstance(missing, dict)
    if missing:
        text.append("missing: " + ", ".join(f"{name} ({count})" for name, count in missing.items()))
    shares = [proof.outcome.covered.share for proof in proofs if proof.outcome.covered is not None]
    branched = [share for share in shares if share is not None]
    if branched:
        text.append(f"branch coverage: {sum(branched) / len(branched):.1f} % (mean of {len(branched)} tasks)")
    failed = totals["failed"]
    assert isinstance(failed, dict)
    return [*text, *(f"  {task}: {reason}" for task, reason in failed.items())]


def _lock_file(name: str) -> str:
    if name == _HEADERS:
        raise InvalidInput("acl has headers and no tasks to check")
    if name not in _LOCKS:
        raise InvalidInput(f"unknown environment {name!r}; known: {', '.join((*_LOCKS, _HEADERS))}")
    return _LOCKS[name]


def _print_packages(packages: Packages) -> None:
    print(f"{packages.digest}: {len(packages.versions)} packages")
    print("  " + " ".join(packages.versions))


def _print_headers(headers: LibraryHeaders) -> None:
    print(f"{headers.digest}: {len(headers.files)} headers from {headers.source}")
    print("  " + " ".join(path.removeprefix("atcoder/") for path in sorted(headers.files) if not path.endswith(".hpp")))
