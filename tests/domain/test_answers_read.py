"""The program in answers as models write them: the right one of each, or none (answers/README says how to add one)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from app.domain.asking.protocols import ANY_LANGUAGE, Protocol
from app.domain.scenarios import scenarios
from app.domain.scenarios._rendering import LANGUAGES

FOLDER = Path(__file__).parent / "answers"


@dataclass(frozen=True, slots=True)
class Case:
    """An answer with its right program: lines behind the mark that says what each is."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def text(self) -> str:
        text = self._plain("".join(f"{line[1:]}\n" for line in self.lines if line[0] in ".|"))
        if self.settings.get("end") == "cut":
            text = text.removesuffix("\n")
        return text.replace("\n", "\r\n") if self.settings.get("line_ends") else text

    def program(self) -> str | None:
        written = [line[1:] for line in self.lines if line[0] == "="]
        lines = written or [line[1:] for line in self.lines if line[0] == "|"]
        return self._plain("\n".join(lines)).rstrip() if lines else None

    def _plain(self, text: str) -> str:
        if "escapes" not in self.settings:
            return text
        return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)


def cases(name: str) -> Iterator[Case]:
    for part in ("\n" + (FOLDER / f"{name}.txt").read_text()).split("\n@@ ")[1:]:
        head, *lines = part.removesuffix("\n").split("\n")
        title, *settings = head.split()
        assert all(line[:1] in (".", "|", "=") for line in lines), (name, title)
        yield Case(title, dict(each.split("=", 1) for each in settings), tuple(lines))


PROGRAMS = {case.name: case for case in cases("programs")}
WRITTEN = [case for name in ("python", "others", "styles") for case in cases(name)]


def filled() -> Iterator[Case]:
    """Every shape of an answer with the program of every language."""
    for shape in cases("shapes"):
        for language, program in PROGRAMS.items():
            words = {"tag": language, "program": "{program}", **program.settings}
            lines: list[str] = []
            for line in (each.format(**words) for each in shape.lines):
                before, is_here, _ = line.partition("{program}")
                own = [each[1:] for each in program.lines] if is_here else []
                lines += [(before + each).rstrip() or line[0] for each in own] if is_here else [line]
                if line[0] == "|" and len(before) > 1:
                    lines = [f".{each[1:]}" if each[0] == "|" else each for each in lines]
                    lines += [f"={each}" for each in own]
            settings = {"language": language, **shape.settings}
            yield replace(shape, name=f"{shape.name}-{language}", settings=settings, lines=tuple(lines))


def extract(case: Case) -> str | None:
    style, scenario = case.settings.get("style", "lcb-zero-shot"), case.settings.get("scenario", "codegen")
    language = ANY_LANGUAGE if style == "codeelo-open" else case.settings.get("language", "python")
    protocol = Protocol("own", "Own", scenario, style, language, "zh" if style == "code3-zh" else "en")
    code = scenarios()[scenario].extract(case.text(), protocol).code
    return None if code is None else code.rstrip()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in (*WRITTEN, *filled())])
def test_the_program_of_an_answer(case: Case) -> None:
    assert extract(case) == case.program(), case.text()


def test_there_are_answers_in_every_language_and_of_every_kind() -> None:
    assert PROGRAMS.keys() == LANGUAGES.keys()
    assert len(WRITTEN) >= 190
    names = [case.name for case in (*WRITTEN, *filled())]
    assert len(names) == len(set(names)) >= 200
