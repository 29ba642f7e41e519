"""Protocols: everything that must be equal for two rows to share a board.

How a protocol asks and judges is frozen: a change makes another fingerprint, hence another board. Its scope may grow,
since rows are only compared on problems that both were asked (docs/decisions/runs/0009).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from app.domain.errors import InvalidInput
from app.domain.problems import Form
from app.domain.sources.kinds import DEMO_SITE, SourceKind

MAX_SAMPLES: Final = 200
_MAX_STOP_CHARS: Final = 200
# The language of a protocol that lets each answer choose, and of an answer in a language that is not judged.
ANY_LANGUAGE: Final = "any"
OTHER_LANGUAGE: Final = "other"
# Key in a sample's provenance: the language that its answer chose.
CHOSEN_LANGUAGE_KEY: Final = "language"
# Fields that older protocols did not have; fingerprints leave them out if they have their default.
_LATER_SAMPLING_FIELDS: Final = ("top_k", "repetition_penalty", "stop", "seed")


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling of answers: number per item, temperature, nucleus and token limit.

    Values that are None or empty are not sent. `stop` ends an answer before one of its texts would begin. `seed` is the
    base from which the seed of each sample is counted.
    """

    n: int = 1
    temperature: float = 0.2
    top_p: float = 0.95
    max_tokens: int = 16384
    top_k: int | None = None
    repetition_penalty: float | None = None
    stop: tuple[str, ...] = ()
    seed: int = 0

    def check(self) -> None:
        """Raise InvalidInput for values outside the usual ranges."""
        for name, low, value, high in (
            ("n", 1, self.n, MAX_SAMPLES), ("temperature", 0, self.temperature, 2), ("top_p", 0.000001, self.top_p, 1),
            ("max_tokens", 1, self.max_tokens, 10_000_000), ("top_k", 1, self.top_k, 1_000_000),
            ("repetition_penalty", 0.01, self.repetition_penalty, 10), ("seed", 0, self.seed, 2**31),
            ("number of stops", 0, len(self.stop), 16),
        ):  # fmt: skip
            if value is not None and not low <= value <= high:
                raise InvalidInput(f"{name} must lie between {low:g} and {high:g}, not {value}")
        if not all(0 < len(text) <= _MAX_STOP_CHARS and "\0" not in text for text in self.stop):
            raise InvalidInput(f"a stop must be a text of 1 to {_MAX_STOP_CHARS} characters")


