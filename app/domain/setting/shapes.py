"""Inputs cut shorter or made longer, without knowing what they mean: by the counts that stand in them. Pure.

A number that says how many words, letters or lines come after it is changed together with those. What comes out need
not be legal; validators say that. So a large input on which programs contradict each other gives small ones like it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

Pick = Callable[[Sequence[Any]], Sequence[Any]]  # from the things that are counted, those that are to be there
_HEADS: Final = 3  # lines from the top in which counts are looked for
_WORDS: Final = 6  # of such a line at most: one with more holds no counts
_WINDOWS: Final = (1, 2, 3, 4, 6, 9)
_MOST: Final = 30  # cuts of one input


def cuts(given: Any) -> list[Any]:
    """Small inputs like this one: windows of what is counted in it, at its beginning, its end and its middle."""
    found: list[Any] = []
    for width in _WINDOWS:
        for share in (0.0, 1.0, 0.5):
            found += resized(given, partial(_window, width=width, share=share))
    found = list({json.dumps(one): one for one in found if one != given}.values())
    return found[:: 1 + len(found) // _MOST]


def resized(given: Any, pick: Pick) -> list[Any]:
    """The input with other things in it, once for each count in it, or each thing of its own that has a length."""
    made = _text(given, pick) if isinstance(given, str) else _arguments(given, pick)
    return list({json.dumps(one): one for one in made}.values())


def _window(things: Sequence[Any], width: int, share: float) -> Sequence[Any]:
    start = round(share * max(0, len(things) - width))
    return things[start : start + width]


def _text(text: str, pick: Pick) -> Iterator[str]:
    lines = [line.split() for line in text.splitlines()]
    heads = [(at, words) for at, words in enumerate(lines[:_HEADS]) if len(words) <= _WORDS]
    for at, words in heads:
        for place, word in enumerate(words):
            if word.isdigit() and 0 < int(word) <= len(text):
                for rest, count in _counted(lines[at + 1 :], int(word), pick):
                    head = [*words[:place], str(count), *words[place + 1 :]]
                    yield _joined([*lines[:at], head, *rest])
    alone = {at for at, words in enumerate(lines) if len(words) == 1 and not words[0].lstrip("-").isdigit()}
    if alone:
        yield _joined([["".join(pick(words[0]))] if at in alone else words for at, words in enumerate(lines)])


def _joined(lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"{' '.join(words)}\n" for words in lines)


def _counted(rest: list[list[str]], count: int, pick: Pick) -> Iterator[tuple[list[list[str]], int]]:
    """What comes after a count with other things in it, and how many these are: words, letters, or lines."""
    rows = {0} if count == 1 else {at for at, words in enumerate(rest) if len(words) == count}
    texts = {at for at, words in enumerate(rest) if len(words) == 1 and len(words[0]) == count > 1}
    if rest and (rows or texts):
        new = len(pick(range(count)))
        yield (
            [
                list(pick(words)) if at in rows else ["".join(pick(words[0]))] if at in texts else words
                for at, words in enumerate(rest)
            ],
            new,
        )
    if rest and len(rest) % count == 0:  # so many lines each
        each = len(rest) // count
        parts = pick([rest[at : at + each] for at in range(0, len(rest), each)])
        yield [words for part in parts for words in part], len(parts)
    elif len(rest) > count:
        first, last = pick(rest[:count]), pick(rest[-count:])
        yield [*first, *rest[count:]], len(first)
        yield [*rest[:-count], *last], len(last)


def _arguments(given: Any, pick: Pick) -> Iterator[Any]:
    """A function's arguments: those of one length change together, and numbers that say that length."""
    if not isinstance(given, list):
        return
    for length in sorted({len(one) for one in given if isinstance(one, str | list) and one}):
        new = len(pick(range(length)))
        yield [
            ("".join(pick(one)) if isinstance(one, str) else list(pick(one)))
            if isinstance(one, str | list) and len(one) == length
            else new
            if one == length and not isinstance(one, bool)
            else one
            for one in given
        ]
