"""`tidemark problem items` and `grade-answer`: the prompts of a problem, and the verdict on one recorded answer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.files import open_output
from app.cli.parser import State, VerbGroup
from app.cli.runs.grade import exit_with_verdict, ready_judge
from app.db.kernel.session import sessions_on
from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import CHOSEN_LANGUAGE_KEY
from app.domain.errors import InvalidInput, NotFound
from app.domain.judging.hacks import HackRun
from app.domain.judging.non_program_answers import AnswerRun, judge_answer
from app.domain.judging.verdicts import GradeResult
from app.domain.scenarios import prompt_sha256, scenarios
from app.services.problems.hidden_tests import stored_tests, stream_json
from app.services.runs import items as service
from app.services.runs.items import AskedItem
from app.supervise import open_state

problem = VerbGroup("Show the prompts and the tests of stored problems.")

Name = Annotated[str, typer.Argument(metavar="SOURCE/ID", help="The problem, such as house/salt-ledger.")]
ProtocolName = Annotated[str, typer.Option(metavar="SLUG", help="The protocol that it is asked under.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@problem.command()
def items(
    name: Name,
    protocol: ProtocolName,
    after: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For repairs: the failed answer that the prompt continues.")
    ] = None,
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Print the prompts of a problem, exactly as they are sent.

    The prompt of a repair shows a failed answer and its verdict: --after names the answer, which is judged first.

    Examples:
      ./tidemark problem items house/salt-ledger --protocol house
    """
    posed = _read_items(name, protocol, state)
    prompts = [
        (posed_item.item.number, posed_item.prompt or _prompt_after(posed_item, after, name, state))
        for posed_item in posed
    ]
    if after is not None and any(posed_item.prompt is not None for posed_item in posed):
        raise InvalidInput(f"{protocol} continues no answer; leave out --after")
    if as_json:
        bodies = [
            {
                "item": number,
                "prompt_sha256": prompt_sha256(prompt),
                "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
            }
            for number, prompt in prompts
        ]
        print(json.dumps({"problem": name, "protocol": protocol, "items": bodies}, ensure_ascii=False, indent=2))
        return
    if not prompts:
        print(f"{protocol} asks nothing of {name}: the problem lacks what an item needs, such as tests")
    for number, prompt in prompts:
        print(f"--- item {number} ---")
        for message in prompt.messages:
            print(f"[{message.role}]\n{message.content}")


@problem.command("tests")
def show_stored(
    name: Name,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tests to this file.")] = None,
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show maintainers a problem's stored tests, hidden ones too, and their setters.

    Long texts are cut; --json and --out print them in full.

    Examples:
      ./tidemark problem tests house/salt-ledger --out tests.json
    """
    with open_state(state, begun=True) as settings, sessions_on(settings.database_url) as sessions:
        with sessions() as session:
            stored = stored_tests(session, name)
        if out is not None:
            with open_output(out) as file:
                file.writelines(piece.encode() for piece in stream_json(sessions, stored))
            return
        if as_json:
            for piece in stream_json(sessions, stored):
                print(piece, end="")
            return
    by = f", set by {', '.join(stored.setters)}" if stored.setters else ""
    print(f"{name}: {stored.total} tests, {stored.origin}{by}")
    for kind, program, language in stored.programs:
        print(f"{kind} {program} ({language})")
    for test in stored.tests:
        print(f"--- test {test.ordinal}{' (visible)' if test.visible else ''} ---\n{test.input}\n-> {test.expected}")


def grade_answer(
    name: Name,
    protocol: ProtocolName,
    answer: Annotated[Path, typer.Argument(metavar="FILE", help="The answer's text, as the model gave it.")],
    item: Annotated[int, typer.Option(metavar="N", help="Which item of the problem it answers.")] = 0,
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Judge one recorded answer to a stored problem; nothing is stored.

    The exit code is 0 for accepted, 1 for any other verdict, 2 for a usage error, and 4 when the judge itself fails.

    Examples:
      ./tidemark grade-answer house/salt-ledger --protocol house answer.md --json
    """
    text = _read_answer(answer)
    try:
        posed_items = {posed_item.item.number: posed_item for posed_item in _read_items(name, protocol, state)}
    except NotFound as unknown:  # exit code 1 means a verdict
        raise InvalidInput(str(unknown)) from unknown
    if item not in posed_items:
        raise InvalidInput(
            f"{protocol} asks {len(posed_items)} items about {name}, numbered from 0, and not item {item}"
        )
    posed = posed_items[item]
    extraction = scenarios()[posed.protocol.scenario].extract(text, posed.protocol)
    result = _grade(posed, extraction, name, state)
    if as_json:
        about = {
            "followed_format": extraction.followed_format,
            "in_process": result.in_process,
            "message": result.message,
        }
        print(json.dumps({"verdict": result.verdict.value, **about}))
    else:
        note = "" if extraction.followed_format else ", not in the requested form"
        print(f"{result.verdict.short} {result.verdict.value}{note}")
        if result.message:
            print(result.message)
    exit_with_verdict(result.verdict)


def _read_items(name: str, protocol: str, state: Path | None) -> list[AskedItem]:
    with (
        open_state(state, begun=True) as settings,
        sessions_on(settings.database_url) as sessions,
        sessions() as session,
    ):
        return service.pose_items(session, name, protocol)


def _read_answer(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error


def _prompt_after(posed: AskedItem, answer: Path | None, name: str, state: Path | None) -> Prompt:
    """Return the prompt that follows a failed answer."""
    slug, before = posed.protocol.slug, posed.protocol.prerequisite
    if answer is None or before is None:
        raise InvalidInput(f"{slug} continues answers under {before}; name one with --after FILE")
    [parent] = _read_items(name, before, state)
    extraction = scenarios()[parent.protocol.scenario].extract(_read_answer(answer), parent.protocol)
    tests = parent.spec.tests if parent.spec is not None else ()
    return service.follow_up_prompt(posed, extraction.code, _grade(parent, extraction, name, state), tests)


def _grade(posed: AskedItem, extraction: Extraction, name: str, state: Path | None) -> GradeResult:
    protocol = posed.protocol
    outcome: GradeResult | AnswerRun | HackRun
    if posed.truth is not None:
        outcome = judge_answer(extraction.code, posed.truth)
    elif posed.spec is not None:
        chosen = {} if extraction.language is None else {CHOSEN_LANGUAGE_KEY: extraction.language}
        outcome = AnswerRun(posed.spec, extraction.code, posed.item.language or protocol.judging_language(chosen))
    else:
        raise InvalidInput(f"{name} has no tests to judge an answer by")
    if isinstance(outcome, GradeResult):
        return outcome
    return outcome.grade_with(ready_judge(state), protocol.time_factor)
