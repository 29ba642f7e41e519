"""Redaction of an endpoint's secret from its responses, before they are read or kept.

Providers quote keys in their error messages, whole, shortened or encoded, and a gateway may put a request's headers
into an answer. An error message loses every longer piece of the secret; an answer loses only the whole secret, in any
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
from app.domain.characters import make_printable
from workers.inference.backends._responses import clean

MARK = "[secret]"
# A shorter secret is a placeholder, such as "EMPTY", and may well stand in a program.
MIN_SECRET_CHARS = 8
_PIECE_CHARS = 8  # shorter pieces do not reveal the key
_MIN_PIECE_CHARS = 4
_ESCAPED = re.compile(rb"\\[u/]")  # escaped characters of a body, which may belong to the secret
_BY_NUMBER = re.compile(r"\\+[ux]([0-9a-fA-F]{4}|[0-9a-fA-F]{2})")
_MAX_ENCODINGS = 3  # of one character, one over another
_MAX_ERROR_CHARS = 8192  # that are searched; far fewer are kept


def clean_words(text: str, secret: str | None) -> str:
    """Return an error message without the secret or any longer piece of it, in any spelling; `text` may be shortened.

    The result can be stored and shown on a terminal: decoded text may hold NUL, half a character or an escape sequence.
    """
    text = clean(text[:_MAX_ERROR_CHARS])
    if not secret:
        return make_printable(text)
    spelt, pieces = clean(_decode_numbers(text)), _pieces(secret)
    redacted = _replace_pieces(spelt, pieces)
    # A text with encoded characters is shown as it came if it holds nothing of the secret.
    return make_printable(redacted if redacted != spelt else _replace_pieces(text, pieces))


def clean_answer(answer: Completion, secret: str | None) -> Completion:
    """Return the answer without the whole secret in its text, its reasoning, its model's name and its raw bytes.

    The fingerprint and the model's name are no programs, and may be shortened: they lose every piece. A stream whose
    pieces share the secret between them is replaced by the body that they amount to.
    """
    joined, answer = answer.joined, replace(answer, joined=b"")
    if secret is None or len(secret) < MIN_SECRET_CHARS:
        return answer
    fingerprint, served_model = (clean_words(name, secret) for name in (answer.fingerprint, answer.served_model))
    answer = replace(answer, fingerprint=fingerprint, served_model=served_model)
    spellings = _spellings(secret)
    texts = (answer.text, answer.reasoning)
    body = joined if _contains(joined, spellings) else answer.raw
    if not _contains(body, spellings) and not any(spelling in part for part in texts for spelling in spellings):
        return answer
    text, reasoning = (_remove_spellings(part, spellings) for part in texts)
    raw = _remove_spellings(_unescape(body), spellings).encode()
    return replace(answer, text=text, reasoning=reasoning, raw=raw)


def _contains(raw: bytes, spellings: Iterable[str]) -> bool:
    body = _unescape(raw) if _ESCAPED.search(raw) else _as_latin1(raw)
    return any(spelling in body for spelling in spellings)


def _as_latin1(raw: bytes) -> str:
    return raw.decode("latin-1")  # every byte becomes a character, and ASCII stays the same


def _unescape(raw: bytes) -> str:
    """Return the body, or each event of a stream, with no needless escapes: an escaped secret is as readable."""
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


def _decode_numbers(text: str) -> str:
    """Return the text with every character that is written by its number, even repeatedly, as itself."""
    for _ in range(_MAX_ENCODINGS):
        plain = unquote(html.unescape(_BY_NUMBER.sub(lambda found: chr(int(found[1], 16)), text)))
        if plain == text:
            break
        text = plain
    return text


def _remove_spellings(text: str, spellings: Iterable[str]) -> str:
    for spelling in spellings:
        text = text.replace(spelling, MARK)
    return text


@lru_cache(maxsize=64)
def _spellings(secret: str) -> tuple[str, ...]:
    """Return the ways in which the whole secret may be written, longest first."""
    plain = secret.encode()
    written = {secret, _decode_numbers(secret), quote(secret, safe=""), quote(secret, safe="").lower(), quote(secret)}
    written |= {html.escape(secret), json.dumps(secret)[1:-1], plain.hex(), plain.hex().upper()}
    for before in range(3):  # bytes of a group of three before it: `Bearer ` is seven
        written |= _inside_base64(plain, before)
    return tuple(
        sorted((way for way in written if way == secret or len(way) >= _MIN_PIECE_CHARS), key=len, reverse=True)
    )


def _inside_base64(plain: bytes, before: int) -> set[str]:
    """Return the characters that the base64 of a longer text holds of it, in both alphabets."""
    first = -(-8 * before // 6)  # characters that depend on the bytes before
    whole = 8 * (before + len(plain)) // 6  # from here on they depend on the bytes after
    padded = bytes(before) + plain
    return {encode(padded).decode()[first:whole] for encode in (base64.b64encode, base64.urlsafe_b64encode)}


@lru_cache(maxsize=64)
def _pieces(secret: str) -> dict[int, frozenset[str]]:
    """Return every piece, by its length, that gives a part of the secret away, in lower case."""
    size = min(_PIECE_CHARS, max(_MIN_PIECE_CHARS, -(-len(secret) // 2)))
    pieces: dict[int, set[str]] = {}
    for spelling in map(str.lower, _spellings(secret)):
        step = min(size, len(spelling))
        starts = range(len(spelling) - step + 1)
        pieces.setdefault(step, set()).update(spelling[start : start + step] for start in starts)
    return {step: frozenset(texts) for step, texts in pieces.items()}


def _replace_pieces(text: str, pieces: dict[int, frozenset[str]]) -> str:
    """Replace all text that pieces cover by a mark; pieces that overlap or touch share one."""
    small = "".join(character.lower() if len(character.lower()) == 1 else character for character in text)
    covered = bytearray(len(text))
    for step, texts in pieces.items():
        for start in range(len(text) - step + 1):
            if small[start : start + step] in texts:
                covered[start : start + step] = b"\x01" * step
    parts, at = [], 0
    for run in re.finditer(rb"\x01+", covered):
        parts += [text[at : run.start()], MARK]
        at = run.end()
    return "".join([*parts, text[at:]])
