"""Contents of an imported file as values: the one shape that every suite importer fills."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from app.domain.asking.protocols import Protocol
from app.domain.errors import BadRow
from app.domain.problems import Checker, Entry, Form, Interactor, Limits, ProblemSpec, Test, TestsOrigin
from app.domain.publishing.origins import Origin
from app.domain.states import RunState

# No known contest is older than the first, and none is announced longer in advance than the second.
EARLIEST_DATE = datetime(2000, 1, 1, tzinfo=UTC)
_MAX_AHEAD = timedelta(days=366)


def is_plausible(instant: datetime, now: datetime) -> bool:
    """Return whether a date from a site or a file can be true: not before 2000, at most a year after `now`."""
    return EARLIEST_DATE <= instant <= now + _MAX_AHEAD


@dataclass(frozen=True, slots=True)
class ImportedSource:
    """Source that problems belong to; `kind` is site or suite."""

    slug: str
    name: str
    kind: str = "site"
    base_url: str | None = None
    show_statements: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ImportedContest:
    """Contest that dates problems."""

    external_id: str
    title: str
    starts_at: datetime
    ends_at: datetime | None = None
    division: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedStatement:
    """Text of a problem in one locale."""

    title: str
    text: str
    starter_code: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """Reference or known-wrong program that proves the tests."""

    name: str
    language: str
    code: str
    reference: bool = True


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """Rule for a package's submission: each test gets a permitted verdict, at least one test a required one.

    Verdicts are AC, WA, TLE and RTE, in some formats also MLE and OLE. `tests` are the places of the tests that the
    rule covers, None for all.
    """

    permitted: frozenset[str]
    required: frozenset[str]
    tests: tuple[int, ...] | None = None

    def find_breach(self, verdicts: Sequence[str]) -> str:
        """Return how the verdicts of all tests, in order, break the rule; "" if they keep it. No tests keep it."""
        places = range(len(verdicts)) if self.tests is None else self.tests
        for place in places:
            if verdicts[place] not in self.permitted:
                return f"test {place + 1} gets {verdicts[place]}, where only {_join_verdicts(self.permitted)} may come"
        if places and not any(verdicts[place] in self.required for place in places):
            return f"no test gets {_join_verdicts(self.required)}"
        return ""


def _join_verdicts(verdicts: frozenset[str]) -> str:
    return " or ".join(sorted(verdicts))


@dataclass(frozen=True, slots=True)
class PackageSubmission:
    """Program that a package brings, with rules for its verdicts; `left_out` is the reason why it cannot be tried here.

    `has_limit_verdicts`: its format distinguishes MLE and OLE from RTE; otherwise RTE stands for them, too.
    """

    name: str
    language: str = ""
    code: str = ""
    rules: tuple[VerdictRule, ...] = ()
    left_out: str = ""
    has_limit_verdicts: bool = False


@dataclass(frozen=True, slots=True)
class SubmissionTrial:
    """Verdict of a package's submission when its problem was imported.

    `verdict` is that of the deciding test, such as WA; None if it was not tried. `reason` says why it differs from what
    the package says, or why it was not tried.
    """

    problem: str
    submission: str
    verdict: str | None
    as_said: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PublishedTests:
    """Tests of a task as its own site published them. `label` is the task's letter or title in its contest.

    `lacking` says why the tests cannot judge by themselves; there are no tests then.
    """

    label: str
    tests: tuple[Test, ...] = ()
    lacking: str | None = None


@dataclass(frozen=True, slots=True)
class RecipeStep:
    """One test of a recipe: its input as text, or the arguments with which a generator prints it; `path` names it.

    Without `expected`, the solution answers it if the problem is not interactive.
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
    """Instructions to make the tests of a package that does not hold them all. Every program in it is untrusted.

    `testlib` is the package's own header, whose random numbers the tests depend on. The validator is given the name of
    the `testset` and the group of a test.
    """

    steps: tuple[RecipeStep, ...]
    generators: Mapping[str, ImportedProgram]
    validators: tuple[ImportedProgram, ...] = ()
    solution: ImportedProgram | None = None
    testlib: str | None = None
    testset: str = "tests"


