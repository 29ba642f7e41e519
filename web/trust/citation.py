"""Citations of a frozen board as text, as BibTeX and as CSL-JSON, all in English: they go into bibliographies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.domain.boards.named_boards import boards
from app.services.boards.snapshots import FrozenBoard
from web.i18n import ENGLISH

_AUTHOR: Final = "Tidemark"
_TEX: Final = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    sign: f"\\{sign}" for sign in "&%$#_{}"
}


@dataclass(frozen=True, slots=True)
class Citation:
    """The citation of a frozen board in three forms, ready to be copied."""

    plain: str
    bibtex: str
    csl: str


def make_citation(frozen: FrozenBoard, body: Mapping[str, Any], link: str) -> Citation:
    """Return the citation of a frozen board under its permanent link."""
    board = boards().get(frozen.board)
    name = board.titles[ENGLISH] if board else frozen.board
    start, end = body["window"]["from"], body["window"]["to"]
    window = " ".join(part for part in (f"from {start}" if start else "", f"until {end}" if end else "") if part)
    title = f"{_AUTHOR}: {name} ({body['protocol']}), {body['problems']} problems released {window or 'at any time'}"
    day = frozen.frozen_at.date()
    note = f"Board frozen on {day}, revision {frozen.revision}, SHA-256 {frozen.sha256}"
    key = f"tidemark-{frozen.sha256[:12]}"
    lines = (
        f"@misc{{{key},",
        f"  title = {{{{{_escape_tex(title)}}}}},",
        f"  author = {{{_AUTHOR}}},",
        f"  year = {{{day.year}}},",
        f"  month = {{{day.month}}},",
        f"  howpublished = {{\\url{{{link}}}}},",
        f"  note = {{{_escape_tex(note)}}}",
        "}",
    )
    entry = {
        "id": key,
        "type": "dataset",
        "title": title,
        "author": [{"literal": _AUTHOR}],
        "issued": {"date-parts": [[day.year, day.month, day.day]]},
        "URL": link,
        "version": str(frozen.revision),
        "note": note,
    }
    return Citation(f"{title}. {note}. {link}", "\n".join(lines), json.dumps([entry], indent=1, ensure_ascii=False))


def _escape_tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)
