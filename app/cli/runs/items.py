"""`tidemark problem items` and `grade-answer`: what models are asked, and the verdict on one recorded answer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.files import output
from app.cli.parser import Group, State
from app.cli.runs.grade import exit_by, ready_judge
from app.db.kernel.session import sessions_on
from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import CHOSEN
from app.domain.errors import InvalidInput, NotFound
from app.domain.judging.answers import ToRun, judge_answer
from app.domain.judging.hacks import ToBreak
from app.domain.judging.verdicts import GradeResult
from app.domain.scenarios import prompt_sha256, scenarios
from app.services.problems.stored import as_file, stored_tests
from app.services.runs import items as service
from app.services.runs.items import Posed
from app.supervise import attached

problem = Group("Stored problems.")

Name = Annotated[str, typer.Argument(metavar="SOURCE/ID", help="The problem, such as house/salt-ledger.")]
ProtocolName = Annotated[str, typer.Option(metavar="SLUG", help="The protocol that it is asked under.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@problem.command()
def items(
    name: Name,
    protocol: ProtocolName,
    after: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For repairs: the failed answer that the prompt goes on from.")
    ] = None,
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Print the prompts of a problem, exactly as they are sent.

    The prompt of a repair is made of an answer and its verdict, so it takes that answer, which is judged first.

    Examples:
      ./tidemark problem items house/salt-ledger --protocol house
    """
    posed = _posed(name, protocol, state)
    asked = [(each.item.number, each.prompt or _prompt_after(each, after, name, state)) for each in posed]
    if after is not None and any(each.prompt is not None for each in posed):
        raise InvalidInput(f"{protocol} goes on from no answer; leave out --after")
    if as_json:
        shown = [
            {
                "item": number,
                "prompt_sha256": prompt_sha256(prompt),
                "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
            }
            for number, prompt in asked
        ]
        print(json.dumps({"problem": name, "protocol": protocol, "items": shown}, ensure_ascii=False, indent=2))
        return
    if not asked:
        print(f"{protocol} asks nothing of {name}: it lacks what an item is made of, such as tests")
    for number, prompt in asked:
        print(f"--- item {number} ---")
        for message in prompt.messages:
            print(f"[{message.role}]\n{message.content}")


@problem.command("tests")
def show_stored(
    name: Name,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there.")] = None,
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show maintainers a problem's stored tests, hidden ones too, and who set them.

    Long texts are cut; --json and --out give them in whole.

    Examples:
      ./tidemark problem tests house/salt-ledger --out tests.json
    """
    with attached(state, begun=True) as settings, sessions_on(settings.database_url) as sessions:
        with sessions() as session:
            found = stored_tests(session, name)
        if out is not None:
            with output(out) as file:
                file.writelines(piece.encode() for piece in as_file(sessions, found))
            return
        if as_json:
            for piece in as_file(sessions, found):
                print(piece, end="")
            return
    by = f", set by {', '.join(found.setters)}" if found.setters else ""
    print(f"{name}: {found.total} tests, {found.origin}{by}")
    for kind, program, language in found.programs:
        print(f"{kind} {program} ({language})")
    for test in found.tests:
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
    """Judge one recorded answer to a stored problem; nothing is written down.

    The exit code is 0 for accepted, 1 for any other verdict, 2 for a wrong call, and 4 when the judge itself fails.

    Examples:
      ./tidemark grade-answer house/salt-ledger --protocol house answer.md --json
    """
    text = _text(answer)
    try:
        asked = {each.item.number: each for each in _posed(name, protocol, state)}
    except NotFound as unknown:  # 1 is for what an answer got
        raise InvalidInput(str(unknown)) from unknown
    if item not in asked:
        raise InvalidInput(f"{protocol} asks {len(asked)} items of {name}, not item {item}; they count from 0")
    posed = asked[item]
    found = scenarios()[posed.protocol.scenario].extract(text, posed.protocol)
    result = _judged(posed, found, name, state)
    if as_json:
        about = {"followed_format": found.followed_format, "in_process": result.in_process, "message": result.message}
        print(json.dumps({"verdict": result.verdict.value, **about}))
    else:
        kept = "" if found.followed_format else ", not in the form asked for"
        print(f"{result.verdict.short} {result.verdict.value}{kept}")
        if result.message:
            print(result.message)
    exit_by(result.verdict)


def _posed(name: str, protocol: str, state: Path | None) -> list[Posed]:
    with (
        attached(state, begun=True) as settings,
        sessions_on(settings.database_url) as sessions,
        sessions() as session,
    ):
        return service.posed(session, name, protocol)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as wrong:
        raise InvalidInput(f"{file} cannot be read: {wrong.strerror}") from wrong


def _prompt_after(posed: Posed, answer: Path | None, name: str, state: Path | None) -> Prompt:
    """What is asked after an answer that failed."""
    slug, before = posed.protocol.slug, posed.protocol.prerequisite
    if answer is None or before is None:
        raise InvalidInput(
            f"{slug} continues an answer: its prompts are made of answers under {before}; name one with --after FILE"
        )
    [parent] = _posed(name, before, state)
    found = scenarios()[parent.protocol.scenario].extract(_text(answer), parent.protocol)
    tests = parent.spec.tests if parent.spec is not None else ()
    return service.after(posed, found.code, _judged(parent, found, name, state), tests)


def _judged(posed: Posed, given: Extraction, name: str, state: Path | None) -> GradeResult:
    protocol = posed.protocol
    found: GradeResult | ToRun | ToBreak
    if posed.truth is not None:
        found = judge_answer(given.code, posed.truth)
    elif posed.spec is not None:
        chosen = {} if given.language is None else {CHOSEN: given.language}
        found = ToRun(posed.spec, given.code, posed.item.language or protocol.judged_in(chosen))
    else:
        raise InvalidInput(f"{name} has no tests to judge an answer by")
    if isinstance(found, GradeResult):
        return found
    return found.judged(ready_judge(state), protocol.time_factor)
