"""The league problem that a prompt shows, and the language and locale it asks in. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.domain.asking.protocols import ANY_LANGUAGE
from app.domain.deriving.defects import Defect
from app.domain.deriving.programs import shown_program
from app.domain.problems import Statement
from scrapers.suites.house import League, LeagueProblem
from workers.demo.defects import Defects

_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"^#+[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_FAILURE = re.compile(r"^#+[^\n]*(?:\bfail|\bwrong\b|失败|错误)", re.MULTILINE | re.IGNORECASE)
_ASSERTED = re.compile(r"^assert (.+) == \?\?$", re.MULTILINE)
_SOUGHT = re.compile(r"^assert \w+\(\?\?\) == (.+)$", re.MULTILINE)
_SHOWN = re.compile(r"\[PYTHON\]\n((?:(?!\[/?PYTHON\]).)*)\nassert [^\n]*\n\[/PYTHON\]", re.DOTALL)
_NUMBERED = re.compile(r"^ *\d+ \| (.*)$", re.MULTILINE)
_REVIEWED = re.compile(r'^\{"security": \[', re.MULTILINE)
_BUG = re.compile(r"^#+[^\n]*(?:\bbug\b|有错误的程序)[^\n]*\n\n```", re.MULTILINE | re.IGNORECASE)
_FAULTY = re.compile(r"^```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_BREAK = re.compile(r"^```input$", re.MULTILINE)
_CHINESE = re.compile("[\u4e00-\u9fff]")
_OPEN = " ```language"  # in the sentence that leaves the language to the answer
_FENCE_TAG = re.compile(r"^```[ \t]*([\w+]+)", re.MULTILINE)
_TAGS = {"python": "python", "py": "python", "python3": "python", "cpp": "cpp", "c++": "cpp"}
MARKS = ("【代码开始】", "【代码结束】")
# Names of languages in running text, tried in this order: C++ is rarely mentioned in passing.
_WORDS = (("c++", "cpp"), ("python", "python"))


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt's question: a problem, the locale it is told in, and the program's language, `ANY` if it is free.

    `again` is the prompt up to the report of an earlier program's failure. `marked`: the program is to stand between
    marks. `call` is a call whose value is asked for, of `program` if that is shown, else of any right one; `steps`:
    with the steps to it. `sought` is a value of `program` for which a call is asked. `faulty` is a program to be
    mended, `reviewed` one to be reviewed, and `defect` its planted defect; `to_break` is one that an input is to break.
    """

    problem: LeagueProblem
    locale: str
    language: str
    again: str | None = None
    marked: bool = False
    call: str | None = None
    program: str | None = None
    steps: bool = False
    sought: str | None = None
    faulty: str | None = None
    reviewed: str | None = None
    defect: Defect | None = None
    to_break: str | None = None

    @property
    def statement(self) -> Statement:
        """The problem's statement in the question's locale."""
        return self.problem.statements[self.locale]


class QuestionIndex:
    """An index of problems by what a prompt shows of them."""

    def __init__(self, league: League) -> None:
        self._problems: Mapping[str, LeagueProblem] = league.problems
        self._titles: dict[str, tuple[str, str]] = {}
        self._texts: list[tuple[str, str, str]] = []
        self._codes: dict[str, tuple[str, str]] = {}
        self._defects = Defects()
        for slug, problem in league.problems.items():
            for locale, statement in problem.statements.items():
                self._titles[_plain(statement.title)] = slug, locale
                self._texts += [(text, slug, locale) for text in _passages(statement)]
            if problem.spec.entry is not None:
                codes = [program.code for program in problem.programs_of(reference=True)]
                self._codes |= {
                    text: (slug, code) for code in codes if (text := shown_program(code, problem.spec.entry))
                }
        self._texts.sort(key=lambda text: -len(text[0]))  # the longest passage found is the most certain match

    def find_question(self, prompt: str) -> Question | None:
        """Return the prompt's question; None if it shows no problem of the league."""
        calls, outputs = _ASSERTED.findall(prompt), _SOUGHT.findall(prompt)
        blocks = _SHOWN.findall(prompt) if calls or outputs else []
        if blocks and (place := self._codes.get(blocks[-1].strip())) is not None:
            locale = "zh" if _CHINESE.search(prompt) else "en"
            slug, program = place
            return Question(
                self._problems[slug], locale, "python", call=calls[-1] if calls else None, program=program,
                steps="[THOUGHT]" in prompt, sought=outputs[-1] if outputs else None,
            )  # fmt: skip
        place = self._by_title(prompt) or self._by_text(_plain(prompt))
        if place is None:
            return None
        slug, locale = place
        marked, failed = MARKS[0] in prompt, _FAILURE.search(prompt)
        call = calls[-1] if calls else None
        if (numbered := _NUMBERED.findall(prompt)) and _REVIEWED.search(prompt):
            program = "\n".join(numbered)
            defect = self._defects.of(self._problems[slug], program)
            return Question(self._problems[slug], locale, "python", reviewed=program, defect=defect)
        if _BREAK.search(prompt) and (programs := _FAULTY.findall(prompt)):
            return Question(self._problems[slug], locale, "python", to_break=programs[-1])
        faulty = _FAULTY.findall(prompt)[-1] if _BUG.search(prompt) else None
        again = None if failed is None or faulty is not None else prompt[: failed.start()]
        return Question(self._problems[slug], locale, language_of(prompt), again, marked, call, faulty=faulty)

    def _by_title(self, prompt: str) -> tuple[str, str] | None:
        return next((self._titles[title] for title in _headings(prompt) if title in self._titles), None)

    def _by_text(self, prompt: str) -> tuple[str, str] | None:
        return next(((slug, locale) for text, slug, locale in self._texts if text in prompt), None)


def language_of(prompt: str) -> str:
    """Return the requested language: the last fence that names one, else a word of the text, else Python."""
    if _OPEN in prompt:
        return ANY_LANGUAGE
    tags = [_TAGS[tag] for tag in _FENCE_TAG.findall(prompt.lower()) if tag in _TAGS]
    if tags:
        return tags[-1]
    return next((name for word, name in _WORDS if word in prompt.lower()), "python")


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _headings(prompt: str) -> Iterator[str]:
    yield from map(_plain, _HEADING.findall(prompt))
    yield from map(_plain, prompt.splitlines())  # a title on a line of its own


def _passages(statement: Statement) -> Iterable[str]:
    """Yield the whole statement, and its first paragraph for prompts that reformat the rest."""
    yield _plain(statement.text)
    yield _plain(statement.text.split("\n\n", 1)[0])
