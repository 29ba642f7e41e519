"""What an endpoint says of the secret it was sent, taken out before anybody reads or keeps it.

Providers quote keys in their complaints, whole, cut short or encoded, and a gateway may put a request's headers into
an answer. An error's words lose every longer piece of the secret; an answer loses only the whole secret, in whatever
spelling, because a piece of it may be a word of a right program.
"""

import base64
import html
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote, unquote

from app.domain.asking.completions import Completion
from app.domain.letters import readable
from workers.inference.backends._reading import clean

MARK = "[secret]"
# A shorter secret is a placeholder, such as "EMPTY", and may well stand in a program.
LEAST_IN_ANSWERS = 8
_PIECE = 8  # characters; shorter pieces tell nobody the key
_LEAST_PIECE = 4
_ESCAPED = re.compile(rb"\\[u/]")  # characters of a body that may be of the secret, and are not written as such
_BY_NUMBER = re.compile(r"\\+[ux]([0-9a-fA-F]{4}|[0-9a-fA-F]{2})")
_OVER = 3  # how often one may be written over another
_LONGEST_ERROR = 8192  # characters of an error that are looked at; far fewer are kept


def clean_words(text: str, secret: str | None) -> str:
    """An error's words without the secret or any longer piece of it, however spelled; `text` may be cut short.

    They can be stored and shown on a terminal: what is spelt out may be NUL, half a character or an escape sequence.
    """
    text = clean(text[:_LONGEST_ERROR])
    if not secret:
        return readable(text)
    spelt, pieces = clean(_spelt_out(text)), _pieces(secret)
    found = _marked(spelt, pieces)
    # What is written otherwise is shown as it came where nothing of the secret is in it.
    return readable(found if found != spelt else _marked(text, pieces))


def clean_answer(answer: Completion, secret: str | None) -> Completion:
    """The answer without the whole secret in its text, its reasoning, its model's name and its raw bytes.

    The fingerprint and the model's name are no programs, and may have been cut: they lose every piece. Of a stream
    whose pieces share the secret between them, what they amount to is kept in their place.
    """
    joined, answer = answer.joined, replace(answer, joined=b"")
    if secret is None or len(secret) < LEAST_IN_ANSWERS:
        return answer
    fingerprint, served_model = (clean_words(name, secret) for name in (answer.fingerprint, answer.served_model))
    answer = replace(answer, fingerprint=fingerprint, served_model=served_model)
    spellings = _spellings(secret)
    said = (answer.text, answer.reasoning)
    body = joined if _holds(joined, spellings) else answer.raw
    if not _holds(body, spellings) and not any(spelling in part for part in said for spelling in spellings):
        return answer
    text, reasoning = (_without(part, spellings) for part in said)
    raw = _without(_unescaped(body), spellings).encode()
    return replace(answer, text=text, reasoning=reasoning, raw=raw)


def _holds(raw: bytes, spellings: Iterable[str]) -> bool:
    body = _unescaped(raw) if _ESCAPED.search(raw) else _plain(raw)
    return any(spelling in body for spelling in spellings)


def _plain(raw: bytes) -> str:
    return raw.decode("latin-1")  # every byte is a character, and ASCII stays what it is


def _unescaped(raw: bytes) -> str:
    """The body, or each event of a stream, with nothing escaped that need not be: an escaped secret is as readable."""
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
    except (ValueError, RecursionError):
        text = "\n".join(map(_event, raw.decode("utf-8", "replace").split("\n")))
    return text.encode("utf-8", "replace").decode()


def _event(line: str) -> str:
    if line.startswith("data:"):
        with suppress(ValueError, RecursionError):
            return f"data: {json.dumps(json.loads(line[5:]), ensure_ascii=False)}"
    return line


def _spelt_out(text: str) -> str:
    """The text with every character that is written by its number, however often over, as itself."""
    for _ in range(_OVER):
        plain = unquote(html.unescape(_BY_NUMBER.sub(lambda found: chr(int(found[1], 16)), text)))
        if plain == text:
            break
        text = plain
    return text


def _without(text: str, spellings: Iterable[str]) -> str:
    for spelling in spellings:
        text = text.replace(spelling, MARK)
    return text


@lru_cache(maxsize=64)
def _spellings(secret: str) -> tuple[str, ...]:
    """The ways in which the whole secret may be written, longest first."""
    plain = secret.encode()
    written = {secret, _spelt_out(secret), quote(secret, safe=""), quote(secret, safe="").lower(), quote(secret)}
    written |= {html.escape(secret), json.dumps(secret)[1:-1], plain.hex(), plain.hex().upper()}
    for before in range(3):  # how many bytes of a group of three stand before it: `Bearer ` is seven
        written |= _inside_base64(plain, before)
    return tuple(sorted((way for way in written if way == secret or len(way) >= _LEAST_PIECE), key=len, reverse=True))


def _inside_base64(plain: bytes, before: int) -> set[str]:
    """The characters that the base64 of a longer text holds of it, in both alphabets."""
    first = -(-8 * before // 6)  # characters that depend on what stands before
    whole = 8 * (before + len(plain)) // 6  # and from here on they depend on what follows
    padded = bytes(before) + plain
    return {encode(padded).decode()[first:whole] for encode in (base64.b64encode, base64.urlsafe_b64encode)}


@lru_cache(maxsize=64)
def _pieces(secret: str) -> dict[int, frozenset[str]]:
    """Every piece, by its length, whose presence gives a part of the secret away; in small letters."""
    size = min(_PIECE, max(_LEAST_PIECE, -(-len(secret) // 2)))
    pieces: dict[int, set[str]] = {}
    for spelling in map(str.lower, _spellings(secret)):
        step = min(size, len(spelling))
        starts = range(len(spelling) - step + 1)
        pieces.setdefault(step, set()).update(spelling[start : start + step] for start in starts)
    return {step: frozenset(found) for step, found in pieces.items()}


def _marked(text: str, pieces: dict[int, frozenset[str]]) -> str:
    """The text with a mark in place of all that pieces cover; pieces that overlap or touch share one."""
    small = "".join(character.lower() if len(character.lower()) == 1 else character for character in text)
    covered = bytearray(len(text))
    for step, known in pieces.items():
        for start in range(len(text) - step + 1):
            if small[start : start + step] in known:
                covered[start : start + step] = b"\x01" * step
    parts, at = [], 0
    for run in re.finditer(rb"\x01+", covered):
        parts += [text[at : run.start()], MARK]
        at = run.end()
    return "".join([*parts, text[at:]])
