"""`tidemark rejudge`: judges stored answers again, shows the moves, and commits or drops them."""

import json
import sys
import time
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.cli.parser import State
from app.cli.tables import TableColumn, format_table, paragraph, terminal_width
from app.db.kernel.session import Session
from app.domain.errors import InvalidInput
from app.domain.rejudging.scope import ScopeKind, read_scope
from app.domain.states import RejudgingState
from app.services.rejudging import grading_queue, views
from app.services.rejudging import rejudge as service
from app.supervise import open_state
from workers import tasks
from workers.context import Context, make_context, now, use

# After this long without a judged answer the verb stops waiting; the work stays due, and the sweep continues it.
QUIET_S = 60.0
_UNFINISHED_EXIT = 3

Number = int | None


def rejudge(
    problem: Annotated[str | None, typer.Option(metavar="S/ID", help="Judge the answers to one problem.")] = None,
    contest: Annotated[
        str | None, typer.Option(metavar="S:ID", help="Judge the answers to the problems of a contest.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="SLUG", help="Judge the answers of a model.")] = None,
    protocol: Annotated[str | None, typer.Option(metavar="SLUG", help="Judge the answers under a protocol.")] = None,
    source: Annotated[
        str | None, typer.Option(metavar="SLUG", help="Judge the answers to the problems of a source.")
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="The reason; kept in the audit log, and public once committed.")
    ] = None,
    begin: Annotated[
        Number, typer.Option("--begin", min=1, metavar="ID", help="Begin to judge a rejudging that was only proposed.")
    ] = None,
    show: Annotated[
        Number,
        typer.Option("--show", min=1, metavar="ID", help="Wait for a rejudging in progress and print its moves again."),
    ] = None,
    commit: Annotated[
        Number, typer.Option("--commit", min=1, metavar="ID", help="Make a rejudging's verdicts count.")
    ] = None,
    drop: Annotated[Number, typer.Option("--drop", min=1, metavar="ID", help="End a rejudging without effect.")] = None,
    confirm: Annotated[
        str | None, typer.Option(metavar="WORDS", help="The words that were printed with the moves.")
    ] = None,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rejudging as JSON.")] = False,
) -> None:
    """Judge stored answers again and print how boards would move.

    Nothing counts until --commit. The exit code is 3 if not all answers are judged yet.

    Examples:
      ./tidemark rejudge --problem codeforces/1550/B --reason "a wrong test"
      ./tidemark rejudge --show 3
      ./tidemark rejudge --drop 3 --reason "nothing changed"
    """
    named = {"problem": problem, "contest": contest, "model": model, "protocol": protocol, "source": source}
    scopes = [read_scope(ScopeKind(kind), name) for kind, name in named.items() if name is not None]
    actions = {"begin": begin, "show": show, "commit": commit, "drop": drop}
    numbers = [(action, number) for action, number in actions.items() if number is not None]
    if len(scopes) + len(numbers) != 1:
        raise InvalidInput(f"name exactly one of {', '.join(f'--{name}' for name in (*named, *actions))}")
    if (reason is None) is (show is None):
        raise InvalidInput("--show takes no --reason" if reason else "--reason is missing; the audit log keeps it")
    if (confirm is None) is not (commit is None):
        raise InvalidInput("--commit needs --confirm WORDS, and only --commit does; --show prints the words")
    with open_state(state, begun=True) as settings:
        ctx, why = use(make_context(settings)), reason or ""
        action, number = numbers[0] if numbers else ("begin", ctx.commit(_propose, scopes[0], why))
        if action == "begin":
            ctx.commit(service.begin, number, why, "operator", now())
        elif action == "commit":
            ctx.commit(service.commit, ctx.cubes, number, why, "operator", now(), confirm)
            tasks.aggregate()
        elif action == "drop":
            ctx.commit(service.drop, number, why, "operator", now())
        view = _wait_until_predicted(ctx, number, running=settings.is_served)
    print(json.dumps(views.view_json(view), indent=2, ensure_ascii=False) if as_json else format_rejudging(view))
    if view.line.state == RejudgingState.JUDGING:
        raise typer.Exit(_UNFINISHED_EXIT)


def _propose(session: Session, scope: Any, reason: str) -> int:
    return service.propose(session, scope, reason, "operator", now())


def _wait_until_predicted(ctx: Context, number: int, *, running: bool) -> views.RejudgingView:
    """Return the rejudging once it is judged and predicted, or once nothing moves for a minute.

    A running `up` does the work; without one it is done here.
    """
    last, left, since = None, None, time.monotonic()
    while True:
        view = ctx.commit(views.view, number)
        if view.line.state != RejudgingState.JUDGING:
            return view
        if view.line.waiting != last:
            last = view.line.waiting
            print(f"tidemark: {last} answers to judge again", file=sys.stderr)
        if (count := ctx.commit(grading_queue.count_waiting, now())) != left:
            left, since = count, time.monotonic()
        elif time.monotonic() - since > QUIET_S:
            print("tidemark: no progress for a minute; see `tidemark status`", file=sys.stderr)
            return view
        if running:
            ctx.wake("grade")
        else:
            tasks.grade_answers()
        if ctx.commit(views.view, number).line.waiting == last:
            time.sleep(1.0)


def format_rejudging(view: views.RejudgingView, width: int | None = None) -> str:
    """Return a rejudging for a terminal, with its moves row by row."""
    width = width or terminal_width()
    line = view.line
    head = paragraph(f"rejudging {line.id}: {line.state}; {line.scope}: {line.reason}", width, hanging="    ")
    moves = view.actual or view.predicted
    if moves is None or line.state == RejudgingState.DROPPED:
        return "\n".join([*head, f"{line.judged} of {view.answers} answers judged, {line.left_over} left over"])
    counts = (
        f"{moves['answers']} answers judged again, {moves['changed']} verdicts differ: "
        f"{moves['accepted_to_other']} from accepted, {moves['other_to_accepted']} to accepted; "
        f"{moves['left_over']} left over, {moves['outdated']} judged otherwise meanwhile"
    )
    lines = [*head, *paragraph(counts, width)]
    for board in moves["boards"]:
        lines += ["", *_board_lines(board, width)]
    if view.demand is not None:
        lines += ["", *_commit_conditions(view, width)]
    return "\n".join(lines)


def _board_lines(board: Mapping[str, Any], width: int) -> list[str]:
    published = "" if board["published"] else " (not published)"
    title = f"{board['board']}, {board['protocol']}{published}: {len(board['rows'])} rows move"
    if not board["rows"]:
        return [title]
    columns = [
        TableColumn("model", min_width=20),
        TableColumn("rank"),
        TableColumn("score"),
        TableColumn(""),
        TableColumn("rank"),
        TableColumn("score"),
    ]
    rows = [
        (
            row["model"] + (f" ({row['configuration']})" if row["configuration"] else ""),
            *_rank_and_score(row["before"]),
            "->",
            *_rank_and_score(row["after"]),
        )
        for row in board["rows"]
    ]
    return [*paragraph(title, width), format_table(columns, rows, width)]


def _rank_and_score(place: Mapping[str, Any]) -> tuple[str, str]:
    rank, score = place["rank"], place["score"]
    return "-" if rank is None else str(rank), "-" if score is None else f"{score:.1f}"


def _commit_conditions(view: views.RejudgingView, width: int) -> list[str]:
    """Return the conditions of a commit; a command stands on a line of its own, so that it can be copied."""
    demand = view.demand
    assert demand is not None  # asked above
    if not view.worthwhile:
        return ["nothing would change:", f"  ./tidemark rejudge --drop {view.line.id} --reason TEXT"]
    command = f'  ./tidemark rejudge --commit {view.line.id} --confirm "{demand.words}" --reason TEXT'
    if demand.is_met:
        return ["to make it count:", command]
    condition = (
        f"a published board moves: {view.needed} maintainers must approve on /ops/rejudging/{view.line.id} "
        f"({len(demand.approvals)} have); then:"
    )
    return [*paragraph(condition, width), command]