class TestsSource(StrEnum):
    """Source of a problem's tests.

    FILE: the imported file. RUN: a run of its first reference program on the file's inputs; the file's own values are
    only claims. MADE: a suite built from its `constraints` and its programs.
    """

    __test__ = False  # not a pytest class

    FILE = "file"
    RUN = "run"
    MADE = "made"


@dataclass(frozen=True, slots=True)
class ImportedProblem:
    """One problem of a file.

    `catalogued` problems are known by name and date only: they carry results and are never planned. For the others
    `statements`, `form` and `tests` are set. `shipped_proof` says that the tests were proven where they were made. The
    judge applies `limits`. `rewrites` is the (source, name) of the problem that this one asks in other words.
    `validator` reads an input, as JSON unless it is text, and exits with 0 if the input is legal. A `recipe` makes the
    tests; with `tests_from`, programs are run to find what the file lacks. `read_at` is a site that shows the problem
    under the same name.
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
    unstated: frozenset[str] = frozenset()  # names of limits that the file does not state
    checker: Checker = Checker()
    interactor: Interactor | None = None
    tests: tuple[Test, ...] = ()
    tests_from: TestsSource = TestsSource.FILE
    constraints: str = ""  # rules for legal inputs, a sentence a line
    tests_made_by: str = ""
    tests_origin: TestsOrigin | None = None  # for a catalogued problem: origin of the tests that judged its results
    cluster: str | None = None  # for a catalogued problem: cluster of its results
    shipped_proof: Mapping[str, object] | None = None
    programs: tuple[ImportedProgram, ...] = ()
    submissions: tuple[PackageSubmission, ...] = ()  # of a package, tried during the import
    validator: ImportedProgram | None = None
    canary: bool = False
    read_at: str | None = None
    rewrites: tuple[str, str] | None = None
    recipe: Recipe | None = None

    @property
    def spec(self) -> ProblemSpec:
        """Problem as the judge sees it."""
        return ProblemSpec(
            self.external_id, self.form, self.tests, self.limits, self.checker, self.entry, self.interactor
        )


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """Model as the file names it; `slug_of_name`: the slug was derived from the name, not given.

    `cutoff_on` is a declared cutoff with accepted evidence. `listed_on` is the date that a results file lists by its
    own rules, and `registered_on` the day on which the exporting installation registered the model.
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
    open_weights: bool | None = None  # anybody may download it
    size_b: float | None = None  # billions of parameters, all experts of a mixture included


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """Run as one of our exports names it: a model in one configuration under one protocol, and its trial number.

    Cells refer to it by `key`. `listed_on` is the cutoff in the results file from which the run first came.
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
    """One result: (model, problem) -> n, c, with the file's own value and its place in the file.

    `model` is the model's slug, or the key of a run if the batch lists its runs. `pending` and `judge_errors` count
    answers that had no verdict when the file was written; with n = 0 the problem was wanted and nothing was judged.
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
    """Standings of a contest without names: rows of (rank, points, penalty, displayed rating before, rating after).

    The ratings are None if unknown.
    """

    source: str
    contest: str
    rows: tuple[tuple[int, float, float, int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class ExternalScore:
    """Score of a model in percent, under the name that its table uses, and its number of tasks if known."""

    model: str
    score: float
    n: int | None


@dataclass(frozen=True, slots=True)
class ExternalTable:
    """Scores on a benchmark that others run."""

    name: str
    scores: tuple[ExternalScore, ...]


@dataclass(frozen=True, slots=True)
class ImportBatch:
    """Good rows of a file, stored in one transaction, and its bad rows.

    `protocol` is the slug that the results or answers belong to; if `runs` are listed, each names its own. `notes` are
    facts that a person should see, such as problems whose rows disagreed on a date.
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
    """Summary of an import, printed by `./tidemark import --json`. Nothing of `bad_rows` was stored.

    `unmatched` lists recorded answers whose problem is not published here, `test_sets` the tests that were offered to
    problems, and `runs` the runs, new or known, that answers or results belong to. `unknown_models` have no known
    cutoff, `unmatched_models` are names in an external table that no model here has, and `nearest` maps both kinds to
    the most similar known names. `submissions` are those that packages brought.
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
