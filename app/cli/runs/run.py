"""`tidemark run start|list|show|watch|pause|resume|cancel|void`: a maintainer's control over the runs of any model."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, TypeVar

import typer

from app.cli.parser import State, VerbGroup
from app.cli.runs.start import start
from app.cli.runs.watch import watch
from app.cli.tables import TableColumn, format_table, printable, terminal_width
from app.domain.asking.money import format_dollars
from app.services.runs.control import run_control
from app.services.runs.control.run_control import RunReport
from app.supervise import open_state
from workers.context import make_context, now, use

_STANDING_TEXTS = {
    "stands": "stands", "later_trial": "later trial", "voided": "void", "private": "private",
    "unanswered": "no answer yet",
}  # fmt: skip

run = VerbGroup("Start, show, pause, resume, cancel and void runs of models.")
run.command()(start)
run.command()(watch)

T = TypeVar("T")
Number = Annotated[int, typer.Argument(metavar="RUN", help="Its number, as `run list` shows it.")]
Reason = Annotated[str, typer.Option(help="The reason; kept in the audit log, and public if a score is withdrawn.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@run.command("list")
def list_runs(state: State = None, *, as_json: AsJson = False) -> None:
    """List every run that asks a model, with its progress."""
    with open_state(state, begun=True) as settings:
        lines = use(make_context(settings)).commit(run_control.runs)
    if as_json:
        print(json.dumps({"runs": [asdict(line) for line in lines]}, indent=2, ensure_ascii=False))
        return
    columns = [
        TableColumn("run", right=True),
        TableColumn("model", min_width=16),
        TableColumn("configuration", min_width=8, drop_order=2),
        TableColumn("protocol", min_width=8),
        TableColumn("state"),
        TableColumn("on boards", drop_order=3),
        TableColumn("graded", right=True),
        TableColumn("of", right=True),
        TableColumn("reason", min_width=16, drop_order=1),
    ]
    rows = [
        (str(line.id), line.model, line.configuration or "-", line.protocol, line.state, _STANDING_TEXTS[line.standing],
         str(line.samples["graded"]), str(sum(line.samples.values())), line.reason or "-")
        for line in lines
    ]  # fmt: skip
    print(format_table(columns, rows, terminal_width()))


@run.command()
def show(number: Number, state: State = None, *, as_json: AsJson = False) -> None:
    """Show a run's progress: samples by state, requests, answers, cost and failures.

    `requests` counts what workers have reported: those in progress, and the last of a worker that was killed, are
    missing. The cost is unknown if the price of an answer is.

    Examples:
      ./tidemark run show 12 --json
    """
    with open_state(state, begun=True) as settings:
        report = use(make_context(settings)).commit(run_control.report, number)
    print(
        json.dumps(_report_json(report), ensure_ascii=False)
        if as_json
        else "\n".join(map(printable, _report_lines(report)))
    )


@run.command()
def pause(number: Number, reason: Reason = "paused by a maintainer", state: State = None) -> None:
    """Send no more requests of a run until it is resumed. Those in progress end without retries."""
    _steer(run_control.pause, number, reason, state)
    print(f"run {number} is paused")


@run.command()
def resume(number: Number, reason: Reason = "resumed by a maintainer", state: State = None) -> None:
    """Resume a run that was paused, has failed, was stopped or gave up samples."""
    _steer(run_control.resume, number, reason, state)
    print(f"run {number} is active")


@run.command()
def cancel(number: Number, reason: Reason = "cancelled by a maintainer", state: State = None) -> None:
    """End a run for good: it sends nothing more, and boards list it as retired. Its answers stay."""
    _steer(run_control.cancel, number, reason, state)
    print(f"run {number} is cancelled; its answers stay")


@run.command()
def void(
    number: Number,
    reason: Annotated[str, typer.Option(help="The reason; kept in the audit log, and public.")],
    state: State = None,
) -> None:
    """Remove a run from the boards for good, so that the next trial of its model stands.

    Its answers stay, and the public ledger records why.

    Examples:
      ./tidemark run void 12 --reason "we asked it with a wrong template"
    """
    after = _steer(run_control.void, number, reason, state)
    stands = (
        "no other trial was answered yet; the next one that is will stand"
        if after is None
        else f"run {after} stands now"
    )
    print(f"run {number} is void; {stands}. The public ledger records it.")


def _steer(step: Callable[..., T], number: int, reason: str, state: State) -> T:
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        result = ctx.commit(step, number, reason, now())
        for task in ("plan", "aggregate"):  # it may have moved scores
            ctx.wake(task)
    return result


def _report_json(report: RunReport) -> dict[str, object]:
    line = report.line
    return {
        "run": line.id,
        "model": line.model,
        "configuration": line.configuration,
        "protocol": line.protocol,
        "trial": line.trial,
        "state": line.state,
        "reason": line.reason,
        "samples": dict(line.samples),
        "requests": report.requests,
        "answers": report.answers,
        "cost": None if report.cost is None else float(report.cost),
        "failures": [asdict(failure) for failure in report.failures],
        "engine": None if report.engine is None else dict(report.engine),
    }


def _report_lines(report: RunReport) -> list[str]:
    line = report.line
    label = f" ({line.configuration})" if line.configuration else ""
    why = f": {line.reason}" if line.reason else ""
    counts = ", ".join(f"{number} {name}" for name, number in line.samples.items() if number)
    cost = "unknown" if report.cost is None else format_dollars(report.cost)
    lines = [
        f"run {line.id}: {line.model}{label} under {line.protocol}, trial {line.trial}",
        f"state     {line.state}{why}",
        f"samples   {counts or 'none'}",
        f"requests  {report.requests}",
        f"answers   {report.answers}",
        f"cost      {cost}",
    ]
    for failure in report.failures:
        detail = f": {failure.words}" if failure.words else ""
        lines.append(f"failed    {failure.count} {failure.error}{detail} ({failure.owner})")
    if report.engine is not None:
        facts = [f"{name} {value}" for name, value in report.engine.items() if value not in (None, [], "")]
        lines.append(f"engine    {', '.join(facts)}")
    return lines
