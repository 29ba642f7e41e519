"""Check that a package is for the problem it is imported as, by its title and samples."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from app.domain.problems import CheckerKind, Test

_LABEL = re.compile(r"^\s*[A-Za-z]\d?\s*[.):-]\s+")
_ONE_ANSWER = (CheckerKind.TOKENS, CheckerKind.LINES, CheckerKind.EXACT)
_MAX_QUOTED_CHARS = 60


def package_differences(
    titles: Collection[str],
    samples: Sequence[Test],
    package_titles: Collection[str],
    tests: Sequence[Test],
    checker: CheckerKind,
) -> list[str]:
    """Return, in words, how a package's titles and tests differ from the titles and samples of a problem's own pages.

    One title in common is enough. Each sample must be a test of the package, and each test that the package calls a
    sample one of them. Answers are compared if there is one right answer.
    """
    messages = []
    if titles and not {_normalize_title(title) for title in titles} & {
        _normalize_title(title) for title in package_titles
    }:
        messages.append(f"the title is {_quote_any(titles)}, the package's {_quote_any(package_titles)}")
    answers = {_join_words(test.input): _join_words(test.expected) for test in tests}
    for number, sample in enumerate(samples, 1):
        given, expected = _join_words(sample.input), _join_words(sample.expected)
        if given not in answers:
            messages.append(f"sample {number} ({_quote(given)}) is no test of the package")
        elif checker in _ONE_ANSWER and answers[given] != expected:
            messages.append(f"sample {number} is answered {_quote(expected)}, in the package {_quote(answers[given])}")
    known = {_join_words(sample.input) for sample in samples}
    unknown = [test for test in tests if test.visible and _join_words(test.input) not in known] if samples else []
    return messages + [
        f"the package's sample {_quote(_join_words(test.input))} is none of the page's" for test in unknown[:3]
    ]


def _normalize_title(title: str) -> str:
    """Return a title as people compare it: without the letter of its place, case, spacing and punctuation."""
    letters = unicodedata.normalize("NFKC", _LABEL.sub("", title)).casefold()
    return "".join(filter(str.isalnum, letters)) or letters


def _join_words(text: object) -> str:
    return " ".join(str(text).split())


def _quote(text: str) -> str:
    return f'"{text}"' if len(text) <= _MAX_QUOTED_CHARS else f'"{text[:_MAX_QUOTED_CHARS]}..."'


def _quote_any(titles: Collection[str]) -> str:
    return " or ".join(_quote(title) for title in sorted(titles))
