"""Whether a package is of the problem that it is imported as: told by its title and samples."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from app.domain.problems import CheckerKind, Test

_LABEL = re.compile(r"^\s*[A-Za-z]\d?\s*[.):-]\s+")
_ONE_ANSWER = (CheckerKind.TOKENS, CheckerKind.LINES, CheckerKind.EXACT)
_SHOWN = 60


def differences(
    titles: Collection[str],
    samples: Sequence[Test],
    package_titles: Collection[str],
    tests: Sequence[Test],
    checker: CheckerKind,
) -> list[str]:
    """In words, how a package's titles and tests differ from the titles and samples of a problem's own pages.

    One title in common is enough. Each sample must be a test of the package, and each test that the package calls a
    sample one of them. Answers are compared where there is one right answer.
    """
    said = []
    if titles and not {_plain(title) for title in titles} & {_plain(title) for title in package_titles}:
        said.append(f"the title is {_either(titles)}, the package's {_either(package_titles)}")
    answers = {_words(test.input): _words(test.expected) for test in tests}
    for number, sample in enumerate(samples, 1):
        given, expected = _words(sample.input), _words(sample.expected)
        if given not in answers:
            said.append(f"sample {number} ({_cut(given)}) is no test of the package")
        elif checker in _ONE_ANSWER and answers[given] != expected:
            said.append(f"sample {number} is answered {_cut(expected)}, in the package {_cut(answers[given])}")
    known = {_words(sample.input) for sample in samples}
    unknown = [test for test in tests if test.visible and _words(test.input) not in known] if samples else []
    return said + [f"the package's sample {_cut(_words(test.input))} is none of the page's" for test in unknown[:3]]


def _plain(title: str) -> str:
    """A title as people compare it: without the letter of its place, case, spacing and punctuation."""
    letters = unicodedata.normalize("NFKC", _LABEL.sub("", title)).casefold()
    return "".join(filter(str.isalnum, letters)) or letters


def _words(text: object) -> str:
    return " ".join(str(text).split())


def _cut(text: str) -> str:
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}..."'


def _either(titles: Collection[str]) -> str:
    return " or ".join(_cut(title) for title in sorted(titles))