_DEFAULT_SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class ProtocolScope:
    """The problems that a protocol asks: those of every source of these kinds and of the named sources, in these forms.

    Without kinds and names, the problems of every source. With `tags`, only problems that have all of them.
    """

    kinds: tuple[SourceKind, ...] = ()
    sources: tuple[str, ...] = ()
    forms: tuple[Form, ...] = (Form.STDIN, Form.FUNCTION, Form.CLASS, Form.INTERACTIVE)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """A comparability key.

    `grading_policy` and `prompt_revision` are bumped by hand when checker rules, limit rules or prompt texts change.
    `time_factor` scales the problem's time limit for the language. `recorded` marks protocols whose answers come from a
    file; no model is asked. `imported` ones hold results of others, and only their name says how those were made.
    `prerequisite` is the slug of the protocol whose answers this one's samples continue. `system` replaces the
    scenario's system prompt; if empty, none is sent. `calibrated` puts the lines that a problem runs programs after,
    such as imports, before them. Under a `practice` protocol an organisation tries its endpoints and its
    pipeline: its runs are private, count nowhere, and expose no problem.
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
    covers: ProtocolScope = ProtocolScope()
    recorded: bool = False
    imported: bool = False
    prerequisite: str | None = None
    system: str | None = None
    calibrated: bool = True
    practice: bool = False

    def body(self) -> dict[str, Any]:
        """Return the stored form: JSON values, without later fields that have their default here."""
        body: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        if self.system is None:
            del body["system"]
        if self.calibrated:
            del body["calibrated"]
        if not self.practice:
            del body["practice"]
        if not self.covers.tags:
            del body["covers"]["tags"]
        for name in _LATER_SAMPLING_FIELDS:
            if getattr(self.sampling, name) == getattr(_DEFAULT_SAMPLING, name):
                del body["sampling"][name]
        return body

    def judging_language(self, provenance: Mapping[str, Any]) -> str:
        """Return the language of an answer's program: the protocol's, or the one that the answer chose.

        Without a program, any language will do.
        """
        chosen = str(provenance.get(CHOSEN_LANGUAGE_KEY, OTHER_LANGUAGE))
        return self.language if self.language != ANY_LANGUAGE else "python" if chosen == OTHER_LANGUAGE else chosen

    @property
    def fingerprint(self) -> str:
        """SHA-256 over every field that says how answers are made and judged; imported results add their name."""
        body = self.body()
        del body["title"], body["covers"]
        if not self.imported:
            del body["slug"]
        if self.prerequisite is None:  # so that older protocols keep their fingerprint
            del body["prerequisite"]
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


# The source of unpublished problems: an operator adds them, and no page shows their texts.
PRIVATE_SOURCE = "private"
# The sources of the house league: its problems, and its items in the forms of two suites.
HOUSE_COCO, HOUSE_BIGCODE = "house-coco", "house-bigcode"
HOUSE_SOURCES: Final = frozenset({"house", DEMO_SITE, HOUSE_COCO, HOUSE_BIGCODE})

HOUSE = Protocol(
    slug="house",
    title="House league: Python, one answer",
    sampling=Sampling(n=1, temperature=0.2, top_p=0.95, max_tokens=8192),
    covers=ProtocolScope(sources=("house", DEMO_SITE)),
)
PRACTICE = Protocol(
    slug="practice",
    title="Practice on the house league: Python, one answer, counts nowhere",
    sampling=HOUSE.sampling,
    covers=ProtocolScope(sources=("house",)),
    practice=True,
)
FRESH = Protocol(
    slug="fresh",
    title="Fresh contest problems: Python, one answer",
    covers=ProtocolScope(kinds=(SourceKind.SITE,), sources=(PRIVATE_SOURCE,)),
)
HOUSE_CODE3 = Protocol(
    slug="house-code3",
    title="House league in Chinese: Python functions, greedy",
    style="code3-zh",
    locale="zh",
    sampling=Sampling(n=1, temperature=0.0, top_p=1.0, max_tokens=8192),
    covers=replace(HOUSE.covers, forms=(Form.FUNCTION,)),
)
LCB = Protocol(slug="lcb", title="LiveCodeBench, imported results", imported=True)
LCB_REPAIR = Protocol(
    slug="lcb-repair", title="LiveCodeBench self-repair, imported results", scenario="self_repair", imported=True
)
LCB_ITEMS: tuple[Protocol, ...] = (
    Protocol("lcb-test-output", "LiveCodeBench test output, imported results", scenario="test_output", imported=True),
    Protocol("lcb-execution", "LiveCodeBench execution, imported results", scenario="execution", imported=True),
    Protocol(
        "lcb-execution-cot", "LiveCodeBench execution step by step, imported results", scenario="execution",
        imported=True,
    ),
)  # fmt: skip
LCB_RECORDED = Protocol(slug="lcb-recorded", title="LiveCodeBench answers, graded here", recorded=True)

_SITE_SCOPE: Final = ProtocolScope(kinds=(SourceKind.SITE,), sources=(PRIVATE_SOURCE,))
_GREEDY_SAMPLING: Final = Sampling(temperature=0.0, top_p=1.0)
_CODEELO_SAMPLING: Final = Sampling(n=8, temperature=0.7, top_p=0.8, top_k=20, repetition_penalty=1.1)
_HOUSE_TEXT_SCOPE: Final = replace(HOUSE.covers, forms=(Form.STDIN, Form.INTERACTIVE))
_CODEFORCES_SCOPE: Final = ProtocolScope(sources=("codeforces",), forms=(Form.STDIN, Form.INTERACTIVE))
# Sampling as published by others. Prompts, extraction, judging and unpublished limits are ours, so these boards are not
# theirs.
PRESETS: tuple[Protocol, ...] = (
    Protocol(
        "livecodebench", "LiveCodeBench's sampling: Python, ten answers", sampling=Sampling(n=10), covers=_SITE_SCOPE
    ),
    *(
        Protocol(
            f"codeelo-{size}{suffix}",
            f"CodeElo: {name}, eight answers, {tokens:,} tokens",
            style="codeelo-cot",
            language=language,
            sampling=replace(_CODEELO_SAMPLING, max_tokens=tokens),
            covers=_CODEFORCES_SCOPE,
        )
        for language, name, suffix in (("cpp", "C++", ""), ("python", "Python", "-python"))
        for size, tokens in (("4k", 4096), ("32k", 32768))
    ),
    *(
        Protocol(
            f"codeelo-{size}-open",
            f"CodeElo: any language, eight answers, {tokens:,} tokens",
            style="codeelo-open",
            language=ANY_LANGUAGE,
            sampling=replace(_CODEELO_SAMPLING, max_tokens=tokens),
            covers=_CODEFORCES_SCOPE,
        )
        for size, tokens in (("4k", 4096), ("32k", 32768))
    ),
    Protocol(
        # Two answers: eight would be most of the judging that a new installation does before its boards are full.
        "house-codeelo",
        "House league as contests: Python, two answers",
        style="codeelo-cot",
        sampling=replace(_CODEELO_SAMPLING, n=2, max_tokens=8192),
        covers=HOUSE.covers,
    ),
    Protocol(
        "house-codeelo-open",
        "House league as contests: any language, one answer",
        style="codeelo-open",
        language=ANY_LANGUAGE,
        sampling=replace(_CODEELO_SAMPLING, n=1, max_tokens=8192),
        covers=_HOUSE_TEXT_SCOPE,
    ),
    Protocol(
        "bigcodebench",
        "BigCodeBench: Python, greedy",
        sampling=_GREEDY_SAMPLING,
        covers=ProtocolScope(sources=("bigcodebench",), forms=(Form.UNITTEST,)),
    ),
    Protocol(
        "coco",
        "CoCo-Bench: Python, greedy",
        sampling=_GREEDY_SAMPLING,
        covers=ProtocolScope(sources=("coco",), forms=(Form.FUNCTION,), tags=("CG", "python")),
    ),
    Protocol(
        "code3",
        "SuperCLUE-Code3: Python, greedy, asked in Chinese",
        style="code3-zh",
        locale="zh",
        sampling=_GREEDY_SAMPLING,
        covers=ProtocolScope(sources=("code3", "code3-house"), forms=(Form.UNITTEST,)),
    ),
)

BUILT_IN_PROTOCOLS: tuple[Protocol, ...] = (
    HOUSE,
    HOUSE_CODE3,
    FRESH,
    PRACTICE,
    LCB,
    LCB_REPAIR,
    *LCB_ITEMS,
    LCB_RECORDED,
    *PRESETS,
)


def renew_protocol(protocol: Protocol, shipped: Iterable[Protocol]) -> Protocol:
    """Return an operator's protocol as this version asks and judges it.

    Its prompts and rules are the scenario's, so it takes their revisions from the shipped protocols.
    """
    alike = [
        other for other in shipped if other.scenario == protocol.scenario and not (other.imported or other.recorded)
    ]
    return replace(
        protocol,
        prompt_revision=max((other.prompt_revision for other in alike if other.style == protocol.style),
                            default=protocol.prompt_revision),
        grading_policy=max((other.grading_policy for other in alike), default=protocol.grading_policy),
    )  # fmt: skip
