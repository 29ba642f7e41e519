"""What an imported file says, as values: the one shape every suite importer fills."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from app.domain.asking.protocols import Protocol
from app.domain.errors import BadRow
from app.domain.problems import Checker, Entry, Form, Interactor, Limits, ProblemSpec, Test, TestsOrigin
from app.domain.publishing.origins import Origin
from app.domain.states import RunState

# No contest of the kinds we know is older, and nobody announces one earlier than this.
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=366)


def is_plausible(instant: datetime, now: datetime) -> bool:
    """Whether a date that a site or a file gives can be true: not before 2000, at most a year after `now`."""
    return EARLIEST <= instant <= now + _AHEAD


@dataclass(frozen=True, slots=True)
class ImportedSource:
    """The source problems belong to; `kind` is site or suite."""

    slug: str
    name: str
    kind: str = "site"
    base_url: str | None = None
    show_statements: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ImportedContest:
    """A contest that dates problems."""

    external_id: str
    title: str
    starts_at: datetime
    ends_at: datetime | None = None
    division: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedStatement:
    """What is asked, in one locale."""

    title: str
    text: str
    starter_code: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """A reference (or known-wrong) program that proves the tests."""

    name: str
    language: str
    code: str
    reference: bool = True


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """What a package says that one of its submissions gets: each test one of the permitted verdicts, at least one test
    one of those required.

    Verdicts are AC, WA, TLE and RTE, in some formats also MLE and OLE. `tests` are the places of the tests that it is
    said of, None for all.
    """

    permitted: frozenset[str]
    required: frozenset[str]
    tests: tuple[int, ...] | None = None

    def find_breach(self, verdicts: Sequence[str]) -> str:
        """How the verdicts of all tests, in order, break the rule; "" if they do not. A rule of no test holds."""
        places = range(len(verdicts)) if self.tests is None else self.tests
        for place in places:
            if verdicts[place] not in self.permitted:
                return f"test {place + 1} gets {verdicts[place]}, where only {_listed(self.permitted)} may come"
        if places and not any(verdicts[place] in self.required for place in places):
            return f"no test gets {_listed(self.required)}"
        return ""


def _listed(verdicts: frozenset[str]) -> str:
    return " or ".join(sorted(verdicts))


@dataclass(frozen=True, slots=True)
class PackageSubmission:
    """A program that a package brings with what is said of its verdicts; `left_out` is why it cannot be tried here.

    `has_limit_verdicts` says that its format tells MLE and OLE from RTE, which else stands for them, too.
    """

    name: str
    language: str = ""
    code: str = ""
    rules: tuple[VerdictRule, ...] = ()
    left_out: str = ""
    has_limit_verdicts: bool = False


@dataclass(frozen=True, slots=True)
class SubmissionTrial:
    """What a submission of a package got when its problem was imported.

    `verdict` is that of the test that decided, such as WA; None where it was not tried. `reason` says why it is not
    what the package says, or why it was not tried.
    """

    problem: str
    submission: str
    verdict: str | None
    as_said: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PublishedTests:
    """A task's tests as its own site published them. `label` is what its contest calls it: a letter, or its title.

    `lacking` says why they cannot judge by themselves; there are no tests then.
    """

    label: str
    tests: tuple[Test, ...] = ()
    lacking: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One test of a recipe: its input as text, or the arguments with which a generator prints it; `path` names it.

    Without `expected` the solution answers it, in problems whose programs do not talk.
    """

    path: str
    text: str | None = None
    generator: str = ""
    arguments: tuple[str, ...] = ()
    expected: str | None = None
    visible: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the tests of a package are made that does not hold them all. Every program in it is untrusted.

    `testlib` is the package's own header, whose random numbers the tests depend on. The validator is told the name of
    the `testset`, and the group of a test.
    """

    steps: tuple[Step, ...]
    generators: Mapping[str, ImportedProgram]
    validators: tuple[ImportedProgram, ...] = ()
    solution: ImportedProgram | None = None
    testlib: str | None = None
    testset: str = "tests"


class TestsFrom(StrEnum):
    """Where a problem's tests come from: its file; a run of its first reference program on the file's inputs, whose own
    values are claims; or a suite that is made of its `constraints` and its programs."""

    __test__ = False  # not a pytest class

    FILE = "file"
    RUN = "run"
    MADE = "made"


@dataclass(frozen=True, slots=True)
class ImportedProblem:
    """One problem of a file.

    `catalogued` problems are known by name and date only: they carry results, are never planned. For the others
    `statements`, `form`, and `tests` are set. `shipped_proof` says the tests were proven where they were made.
    `limits` are those to judge by. `rewrites` is the (source, name) of the problem that this one asks in other words.
    `validator` reads an input, as JSON where that is no text, and exits with 0 if it is legal.
    A `recipe` makes the tests; with `tests_from`, what is not in the file is found by running programs.
    """

    source: str
    external_id: str
    title: str
    released_on: datetime | None
    catalogued: bool = False
    aliases: tuple[str, ...] = ()
    contest: ImportedContest | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    tags: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    difficulty: tuple[str, float] | None = None  # (scale, value); scale "level" is 1, 2 or 3
    statements: Mapping[str, ImportedStatement] = field(default_factory=dict)
    form: Form = Form.STDIN
    entry: Entry | None = None
    limits: Limits = Limits()
    unstated: frozenset[str] = frozenset()  # of the limits, by name, those that the file does not state
    checker: Checker = Checker()
    interactor: Interactor | None = None
    tests: tuple[Test, ...] = ()
    tests_from: TestsFrom = TestsFrom.FILE
    constraints: str = ""  # which inputs are legal, a sentence a line
    tests_made_by: str = ""
    tests_origin: TestsOrigin | None = None  # of a catalogued one: whose tests its results were judged by
    cluster: str | None = None  # of a catalogued one: what its results were clustered by
    shipped_proof: Mapping[str, object] | None = None
    programs: tuple[ImportedProgram, ...] = ()
    submissions: tuple[PackageSubmission, ...] = ()  # of a package, to be tried when it is imported
    validator: ImportedProgram | None = None
    canary: bool = False
    rewrites: tuple[str, str] | None = None
    recipe: Recipe | None = None

    @property
    def spec(self) -> ProblemSpec:
        """How it is judged."""
        return ProblemSpec(
            self.external_id, self.form, self.tests, self.limits, self.checker, self.entry, self.interactor
        )


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model as the file names it; `slug_of_name` says that its slug was made of the name, and not given.

    `cutoff_on` is a declared cutoff with evidence that was accepted. `listed_on` is what a results file lists by
    rules of its own, and `registered_on` the day on which the installation that wrote a file heard of the model.
    """

    slug: str
    name: str
    organisation: str = ""
    released_on: date | None = None
    cutoff_on: date | None = None
    cutoff_evidence: str | None = None
    link: str | None = None
    n_inferred: bool = False
    slug_of_name: bool = False
    listed_on: date | None = None
    registered_on: date | None = None
    open_weights: bool | None = None  # whether anybody may download it
    size_b: float | None = None  # billions of parameters, all experts of a mixture included


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """A run as an export of ours names it: a model in one configuration under one protocol, and which trial.

    `key` is what its cells call it, `listed_on` the cutoff that the results file listed from which it came there.
    """

    key: str
    model: str
    protocol: Protocol
    configuration: Mapping[str, object]
    trial: int
    state: RunState
    origin: str
    demo: bool
    n_inferred: bool
    listed_on: date | None = None


