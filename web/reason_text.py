"""Reasons on pages: those of our own rules in the reader's language, other text as it was written."""

from collections.abc import Callable
from typing import NamedTuple

from app.domain.reasons import HOLD_PREFIX, JOINTS, Reason
from app.domain.sentences import FOUND_PREFIX
from web.i18n import ENGLISH, translator

_CAUSE_MARK = "\0"  # stands for the cause in a translated sentence; no text of the database holds it


class ReasonPiece(NamedTuple):
    """A piece of a reason's text; `foreign` if a program, a site or a person wrote it."""

    text: str
    foreign: bool


def catalogue_key(code: str) -> str:
    """Return the catalogue's key for the words of a reason."""
    return code if code.startswith(HOLD_PREFIX) else f"reason.{code}"


def pieces(reason: str | None, t: Callable[..., str]) -> tuple[ReasonPiece, ...]:
    """Return a reason in the language of `t`, in pieces that follow each other directly; no reason is no pieces."""
    if not isinstance(reason, Reason):
        return (ReasonPiece(reason, foreign=True),) if reason else ()
    cause = reason.cause
    causes = cause if isinstance(cause, tuple) else () if cause is None else (cause,)
    if reason.code in JOINTS:
        joined: list[ReasonPiece] = []
        for part in causes:
            if joined:
                is_sentence = joined[-1].text.endswith((".", "。"))
                joined.append(ReasonPiece(" " if is_sentence else t(catalogue_key(reason.code)), foreign=False))
            joined += pieces(part, t)
        return tuple(joined)
    words = t(catalogue_key(reason.code), **reason.params, cause=_CAUSE_MARK)
    before, mark, after = words.partition(_CAUSE_MARK)
    inner = [piece for part in causes for piece in pieces(part, t)]
    if reason.code.startswith(FOUND_PREFIX):  # a finding's message is English
        return (ReasonPiece(_message_of(reason, words), foreign=False),)
    if inner and not mark:
        before += " "
    return tuple(
        piece for piece in (ReasonPiece(before, foreign=False), *inner, ReasonPiece(after, foreign=False)) if piece.text
    )


def _message_of(found: Reason, words: str) -> str:
    """Return the message of a finding if its words are in English, too, else the words."""
    is_english = words == translator(ENGLISH)(catalogue_key(found.code))
    return str(found) if is_english else words


def rule_of(reason: str | None) -> str | None:
    """Return the code of the rule that holds a problem back, if one of ours does."""
    return reason.code if isinstance(reason, Reason) and reason.code.startswith(HOLD_PREFIX) else None


def in_words(t: Callable[..., str], reason: str | None) -> str:
    """Return a reason as plain text in the language of `t`."""
    return "".join(piece.text for piece in pieces(reason, t))
