"""`tidemark judge-env`: packages that unittests may import, which tasks pass with them, and headers for C++."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from app.cli.parser import Group, State
from app.cli.problems.headers import WHERE_TO_GET, read_library
from app.config import ROOT, Settings
from app.domain.errors import InvalidInput
from app.domain.imports import ImportedProblem
from app.domain.problems import Form
from app.domain.publishing.holds import ProofOutcome
from app.services.problems import publish
from app.supervise import attached
from scrapers.suite import find_suite
from workers.context import make_context, now, use
from workers.grading.producer import Producer
from workers.grading.proofs import prove
from workers.grading.testing.headers import LibraryHeaders, find_headers, install_headers
from workers.grading.testing.packages import Packages, build, in_use

judge_env = Group("The packages and headers that judged programs may use.")

_LOCKS = {"bigcode": "requirements-bigcode.txt"}
_HEADERS = "acl"
_NO_PACKAGES = "no packages: unittests may import the standard library and sortedcontainers"
_NO_HEADERS = "no headers: a C++ program that includes <atcoder/...> does not compile"

Name = Annotated[str, typer.Argument(metavar="NAME", help="bigcode (packages), or acl (the AtCoder Library).")]
Tasks = Annotated[str, typer.Argument(metavar="NAME", help="The environment: bigcode.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@judge_env.command("build")
def build_packages(
    name: Name,
    library: Annotated[
        Path | None, typer.Argument(metavar="FOLDER_OR_ZIP", help="Of acl: its release archive, or a checkout of it.")
    ] = None,
    *,
    state: State = None,
) -> None:
    """Install an environment: bigcode, or acl from the file that you downloaded.

    Where packages are others than before, all unittests are proven again. Programs see them read-only. One line says
    why they cannot be installed here, if so.
    """
    if name == _HEADERS:
        _build_headers(library)
        return
    lock, settings = ROOT / _lock(name), Settings().judge()
    if library is not None:
        raise InvalidInput(f"{name} is installed from its lock, not from {library}")
    before = in_use(settings.sandbox_root)
    made = build(settings.sandbox_root, settings.python, lock, settings.scratch)
    _tell(made)
    if before is None or before.digest != made.digest:
        with attached(state) as here:
            ctx = use(make_context(here))
            again = ctx.commit(publish.prove_all_again, Form.UNITTEST)
            ctx.wake("prove")
        print(f"{again} test sets are proven again; judges that run take the packages at their next self-test")


def _build_headers(library: Path | None) -> None:
    if library is None:
        raise InvalidInput(WHERE_TO_GET)
    headers = LibraryHeaders.of(Settings().judge().sandbox_root, *read_library(library))
    install_headers(headers)
    _tell_headers(headers)
    print("judges that run take the headers at their next self-test; C++ answers then have a new grader revision")


@judge_env.command()
def show(name: Name, *, as_json: AsJson = False) -> None:
    """Print the packages that unittests are judged with here, or the headers for C++."""
    root = Settings().judge().sandbox_root
    if name == _HEADERS:
        headers = find_headers(root)
        if as_json:
            facts = headers and {"digest": headers.digest, "source": headers.source, "headers": sorted(headers.files)}
            print(json.dumps(facts))
        elif headers is None:
            print(_NO_HEADERS)
        else:
            _tell_headers(headers)
        return
    _lock(name)
    found = in_use(root)
    if as_json:
        print(json.dumps(None if found is None else {"digest": found.digest, "packages": found.versions}))
    elif found is None:
        print(_NO_PACKAGES)
    else:
        _tell(found)


@judge_env.command()
def check(
    name: Tasks,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="BigCodeBench tasks, as `import bigcodebench` reads.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Prove a file's tasks with the packages here.

    References must pass three times, and stubs fail. Needs no server.

    Prints the share that passes, the packages that are missing, the share of the references' branches that their tests
    take, and each task that does not pass with its reason. The exit code is 1 when one does not.
    """
    _lock(name)
    suite = find_suite("bigcodebench")
    problems = suite.read(suite.load(file), {}, now()).problems
    judge = Producer(Settings().judge())
    judge.self_test()
    judged = [Judged(problem, prove(judge, problem.spec, problem.programs)) for problem in problems]
    print(json.dumps(report(judged)) if as_json else "\n".join(lines(judged)))
    if any(not each.outcome.proven for each in judged):
        raise typer.Exit(1)


class Judged(NamedTuple):
    """A task and what its proof came to."""

    problem: ImportedProblem
    outcome: ProofOutcome


def report(judged: Sequence[Judged]) -> dict[str, object]:
    """What `check` says, as JSON values."""
    failed = {each.problem.external_id: each.outcome.reason for each in judged if not each.outcome.proven}
    reached = {each.problem.external_id: each.outcome.covered for each in judged if each.outcome.covered is not None}
    missing = Counter(name for each in judged for name in each.outcome.lacking)
    return {
        "tasks": len(judged),
        "passed": len(judged) - len(failed),
        "pass_rate": round((len(judged) - len(failed)) / len(judged), 4) if judged else None,
        "missing": dict(sorted(missing.items(), key=lambda pair: (-pair[1], pair[0]))),
        "failed": failed,
        "reached": {task: found._asdict() | {"coverage": found.share} for task, found in reached.items()},
    }


def lines(judged: Sequence[Judged]) -> list[str]:
    """What `check` says, for people."""
    found = report(judged)
    told = [f"{found['passed']} of {found['tasks']} tasks pass"]
    missing = found["missing"]
    assert isinstance(missing, dict)
    if missing:
        told.append("missing: " + ", ".join(f"{name} ({count})" for name, count in missing.items()))
    shares = [each.outcome.covered.share for each in judged if each.outcome.covered is not None]
    branched = [share for share in shares if share is not None]
    if branched:
        told.append(f"branch coverage: {sum(branched) / len(branched):.1f} % (mean of {len(branched)} tasks)")
    failed = found["failed"]
    assert isinstance(failed, dict)
    return [*told, *(f"  {task}: {reason}" for task, reason in failed.items())]


def _lock(name: str) -> str:
    if name == _HEADERS:
        raise InvalidInput("acl has headers and no tasks to check")
    if name not in _LOCKS:
        raise InvalidInput(f"there is no environment {name!r}: there are {', '.join((*_LOCKS, _HEADERS))}")
    return _LOCKS[name]


def _tell(found: Packages) -> None:
    print(f"{found.digest}: {len(found.versions)} packages")
    print("  " + " ".join(found.versions))


def _tell_headers(found: LibraryHeaders) -> None:
    print(f"{found.digest}: {len(found.files)} headers from {found.source}")
    print("  " + " ".join(path.removeprefix("atcoder/") for path in sorted(found.files) if not path.endswith(".hpp")))