@dataclass(frozen=True, slots=True)
class ImportedCell:
    """One result: (model, problem) -> n, c, with what the file said and where.

    `model` is the model's slug, or the key of a run where the batch lists its runs. `pending` and `judge_errors` are
    answers that had no verdict where the file was written: with n = 0 the problem was wanted, and nothing was judged.
    """

    model: str
    source: str
    problem: str
    n: int
    c: int
    value: str
    source_date: str
    source_clock: str
    row_number: int
    item: int = 0
    pending: int = 0
    judge_errors: int = 0


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One recorded answer of a model, to be graded here.

    `problem` is the external id or an alias at `source`; `recorded_passed` is the file's own verdict.
    """

    model: str
    source: str
    problem: str
    ordinal: int
    response: str
    answer: str | None
    recorded_passed: bool | None
    row_number: int
    source_date: str
    title: str = ""
    recorded_error: str = ""


@dataclass(frozen=True, slots=True)
class ImportedStandings:
    """Who took part in a contest, without names: rows of (rank, points, penalty, displayed rating before it, after
    it), the ratings None where they are not known."""

    source: str
    contest: str
    rows: tuple[tuple[int, float, float, int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class ExternalScore:
    """A model, by the name that its table has for it, its score in percent, and of how many tasks, where known."""

    model: str
    score: float
    n: int | None


@dataclass(frozen=True, slots=True)
class ExternalTable:
    """Scores on a benchmark of others."""

    name: str
    scores: tuple[ExternalScore, ...]


@dataclass(frozen=True, slots=True)
class ImportBatch:
    """Everything the good rows of a file bring, stored in one transaction, and its bad rows.

    `protocol` is the slug the results or answers belong to; where `runs` are listed, each says its own. `notes` are
    facts a person should see, such as problems whose rows disagreed on a date.
    """

    kind: str
    file_sha256: str
    file_name: str
    sources: tuple[ImportedSource, ...]
    problems: tuple[ImportedProblem, ...] = ()
    models: tuple[ImportedModel, ...] = ()
    runs: tuple[ImportedRun, ...] = ()
    cells: tuple[ImportedCell, ...] = ()
    answers: tuple[RecordedAnswer, ...] = ()
    protocol: str | None = None
    origin: Origin = Origin.SUITE  # of its problems' texts
    bad_rows: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()
    standings: tuple[ImportedStandings, ...] = ()
    humans: tuple[tuple[float, int], ...] = ()  # (rating, people), by rating
    external: ExternalTable | None = None


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What an import stored: `./tidemark import --json` prints it. Nothing of `bad_rows` was stored.

    `unmatched` lists recorded answers whose problem is not published here, `test_sets` the tests that were offered to
    problems and `runs` the runs that answers or results belong to, whether new or known. `unknown_models` are those of
    whose cutoff nothing is known, `unmatched_models` names of a table of others that no model here has, and `nearest`
    the known names that are spelt most like each of both. `submissions` are those that packages brought.
    """

    protocol: str | None
    models: int
    problems: int
    rows: int
    bad_rows: tuple[BadRow, ...] = ()
    unmatched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    test_sets: tuple[int, ...] = ()
    runs: tuple[int, ...] = ()
    unknown_models: tuple[str, ...] = ()
    submissions: tuple[SubmissionTrial, ...] = ()
    unmatched_models: tuple[str, ...] = ()
    nearest: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
