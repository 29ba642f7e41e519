"""A demo model's reply to a question: decided by hashes, so that the same request gets the same reply."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.asking.protocols import ANY_LANGUAGE
from app.domain.deriving.items import call_of
from app.domain.imports import ImportedProgram
from app.domain.judging.defects import Category
from app.domain.problems import Level
from scrapers.suites.house import DemoBehaviour, DemoModel
from workers.demo.items import DemoItem
from workers.demo.phrases import WORDS, DemoPhrases, thoughts, tokens
from workers.demo.questions import MARKS, Question
from workers.demo.values import input_for, nearby_value, value_of

# A right but slow program keeps the judge busy for seconds, so it is seldom the wrong answer.
_SLOW = "wrong_slow"
_SLOW_SHARE = 0.03
_SHARE_BY_STEPS = 0.4  # the share of otherwise missed values that a model finds step by step
_NEAR_SHARE = 0.5  # the share of wrong reviews that have the right category on a wrong line
_MAX_INPUT_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: `thought` is reasoning, `finish` the reason for stopping, `delay_s` the seconds it takes."""

    text: str
    thought: str
    finish: str
    delay_s: float


def draw(*parts: object) -> float:
    """Return a number from 0 to 1 that depends on `parts` alone."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def manner_of(model: DemoModel, effort: str | None) -> DemoBehaviour:
    """Return how the model answers at an effort; an unknown effort, or None, means its first."""
    return model.behaviours.get(effort or "", next(iter(model.behaviours.values())))


def is_busy(model: DemoModel, effort: str | None, key: str) -> bool:
    """Return whether the first attempt of the request `key` is refused."""
    return draw("busy", model.slug, key) < manner_of(model, effort).habits.get("busy", 0.0)


def reply(
    model: DemoModel, effort: str | None, question: Question | None, seed: int, released_at: datetime | None
) -> Reply:
    """Return the model's reply. `released_at` is when the problem came out, None if it never was in a contest.

    Efforts of one model share their draws: what it solves with little effort it also solves with more.
    """
    manner = manner_of(model, effort)
    fastest, slowest = manner.latency_ms
    slug = "" if question is None else question.problem.slug
    delay_s = (fastest + (slowest - fastest) * draw("latency", model.slug, effort, slug, seed)) / 1000
    if question is None:
        return Reply(WORDS["en"].unknown, "", "stop", delay_s)
    words = WORDS[question.locale]
    if (target := question.call or question.sought) is not None:
        return _assertion_reply(model, manner, question, target, (seed, released_at), delay_s)
    if question.reviewed is not None:
        return _review_reply(model, manner, question, question.reviewed, (seed, released_at), delay_s)
    if question.to_break is not None:
        return _input_reply(model, manner, question, question.to_break, (seed, released_at), delay_s)
    program = _program(model, manner, question, seed, released_at)
    code = None if program is None else _without_verdict(program)
    thought = thoughts(question.statement, manner.thought_tokens, draw("thought", model.slug, slug, seed))
    habit = _habit(manner, draw("habit", model.slug, slug, seed, *_extra_draw_keys(question)))
    if program is None or code is None or habit == "no_code":
        return Reply(words.no_code, thought, "stop", delay_s)
    if habit == "truncated":
        return _truncated(manner, words, program, code, thought, question, delay_s)
    if question.marked and habit != "wrong_format":
        return Reply("\n".join((MARKS[0], code, MARKS[1])), thought, "stop", delay_s)
    text = _text(words, code, question, tag="text" if habit == "wrong_format" else program.language)
    if habit == "verbose":
        text = f"{_draft(words, question, program)}\n\n{text}\n\n{words.steps}"
    return Reply(text, thought, "stop", delay_s)


def item_reply(model: DemoModel, effort: str | None, item: DemoItem, seed: int) -> Reply:
    """Return the model's reply to an item in the form of a suite, drawn as its other replies are."""
    manner, words, key = manner_of(model, effort), WORDS[item.statement.locale], (model.slug, item.name, seed)
    fastest, slowest = manner.latency_ms
    delay_s = (fastest + (slowest - fastest) * draw("latency", effort, *key)) / 1000
    thought = thoughts(item.statement, manner.thought_tokens // 2, draw("thought", *key))
    habit = _habit(manner, draw("habit", *key))
    right = draw("skill", *key) < _chance(model, manner, item.level, item.released_at)
    answer = item.right if right else item.wrong(draw("missed", *key))
    if habit == "no_code":
        return Reply(words.no_code if answer.fence else words.no_value, thought, "stop", delay_s)
    if habit == "truncated":
        text = "" if manner.reasoning != "none" else answer.text[: len(answer.text) // 2]
        return Reply(text, thought, "length", delay_s)
    if answer.fence:
        tag = "text" if habit == "wrong_format" else answer.fence
        return Reply(f"```{tag}\n{answer.text}\n```", thought, "stop", delay_s)
    text = words.value.format(value=answer.text) if habit == "wrong_format" else answer.text
    return Reply(text, thought, "stop", delay_s)


def shorten(answer: Reply, reasoning: str, most_tokens: int) -> Reply:
    """Cut a reply to a number of tokens, thoughts first, as a server with that limit would."""
    thinking = tokens(answer.thought) if reasoning != "none" else 0
    if thinking + tokens(answer.text) <= most_tokens:
        return answer
    if thinking >= most_tokens:
        return Reply("", _cut(answer.thought, most_tokens), "length", answer.delay_s)
    return Reply(_cut(answer.text, most_tokens - thinking), answer.thought, "length", answer.delay_s)


def _cut(text: str, most_tokens: int) -> str:
    """Return the longest beginning of a text that has at most `most_tokens` tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) <= most_tokens else (low, middle - 1)
    return text[:low]


def _chance(model: DemoModel, manner: DemoBehaviour, level: Level, released_at: datetime | None) -> float:
    """Return the probability of a right answer, by the problem's level and its release before or after the cutoff."""
    late = released_at is not None and released_at.date() > model.cutoff_on
    skill = manner.skill_late if late and manner.skill_late is not None else manner.skill
    return skill[level]


def _assertion_reply(
    model: DemoModel,
    manner: DemoBehaviour,
    question: Question,
    target: str,
    when: tuple[int, datetime | None],
    delay_s: float,
) -> Reply:
    """Reply with a completed assertion: the league's own right program is run, or a value near its result is used."""
    words, slug, (seed, released_at) = WORDS[question.locale], question.problem.slug, when
    thought = thoughts(question.statement, manner.thought_tokens // 2, draw("thought", model.slug, slug, target, seed))
    habit = _habit(manner, draw("habit", model.slug, slug, target, seed))
    value = value_of(question, target) if question.sought is None else input_for(question, target)
    if value is None or habit == "no_code":
        return Reply(words.no_value, thought, "stop", delay_s)
    chance = _chance(model, manner, question.problem.level, released_at)
    if question.steps:
        chance += (1 - chance) * _SHARE_BY_STEPS
    if draw("value", model.slug, slug, target, seed) >= chance:
        value = nearby_value(value.value, draw("beside", model.slug, slug, target, seed))
    entry = question.problem.spec.entry
    if question.sought is None or entry is None:
        line = f"assert {target} == {value.value!r}"
    else:
        line = f"assert {call_of(entry.name, entry.params, value.value)} == {target}"
    if habit == "wrong_format":
        return Reply(words.value.format(value=f"`{value.value!r}`"), thought, "stop", delay_s)
    if habit == "truncated":
        text = "" if manner.reasoning != "none" else line[: len(line) // 2]
        return Reply(text, thought, "length", delay_s)
    if question.program is None:
        return Reply(f"```python\n{line}\n```", thought, "stop", delay_s)
    thinking = f"[THOUGHT]\n{words.steps}\n[/THOUGHT]\n" if question.steps else ""
    return Reply(f"{thinking}[ANSWER]\n{line}\n[/ANSWER]", thought, "stop", delay_s)


def _review_reply(
    model: DemoModel,
    manner: DemoBehaviour,
    question: Question,
    program: str,
    when: tuple[int, datetime | None],
    delay_s: float,
) -> Reply:
    """Reply with the planted defect; or with its category on a line nearby, or another category on its line."""
    words, slug, (seed, released_at) = WORDS[question.locale], question.problem.slug, when
    key = model.slug, slug, program, seed
    thought = thoughts(question.statement, manner.thought_tokens // 2, draw("thought", *key))
    habit, defect = _habit(manner, draw("habit", *key)), question.defect
    if defect is None or habit == "no_code":
        return Reply(words.no_value, thought, "stop", delay_s)
    category, line = defect.category, defect.lines[0]
    if draw("review", *key) >= _chance(model, manner, question.problem.level, released_at):
        pick = draw("missed", *key)
        if pick < _NEAR_SHARE:
            line = max(1, line - 1) if line - 1 not in defect.lines else line + len(program.splitlines())
        else:
            others = [other for other in Category if other is not category]
            category = others[int(pick * 100) % len(others)]
    review = json.dumps({name.value: [line] if name is category else [] for name in Category})
    if habit == "wrong_format":
        return Reply(words.value.format(value=review), thought, "stop", delay_s)
    if habit == "truncated":
        text = "" if manner.reasoning != "none" else review[: len(review) // 2]
        return Reply(text, thought, "length", delay_s)
    return Reply(review, thought, "stop", delay_s)


def _input_reply(
    model: DemoModel,
    manner: DemoBehaviour,
    question: Question,
    target: str,
    when: tuple[int, datetime | None],
    delay_s: float,
) -> Reply:
    """Reply with the input of a short hidden test, which may break the program, or an example, which never does."""
    words, slug, (seed, released_at) = WORDS[question.locale], question.problem.slug, when
    key = model.slug, slug, target, seed
    thought = thoughts(question.statement, manner.thought_tokens // 2, draw("thought", *key))
    habit = _habit(manner, draw("habit", *key))
    tries = draw("break", *key) < _chance(model, manner, question.problem.level, released_at)
    written = [(test.visible, _as_shown(test.input)) for test in question.problem.spec.tests]
    inputs = [text for visible, text in written if visible is not tries and len(text) <= _MAX_INPUT_CHARS]
    if habit == "no_code" or not inputs:
        return Reply(words.no_value, thought, "stop", delay_s)
    text = inputs[int(draw("input", *key) * len(inputs)) % len(inputs)]
    if habit == "truncated":
        return Reply("" if manner.reasoning != "none" else text[: len(text) // 2], thought, "length", delay_s)
    tag = "text" if habit == "wrong_format" else "input"
    return Reply(f"```{tag}\n{text}\n```", thought, "stop", delay_s)


def _as_shown(test_input: Any) -> str:
    """Return an input in the form in which examples are shown."""
    return test_input.rstrip("\n") if isinstance(test_input, str) else "\n".join(map(json.dumps, test_input))


def _program(
    model: DemoModel, manner: DemoBehaviour, question: Question, seed: int, released_at: datetime | None
) -> ImportedProgram | None:
    """Return a reference or a known-wrong program in the requested language; None if there is none."""
    problem = question.problem
    extra_keys = _extra_draw_keys(question)
    chance = _chance(model, manner, question.problem.level, released_at) * (
        1.0 if question.again is None else manner.repair_factor
    )
    right = draw("skill", model.slug, problem.slug, seed, *extra_keys) < chance
    fits = [
        program
        for program in (*problem.programs_of(reference=right), *problem.programs_of(reference=False))
        if question.language in (program.language, ANY_LANGUAGE)
    ]
    programs = [program for program in fits if program.reference is right] or fits
    if not programs:
        return None
    return _choose_program(programs, draw("program", model.slug, problem.slug, seed, *extra_keys))


def _extra_draw_keys(question: Question) -> tuple[str, ...]:
    """Return what else the draws depend on: a try after another is drawn anew, and so is every program to mend."""
    if question.faulty is not None:
        return "mend", question.faulty
    return () if question.again is None else ("again", question.again)


def _choose_program(programs: Sequence[ImportedProgram], pick: float) -> ImportedProgram:
    slow = [program for program in programs if program.name.startswith(_SLOW)]
    quick = [program for program in programs if not program.name.startswith(_SLOW)]
    if slow and (pick < _SLOW_SHARE or not quick):
        return slow[0]
    return quick[int(pick * len(quick)) % len(quick)]


def _without_verdict(program: ImportedProgram) -> str:
    """Return the code without the first line of a wrong program, which names its fault."""
    lines = program.code.splitlines()
    if not program.reference and lines[0].startswith(("#", "//")):
        del lines[0]
    return "\n".join(lines).strip("\n")


def _habit(manner: DemoBehaviour, number: float) -> str | None:
    for name in ("truncated", "no_code", "wrong_format", "verbose"):
        number -= manner.habits.get(name, 0.0)
        if number < 0:
            return name
    return None


def _truncated(
    manner: DemoBehaviour,
    words: DemoPhrases,
    program: ImportedProgram,
    code: str,
    thought: str,
    question: Question,
    delay_s: float,
) -> Reply:
    """Reply with a text cut by its own length: within the thoughts, or within the program if it shows none."""
    if manner.reasoning != "none":
        return Reply("", thought, "length", delay_s)
    text = _text(words, code, question, tag=program.language)
    return Reply(text[: text.rindex(code) + len(code) * 2 // 3], thought, "length", delay_s)


def _draft(words: DemoPhrases, question: Question, program: ImportedProgram) -> str:
    """Return a first program and the remark that it fails: the last program is the meant one."""
    others = [other for other in question.problem.programs_of(reference=False) if other.language == program.language]
    code = _without_verdict(others[0]) if others else "# ..."
    return f"{words.draft[0]}\n\n```{program.language}\n{code}\n```\n\n{words.draft[1]}"


def _text(words: DemoPhrases, code: str, question: Question, tag: str) -> str:
    title = question.problem.statements[question.locale].title
    pick = int(draw("words", question.problem.slug, len(code)) * len(words.before))
    before, after = words.before[pick].format(title=title), words.after[pick]
    return f"{before}\n\n```{tag}\n{code}\n```\n\n{after}"
