"""Protocols: everything that must be equal for two rows to share a board.

How a protocol asks and judges is frozen: a change there makes another fingerprint, hence another board. What it covers
may grow, for rows are only ever compared on problems that both were asked (docs/decisions/0009).
"""

import hashlib
import json
from dataclasses import asdict, dataclass

from app.domain.problems import Form
from app.domain.sources.kinds import SourceKind


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn: number per item, temperature, nucleus, and the token ceiling."""

    n: int = 1
    temperature: float = 0.2
    top_p: float = 0.95
    max_tokens: int = 16384


@dataclass(frozen=True, slots=True)
class Covers:
    """Which problems a protocol wants: of every source of these kinds and of the sources named, in these forms.

    Without kinds and without names, the problems of every source.
    """

    kinds: tuple[SourceKind, ...] = ()
    sources: tuple[str, ...] = ()
    forms: tuple[Form, ...] = (Form.STDIN, Form.FUNCTION, Form.CLASS, Form.INTERACTIVE)


@dataclass(frozen=True, slots=True)
class Protocol:
    """A comparability key.

    `grading_policy` and `prompt_revision` are bumped by hand when checker rules, limit rules or
    prompt words change. `time_factor` scales the problem's time limit for the language.
    `recorded` marks protocols whose answers come from a file: nothing is ever asked of a model. `imported` ones hold
    the results of others, and only their name says how those were made. `prerequisite` is the slug of the protocol
    whose answers this one's samples continue.
    """

    slug: str
    title: str
    scenario: str = "codegen"
    style: str = "lcb-zero-shot"
    language: str = "python"
    locale: str = "en"
    prompt_revision: int = 1
    sampling: Sampling = Sampling()
    grading_policy: int = 1
    time_factor: float = 1.0
    covers: Covers = Covers()
    recorded: bool = False
    imported: bool = False
    prerequisite: str | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 over every field that says how answers are made and judged; of results of others, their name too."""
        body = asdict(self)
        del body["title"], body["covers"]
        if not self.imported:
            del body["slug"]
        if self.prerequisite is None:  # protocols made before there were any keep their fingerprint
            del body["prerequisite"]
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


# Whose problems are in no public place: they come from an operator alone, and no page shows their texts.
PRIVATE = "private"

HOUSE = Protocol(
    slug="house",
    title="House league: Python, one answer",
    sampling=Sampling(n=1, temperature=0.2, top_p=0.95, max_tokens=8192),
    covers=Covers(sources=("house",)),
)
FRESH = Protocol(
    slug="fresh",
    title="Fresh contest problems: Python, one answer",
    covers=Covers(kinds=(SourceKind.SITE,), sources=(PRIVATE,)),
)
LCB = Protocol(slug="lcb", title="LiveCodeBench, imported results", imported=True)
LCB_REPAIR = Protocol(
    slug="lcb-repair", title="LiveCodeBench self-repair, imported results", scenario="self_repair", imported=True
)
LCB_RECORDED = Protocol(slug="lcb-recorded", title="LiveCodeBench answers, graded here", recorded=True)

BUILT_IN: tuple[Protocol, ...] = (HOUSE, FRESH, LCB, LCB_REPAIR, LCB_RECORDED)
