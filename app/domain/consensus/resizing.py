"""Shorter and longer inputs, made from one without knowing its meaning: by the counts that stand in it. Pure.

A number that says how many words, letters or lines follow it is changed together with those. The result need not be
legal; validators decide that. So a large input on which programs contradict each other gives small ones like it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

Pick = Callable[[Sequence[Any]], Sequence[Any]]  # takes the counted elements, returns those of the new input
_MAX_HEAD_LINES: Final = 3  # first lines that may hold counts
_MAX_HEAD_WORDS: Final = 6  # a line with more words holds no counts
_WINDOW_WIDTHS: Final = (1, 2, 3, 4, 6, 9)
_MAX_CUTS: Final = 30  # smaller inputs made of one


def smaller_inputs(given: Any) -> list[Any]:
    """Return small inputs like this one: windows of what is counted in it, at its beginning, its end and its middle."""
    candidates: list[Any] = []
    for width in _WINDOW_WIDTHS:
        for share in (0.0, 1.0, 0.5):
            candidates += resize_input(given, partial(_take_window, width=width, share=share))
    candidates = list({json.dumps(candidate): candidate for candidate in candidates if candidate != given}.values())
    return candidates[:: 1 + len(candidates) // _MAX_CUTS]


def resize_input(given: Any, pick: Pick) -> list[Any]:
    """Return the input with other elements picked, once for each count in it, or for each length of an argument."""
    results = _resize_text(given, pick) if isinstance(given, str) else _resize_arguments(given, pick)
    return list({json.dumps(result): result for result in results}.values())


def _take_window(things: Sequence[Any], width: int, share: float) -> Sequence[Any]:
    start = round(share * max(0, len(things) - width))
    return things[start : start + width]


def _resize_text(text: str, pick: Pick) -> Iterator[str]:
    lines = [line.split() for line in text.splitlines()]
    heads = [(at, words) for at, words in enumerate(lines[:_MAX_HEAD_LINES]) if len(words) <= _MAX_HEAD_WORDS]
    for at, words in heads:
        for place, word in enumerate(words):
            if word.isdigit() and 0 < int(word) <= len(text):
                for rest, count in _resize_counted(lines[at + 1 :], int(word), pick):
                    head = [*words[:place], str(count), *words[place + 1 :]]
                    yield _join_lines([*lines[:at], head, *rest])
    alone = {at for at, words in enumerate(lines) if len(words) == 1 and not words[0].lstrip("-").isdigit()}
    if alone:
        yield _join_lines([["".join(pick(words[0]))] if at in alone else words for at, words in enumerate(lines)])


def _join_lines(lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"{' '.join(words)}\n" for words in lines)


def _resize_counted(rest: list[list[str]], count: int, pick: Pick) -> Iterator[tuple[list[list[str]], int]]:
    """Yield the lines after a count with other elements picked, and the new count: of words, letters, or lines."""
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
    if rest and len(rest) % count == 0:  # equal numbers of lines each
        size = len(rest) // count
        parts = pick([rest[at : at + size] for at in range(0, len(rest), size)])
        yield [words for part in parts for words in part], len(parts)
    elif len(rest) > count:
        first, last = pick(rest[:count]), pick(rest[-count:])
        yield [*first, *rest[count:]], len(first)
        yield [*rest[:-count], *last], len(last)


def _resize_arguments(given: Any, pick: Pick) -> Iterator[Any]:
    """Yield a function's arguments resized: those of one length together with the numbers that state that length."""
    if not isinstance(given, list):
        return
    for length in sorted({len(value) for value in given if isinstance(value, str | list) and value}):
        new = len(pick(range(length)))
        yield [
            ("".join(pick(value)) if isinstance(value, str) else list(pick(value)))
            if isinstance(value, str | list) and len(value) == length
            else new
            if value == length and not isinstance(value, bool)
            else value
            for value in given
        ]
