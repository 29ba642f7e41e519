"""Shapes of requests and answers, made from the API's description by `generate.py`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class AbilityRow(TypedDict):
    """A model's scores in percent by scenario; those from too few answers are named in `provisional`."""

    model: str
    configuration: str
    demo: bool
    scores: dict[str, float | None]
    provisional: list[str]


class AddressAsker(TypedDict):
    """An organisation that had an address of yours asked; null stands for maintainers of this site."""

    address: str
    organisation: str | None
    problems: int
    first_sent_at: str
    last_sent_at: str
    answered: bool


class AnswerMark(TypedDict):
    """One answer as a mark: its page and its verdict, None while there is none."""

    sample_id: int
    verdict: str | None


class AnswersView(TypedDict):
    """Answers of one run to a problem; cells of a file have counts and no answers."""

    model: str
    name: str
    configuration: str
    protocol: str
    protocol_title: str
    demo: bool
    imported: bool
    cutoff_on: str
    n: int
    c: int
    median_cpu_ms: float | None
    dots: list[AnswerMark]


class AskerList(TypedDict):
    """Organisations that had your addresses asked."""

    data: list[AddressAsker]


class AuditView(TypedDict):
    """One operator's write, or one line of the public ledger."""

    at: str
    actor: str
    action: str
    subject: str
    reason: str


class BlockedProblem(TypedDict):
    """Problem that goes no further until a person acts."""

    problem: str
    reason: str


class BoardComparison(TypedDict):
    """Two rows of a board, and every problem that they differ on."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    rows: list[ComparedRow]
    difference: DifferenceToReference | None
    counts: ComparisonCounts
    problems: list[DifferingProblem]


class BoardComposites(TypedDict):
    """Scores made of scores."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    problems: int
    scale: str
    problems_with_ease: int
    rows: list[CompositeScores]


class BoardElo(TypedDict):
    """Task Elo of a board's ranked rows."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    problems: int
    unranked: list[UnrankedRow]
    ties: str
    also: str | None
    refitted: bool
    rows: list[RatedRow]


class BoardList(TypedDict):
    """Every board."""

    boards: list[ListedBoard]


class BoardPrecision(TypedDict):
    """Precision of the scores, and the numbers of problems that a higher precision takes."""

    half_width: float
    problems_for: dict[str, int]
    widen_to: str | None
    subsample: float | None


class BoardSampling(TypedDict):
    """A board's models under protocols that differ by their sampling alone."""

    board: str
    protocol: str
    axes: list[str]
    left_out: int
    protocols: list[SweptProtocol]


class BoardSizes(TypedDict):
    """Sizes of a board's problems."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    problems: int
    sizes: list[SizeHistogram]
    unittests: UnittestCoverage


class BoardSolveRates(TypedDict):
    """A board's problems by how often its rows solve them."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    problems: int
    judged: int
    nobody: int
    everybody: int
    tenths: list[int]


class BoardTopics(TypedDict):
    """A board's rows by topic; topics with fewer than `least` problems are rare."""

    board: str
    protocol: str
    filters: list[tuple[str, str]]
    revision: int
    problems_left_out: dict[str, int]
    hidden: list[HiddenRowAnswer]
    problems: int
    least: int
    topics: list[TopicScores]


class BudgetBody(TypedDict):
    """The new budget of a submission."""

    usd: float | str | None


class CellView(TypedDict):
    """Results of a run on one problem: graded, accepted, missing, and the answers themselves."""

    source: str
    external_id: str
    title: str
    released_on: str | None
    n: int
    c: int
    pending: int
    judge_errors: int
    exposed: bool
    dots: list[AnswerMark]


class ChangePage(TypedDict):
    """Lines of the public ledger, newest first."""

    data: list[PublicChange]
    next_cursor: int | None


class CheckResult(TypedDict):
    """The outcome of one check, with what was seen, and one sentence on what to change."""

    check: EndpointCheck
    status: CheckStatus
    evidence: NotRequired[str | None]
    fix: NotRequired[str | None]


CheckStatus = Literal["passed", "failed", "warned", "skipped"]


class ColumnMeaning(TypedDict):
    """A column that one board has beside those of all boards."""

    name: str
    title: str
    meaning: str


class CommonFailure(TypedDict):
    """A failure in its owner's words, with its owner and the number of samples that met it last."""

    reason: str
    owner: str
    samples: int


class ComparedRow(TypedDict):
    """One of the two rows."""

    model: str
    configuration: str
    score: float | None
    rank: int | None


class ComparisonCounts(TypedDict):
    """Numbers of the problems that both rows have."""

    common: int
    second_better: int
    first_better: int
    both: int
    neither: int
    alike: int


class CompositeScores(TypedDict):
    """A row's composite scores in percent."""

    model: str
    configuration: str
    rank: int | None
    provisional: bool
    exposed: int
    coverage: float
    demo: bool
    imported: bool
    score: float | None
    dapr: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    clusters: int
    plain: float | None
    weighted: float | None
    levels: dict[str, LevelPasses]
    lacking: list[str]
    incomplete: list[str]


class ConsensusSummary(TypedDict):
    """Counts that show how sure a suite is; a count is None if it was not stored.

    `setters` are names with vendors. Of the `legal` inputs, brute forces of two vendors answered `truths` alike,
    and `large` were out of their reach; `dropped` had no answer that stands. Of `programs` that setters wrote to
    answer inputs, `refuted` were shown to be wrong. `caught` of `mutants` (changed right programs) fail on the
    tests.
    """

    setters: list[tuple[str, str]]
    legal: int | None
    truths: int | None
    large: int | None
    dropped: int | None
    programs: int | None
    refuted: int | None
    mutants: int | None
    caught: int | None
    operator: int | None


class ContaminationAnswer(TypedDict):
    """The newest report over a protocol."""

    protocol: str
    protocols: list[str]
    revision: int | None
    made_at: str | None
    problems: int
    private_problems: int
    rewritten_pairs: int
    models: list[ContaminationRow]


class ContaminationRow(TypedDict):
    """A row; its tests are those that a maintainer has signed, or missing."""

    run: int
    model: str
    name: str
    organisation: str
    configuration: str
    trial: int
    cutoff: CutoffDay
    private_gap: PrivateProblemsGap
    rewritten: RewrittenGap | None
    rewritten_graded: int
    months: list[MonthMean]
    months_by_platform: dict[str, list[MonthMean]]
    review: str
    tested_at: str | None
    pooled: ContaminationTest | None
    platforms: dict[str, ContaminationTest]
    change_point: WorstDay | None


class ContaminationTest(TypedDict):
    """A test of one row; `evidence` is false if there is none, which proves nothing."""

    status: str
    reason: str | None
    unmet: list[UnmetCondition]
    window: WindowDays | None
    models_left_out: LeftOutModels
    finding: str
    evidence: bool
    smoothed: bool
    pre: int
    post: int
    clusters: int
    controls: int
    rate_pre: float | None
    rate_post: float | None
    raw: NotRequired[RawDropPoints | None]
    drop: CutoffDrop | None
    trend: CutoffDrop | None
    quarters: list[CutoffQuarter]


class ContestPace(TypedDict):
    """Times of the steps of the last contests, and the number of problems published."""

    steps: list[StepTime]
    weeks: list[PublishedWeek]


class ContestProgress(TypedDict):
    """Progress of a contest."""

    contest: str
    steps: list[ReachedStep]
    held: NotRequired[list[BlockedProblem]]


class ContestRating(TypedDict):
    """A row's rating in one contest; `censored` if it is only a bound."""

    contest: str
    rating: float
    better: float
    censored: bool


ContestStep = Literal["ended", "visited", "statement", "answers", "setting", "proof", "publication", "judged", "board"]


class CorrelationValue(TypedDict):
    """A correlation of `n` pairs, -1 to 1, with its interval; None if there are too few or they agree entirely."""

    value: float
    lo: float | None
    hi: float | None
    n: int


CutoffBasis = Literal["declared", "released", "registered", "listed", "unknown"]


class CutoffBody(TypedDict):
    """The last day of a model's training data, with the evidence.

    It is in force once a maintainer has accepted the evidence. Until then the cutoff is the day on which the
    model was registered, or the day on which a run of it was pre-registered if that is later.
    """

    date: str
    evidence_url: NotRequired[str | None]


class CutoffChange(TypedDict):
    """One edit of a cutoff."""

    at: str
    old: str | None
    new: str | None
    basis: str
    evidence: str | None
    actor: str


class CutoffDay(TypedDict):
    """The day that exposure is decided by, and what it rests on."""

    date: str | None
    basis: str


class CutoffDrop(TypedDict):
    """Size of a drop at the cutoff: coefficients in logits, effect with its 95 % interval in points.

    The effect, like the test, is of the part of `beta` beyond `placebo`. `placebo` is the median over `controls`
    pretended targets, `tau` their variation beyond sampling; `p` is one-sided by t with `df`. `q` accounts for
    all models assessed in one call.
    """

    beta: float
    se: float
    placebo: float
    tau: float
    z: float
    df: int
    p: float
    q: float
    effect: float
    lo: float
    hi: float
    controls: int


class CutoffQuarter(TypedDict):
    """Three months counted from the cutoff, [start, end): passes beyond what the fit expects without exposure.

    In points, with a 95 % interval by t of `contests` - 1, None if all problems are of one contest. Quarters
    after the cutoff lie about 0 together, by construction: each shows if the drop came with the cutoff.
    """

    start: str
    end: str
    problems: int
    effect: float
    lo: float | None
    hi: float | None
    contests: int


class DeclarationBody(TypedDict):
    """The dates of a model, as its vendor declares them."""

    released_on: NotRequired[str | None]
    cutoff: NotRequired[CutoffBody | None]


class DeclaredCutoff(TypedDict):
    """The cutoff that counts, and its evidence."""

    date: str | None
    basis: str
    evidence: str | None


class DeletedModel(TypedDict):
    """A model that is gone with its endpoints."""

    object: Literal["model"]
    slug: str
    deleted: Literal[True]


class DeliveryAnswer(TypedDict):
    """The sending of one event to a webhook."""

    object: Literal["delivery"]
    event: EventAnswer
    state: str
    attempts: int
    sent_at: str | None
    status: int | None
    failure: str | None
    next_attempt_at: str | None


class DeliveryPage(TypedDict):
    """Deliveries of a webhook, newest first."""

    data: list[DeliveryAnswer]
    next_cursor: str | None


class DifferenceToReference(TypedDict):
    """A paired difference to the reference row in points, with its 95 % interval.

    `p` is adjusted after Holm. `apart` is null if a row has no rank.
    """

    mean: float | None
    lo: float | None
    hi: float | None
    p: float | None
    apart: bool | None


class DifferingProblem(TypedDict):
    """A problem that the rows differ on: the pass rates of both, 0 to 1."""

    problem: str
    title: str
    released_on: str | None
    rates: list[float]
    may_have_seen: list[bool]


class DisputeAnswer(TypedDict):
    """A dispute of yours, and what maintainers answered."""

    object: Literal["dispute"]
    id: str
    about: str
    model: str
    sample: int | None
    text: str
    evidence_url: str | None
    state: str
    opened_at: str
    answer: str | None
    answered_at: str | None


class DisputeBody(TypedDict):
    """A dispute: what is wrong with a verdict, a cutoff or the exposures of a model of yours."""

    about: Literal["verdict", "cutoff", "exposure"]
    model: NotRequired[str | None]
    sample: NotRequired[int | None]
    text: str
    evidence_url: NotRequired[str | None]


class DisputePage(TypedDict):
    """Your disputes, newest first."""

    data: list[DisputeAnswer]
    next_cursor: str | None


class DivisionRating(TypedDict):
    """The mean rating in the contests of a division; null stands for contests for everybody."""

    division: str | None
    rating: float
    contests: int


class DryRun(TypedDict):
    """Forecast of an order; nothing was placed."""

    object: Literal["dry_run"]
    model: str
    protocol: str
    configuration: str
    problems: int
    samples: int
    samples_per_week: float | None
    cost: OrderCost
    duration: OrderDuration
    rank: RankForecast
    warnings: list[str]


class EndpointAnswer(TypedDict):
    """An endpoint of yours, without its secret."""

    object: Literal["endpoint"]
    id: int
    endpoint_id: str
    model: str
    protocol: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    prices: EndpointPrices
    answered: bool
    stopped: str | None
    created_at: str


class EndpointBody(TypedDict):
    """The endpoint that serves a model. The secret is stored encrypted and never shown again."""

    model: str
    protocol: NotRequired[
        Literal["anthropic", "google", "openai_chat", "openai_completions", "openai_responses", "sglang", "vllm"]
    ]
    remote_name: str
    base_url: str
    secret: NotRequired[str | None]
    max_concurrency: NotRequired[int | None]
    timeout_s: NotRequired[float | None]
    price_input: NotRequired[float | str | None]
    price_cached: NotRequired[float | str | None]
    price_output: NotRequired[float | str | None]


class EndpointChangeBody(TypedDict):
    """New facts of an endpoint; those left out or null stay."""

    base_url: NotRequired[str | None]
    secret: NotRequired[str | None]
    max_concurrency: NotRequired[int | None]
    timeout_s: NotRequired[float | None]
    price_input: NotRequired[float | str | None]
    price_cached: NotRequired[float | str | None]
    price_output: NotRequired[float | str | None]


EndpointCheck = Literal[
    "address", "tls", "key", "model", "limits", "answer", "program", "streaming", "usage", "speed", "clock", "echo"
]


class EndpointFailure(TypedDict):
    """The newest failure of a real request that the endpoint was sent, in its own words."""

    at: str | None
    reason: str
    owner: str


class EndpointPage(TypedDict):
    """Your endpoints, newest first."""

    data: list[EndpointAnswer]
    next_cursor: str | None


class EndpointPrices(TypedDict):
    """Prices of an endpoint in US dollars per million tokens; null if not registered."""

    input: float | None
    cached: float | None
    output: float | None


class EstimatedScore(TypedDict):
    """A score in percent with its 95 % interval."""

    score: float
    ci_lo: float
    ci_hi: float


class EventAnswer(TypedDict):
    """Something that happened; a webhook gets it in this form, with `timestamp` as the time it happened."""

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]


class EventPage(TypedDict):
    """Your organisation's events of the last 90 days, oldest first."""

    data: list[EventAnswer]
    next_cursor: str | None


class ExposurePage(TypedDict):
    """Problems sent, oldest first."""

    exposures: list[SentProblemAnswer]
    next_cursor: str | None


class FacetCount(TypedDict):
    """A value of a filter, and the number of rows or problems that it would leave."""

    value: str
    count: int


class FrozenBoardAnswer(TypedDict):
    """A board as it was frozen. One frozen by an older version has fewer fields."""

    board: str
    protocol: str
    window: WindowDays
    filters: dict[str, list[str] | str | bool | None]
    revision: int
    problems: int
    by_difficulty: dict[str, int]
    by_platform: dict[str, int]
    clusters: int
    resolution: float | None
    hidden: list[HiddenRowAnswer]
    groups: NotRequired[dict[str, ProblemGroups]]
    marks: NotRequired[dict[str, float]]
    columns_empty: NotRequired[dict[str, str]]
    snapshot: str
    problems_left_out: NotRequired[dict[str, int]]
    test_origins: NotRequired[dict[str, int]]
    first_separated: NotRequired[int | None]
    precision: NotRequired[BoardPrecision | None]
    clean_window: NotRequired[WindowDays | None]
    facets: NotRequired[dict[str, list[FacetCount]]]
    rows: list[FrozenRow]
    hidden_by_reason: NotRequired[dict[str, int]]


class FrozenRow(TypedDict):
    """One run on a frozen board."""

    model: str
    name: str
    organisation: str
    configuration: str
    run: int
    trials: int
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tier: int | None
    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    wanted: int
    coverage: float
    pending: int
    judge_errors: int
    exposed: int
    by_difficulty: dict[str, ScoreOf]
    split: SplitScores | None
    cutoff: CutoffDay
    provisional: bool
    demo: bool
    imported: bool
    n_inferred: bool
    tokens: TokenMeans
    seconds_per_problem: float | None
    cost_per_solve: float | None
    speed_vs_reference: float | None
    speed_problems: int
    unpublished_variants: int
    estimate: EstimatedScore | None
    columns: NotRequired[dict[str, float | None]]
    languages: NotRequired[dict[str, float]]
    weights: NotRequired[str]
    tuned_from: NotRequired[str]
    paired: NotRequired[dict[str, GapToProtocol | None]]
    groups: NotRequired[dict[str, dict[str, GroupPassRates]]]
    pass_at: NotRequired[dict[str, float | None]]
    served: NotRequired[int]
    prospective: NotRequired[bool]
    started_by: NotRequired[str]
    registered_at: NotRequired[str | None]
    unranked: NotRequired[str | None]
    unknown_model: NotRequired[bool]
    lag_days: NotRequired[float | None]
    unmatched: NotRequired[int]
    difference: NotRequired[DifferenceToReference | None]
    without_own: NotRequired[ScoreOf | None]
    without_own_reason: NotRequired[str | None]
    p_first: NotRequired[float | None]
    rank_overlap: NotRequired[RankRange | None]


class GapToProtocol(TypedDict):
    """A mean difference in points to the same model's row under another protocol, over `n` problems."""

    mean: float
    lo: float | None
    hi: float | None
    n: int


class GradingState(TypedDict):
    """State of grading; `reason` is set when answers are not judged.

    `code` is ready, alarm, paused (a judge says why), hindered (no judge has disk space and the right time),
    silent (judges are gone) or unreported (none came yet).
    """

    code: str
    reason: str | None


class GroupPassRates(TypedDict):
    """pass@k in percent over the `n` judged problems of a group, by k."""

    n: int
    pass_at: dict[str, float | None]


class HiddenRowAnswer(TypedDict):
    """A run that a board does not show, and the filter or rule that hides it."""

    model: str
    configuration: str
    reason: str


class HolisticAnswer(TypedDict):
    """Every model's scores in all scenarios of a family."""

    family: str
    window: WindowDays
    revision: int
    scenarios: list[ListedScenario]
    rows: list[AbilityRow]
    correlations: list[ScenarioPair]
    external: list[TableElsewhere]
    languages: list[LanguageGap]


class HumanRatedRow(TypedDict):
    """A row as one more participant: its mean rating with its interval, and its percentile among people."""

    model: str
    configuration: str
    name: str
    rating: float | None
    lo: float | None
    hi: float | None
    sd: float | None
    joint: float | None
    contests: int
    censored: int
    by_contest: list[ContestRating]
    by_division: list[DivisionRating]
    percentile: float | None


class HumanRatingReport(TypedDict):
    """Ratings of models as participants of contests for people."""

    protocol: str
    people: PeopleCount | None
    percentiles: dict[str, float] | None
    revision: int | None
    made_at: str | None
    compat: str | None
    contests: list[RatedContestAnswer]
    counted: int
    invented: bool
    rows: list[HumanRatedRow]
    aided_since: NotRequired[str]


InstantWindow = TypedDict(
    "InstantWindow",
    {
        "from": "str | None",
        "to": "str | None",
    },
)
InstantWindow.__doc__ = """Release times `[from, to)`; null for an open end."""


class ItemProblem(TypedDict):
    """The problem of an item."""

    source: str
    external_id: str
    title: str
    released_on: str | None


class JudgingBacklog(TypedDict):
    """Number of answers that have waited for a judge too long, and the start of the longest wait."""

    answers: int
    since: str | None


class LanguageGap(TypedDict):
    """A model on the same problems in two languages; the gap in points is first minus second."""

    model: str
    configuration: str
    demo: bool
    protocols: list[str]
    languages: list[str]
    scores: list[float]
    gap: float
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    clusters: int


class LateContest(TypedDict):
    """A contest whose problems should be here and are not."""

    source: str
    external_id: str
    title: str
    ended_at: str


class LeftOutModels(TypedDict):
    """Numbers of other models that are no controls, by reason, each counted once.

    The reasons are: the target's family, no known cutoff, a cutoff inside the window, too few of its problems
    answered.
    """

    same_family: int
    no_cutoff: int
    cutoff_inside: int
    few_answers: int


Level = Literal["easy", "medium", "hard", "expert", "extreme"]


class LevelPasses(TypedDict):
    """The sum of pass rates over `n` judged problems of one level, of `wanted` ones."""

    passed: float
    n: int
    wanted: int


class Limits(TypedDict):
    """Limits of one test: CPU milliseconds, memory in MiB, output in KiB."""

    time_ms: NotRequired[int]
    memory_mb: NotRequired[int]
    output_kb: NotRequired[int]


class ListedBoard(TypedDict):
    """A board, its own columns, and the protocols with rows on it."""

    name: str
    title: str
    protocol: str
    columns: list[ColumnMeaning]
    protocols: list[ProtocolName]


class ListedModel(TypedDict):
    """A model with public runs; `cutoff_on` is the day that exposure is decided by, `size_b` billions of parameters."""

    id: int
    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    released_on: str | None
    cutoff_on: str
    cutoff_basis: CutoffBasis
    runs: int


class ListedProblem(TypedDict):
    """A public problem. `title` is the source's own, `titles` those that it has in other languages."""

    id: int
    source: str
    source_name: str
    demo: bool
    external_id: str
    title: str
    titles: dict[str, str]
    contest: str | None
    released_on: str | None
    state: ProblemState
    level: Level | None
    tests_origin: TestsOrigin | None


class ListedScenario(TypedDict):
    """A scenario, its board and protocol, and its number of problems."""

    name: str
    board: str
    protocol: str
    problems: int


class MeanScore(TypedDict):
    """A mean in points over `n` problems, with its interval."""

    score: float
    lo: float | None
    hi: float | None
    n: int


class Message(TypedDict):
    """One chat message; `role` is system, user or assistant."""

    role: str
    content: str


class ModelAnswer(TypedDict):
    """A model of yours."""

    object: Literal["model"]
    slug: str
    name: str
    link: str | None
    released_on: str | None
    cutoff: DeclaredCutoff
    waiting: WaitingDeclaration | None
    created_at: str
    sent: bool
    withdrawn: Tombstone | None


class ModelBody(TypedDict):
    """The model to register, and what its vendor declares of it."""

    released_on: NotRequired[str | None]
    cutoff: NotRequired[CutoffBody | None]
    slug: str
    name: str
    link: NotRequired[str | None]


class ModelChangeBody(TypedDict):
    """New facts of a model; those left out or null stay."""

    slug: NotRequired[str | None]
    name: NotRequired[str | None]
    link: NotRequired[str | None]


class ModelPage(TypedDict):
    """Models with public results."""

    data: list[ListedModel]
    next_cursor: int | None


class ModelView(TypedDict):
    """A model with its runs."""

    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    tuned_from: str | None
    link: str | None
    released_on: str | None
    cutoff_on: str
    cutoff_basis: CutoffBasis
    cutoff_evidence: str | None
    cutoff_edits: list[CutoffChange]
    withdrawn: Tombstone | None
    runs: list[RunView]


class MonthMean(TypedDict):
    """The problems of one month: how many were judged, and their mean in points with its interval, if it has one."""

    first: str
    n: int
    score: float
    lo: float | None
    hi: float | None


class OrderCost(TypedDict):
    """Expected cost of an order."""

    usd: float | None
    tokens_input: float | None
    tokens_output: float | None
    like_answers: int


class OrderDuration(TypedDict):
    """Expected time of an order's answers at the speed that its endpoint showed."""

    hours: float | None
    seconds_per_answer: float | None
    measured_answers: int
    at_once: int


class OrderEta(TypedDict):
    """Time at which the order is expected to be done. It moves back only with a reason."""

    at: str
    promised_at: str
    later_because: str | None


class OrderItem(TypedDict):
    """One answer that an order asks for."""

    object: Literal["item"]
    id: int
    problem: ItemProblem | None
    item: int
    ordinal: int
    state: str
    attempts: int
    requests: int
    error: str | None
    owner: str | None
    next_try: str | None
    answered_at: str | None
    no_answer: bool
    cost_usd: float | None
    verdict: str | None


class OrderItemPage(TypedDict):
    """Items of an order in the order in which they are asked."""

    data: list[OrderItem]
    next_cursor: str | None


class OrderPreview(TypedDict):
    """The row of an order that is not on a board, among the rows that are."""

    object: Literal["preview"]
    submission: str
    model: str
    configuration: str
    board: str
    protocol: str
    window: str
    public_from: str | None
    rows: int
    row: PreviewRow | None


class OrderQueue(TypedDict):
    """Place of an order at its endpoint, whose orders are asked oldest first."""

    position: int
    samples_before: int


class OrderableProtocol(TypedDict):
    """A protocol that accepts submissions, with what it covers now over all time."""

    object: Literal["protocol"]
    slug: str
    title: str
    scenario: str
    language: str
    locale: str
    answers_per_item: int
    temperature: float
    max_tokens: int
    ranked: bool
    problems: int
    samples: int
    cost: OrderCost


class OrderableProtocolList(TypedDict):
    """The protocols that accept submissions."""

    data: list[OrderableProtocol]


class OwnModelPage(TypedDict):
    """Your models, newest first."""

    data: list[ModelAnswer]
    next_cursor: str | None


class PeopleCount(TypedDict):
    """Number of people whose ratings are known, and the time of their list."""

    count: int
    stored_at: str


class PreviewRow(TypedDict):
    """A row as it would stand now: score and interval in percent, and the range of its rank."""

    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    unranked: str | None
    problems: int
    wanted: int
    coverage: float
    exposed: int


PrivateGapReason = Literal["no_cutoff", "few_private", "few_public"]


class PrivateProblemsGap(TypedDict):
    """Public problems after the cutoff against private ones, in points; without a reason, all figures are there."""

    reason: PrivateGapReason | None
    n_public: int
    n_private: int
    public: MeanScore | None
    private: MeanScore | None
    gap: float | None
    lo: float | None
    hi: float | None
    adjusted_for_difficulty: bool


class ProbeAnswer(TypedDict):
    """A probe of an endpoint of yours: whether an order could be answered there, and what to change if not."""

    object: Literal["probe"]
    id: str
    endpoint: int
    state: Literal["waiting", "running", "finished"]
    origin: str
    protocol: str
    configuration: dict[str, str | bool | int | float]
    result: str | None
    fault: str | None
    checks: list[CheckResult]
    requests: int
    requested_at: str
    finished_at: str | None
    next_at: str | None
    last_failure: EndpointFailure | None


class ProbeBody(TypedDict):
    """The protocol and the configuration whose requests a probe of an endpoint resembles."""

    protocol: NotRequired[str]
    configuration: NotRequired[dict[str, str | bool | int | float]]


class Problem(TypedDict):
    """A failure, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    owner: Literal["us", "you", "vendor"]
    retryable: bool
    request_id: str
    errors: NotRequired[list[dict[str, Any]]]


class ProblemGroups(TypedDict):
    """A grouping of a board's problems; `problems` counts those of each group."""

    ks: list[int]
    problems: dict[str, int]
    unplaced: int


class ProblemPage(TypedDict):
    """Public problems, newest first."""

    data: list[ListedProblem]
    next_cursor: int | None


ProblemState = Literal["found", "checked", "held", "published", "withdrawn", "catalogued"]


class ProblemView(TypedDict):
    """A problem: metadata always, its text only if the source's policy shows it."""

    source: str
    source_name: str
    external_id: str
    title: str
    titles: dict[str, str]
    url: str | None
    state: str
    demo: bool
    contest: str | None
    contest_url: str | None
    released_on: str | None
    tags: list[str]
    topics: list[str]
    other_tags: list[str]
    flags: list[str]
    level: Level | None
    rating: Rating | None
    difficulties: list[tuple[str, float, str]]
    eases: list[tuple[str, float, str]]
    form: str | None
    time_ms: int | None
    memory_mb: int | None
    judged: Limits
    statements: dict[str, str]
    tests: int | None
    tests_origin: TestsOrigin | None
    setters: list[str]
    suite: ConsensusSummary | None
    rejected: tuple[int, int] | None
    proof: str | None
    checker: str | None
    quarantined: str | None
    reports: list[ReportView]
    answers: list[AnswersView]


class PromptView(TypedDict):
    """The exact messages, rendered again; `matches` is True if their digest is the one stored with the answer."""

    messages: list[Message]
    sha256: str
    matches: bool | None


class ProtocolName(TypedDict):
    """A protocol."""

    slug: str
    title: str


class PublicChange(TypedDict):
    """One line; `name` is its subject's title or name, if known, and `cause_names` those of its causes' subjects."""

    id: int
    at: str
    kind: str
    subject: str
    name: str | None
    reason: str
    before: Any
    after: Any
    cause_names: NotRequired[dict[str, str]]


class PublishedWeek(TypedDict):
    """Number of problems of sites published in the week that begins on this Monday, UTC."""

    monday: str
    problems: int


class RankForecast(TypedDict):
    """Forecast of a rank: if the row of an order would have one as things stand, and why not."""

    ranked: bool
    because: list[str]


class RankRange(TypedDict):
    """The best and the worst rank."""

    lo: int
    hi: int


class RankedBoard(TypedDict):
    """A board over a window: its rows in their order, and what a filter hides."""

    board: str
    protocol: str
    window: WindowDays
    filters: dict[str, list[str] | str | bool | None]
    revision: int
    problems: int
    by_difficulty: dict[str, int]
    by_platform: dict[str, int]
    clusters: int
    resolution: float | None
    hidden: list[HiddenRowAnswer]
    groups: NotRequired[dict[str, ProblemGroups]]
    marks: NotRequired[dict[str, float]]
    columns_empty: NotRequired[dict[str, str]]
    snapshot: None
    problems_left_out: dict[str, int]
    test_origins: dict[str, int]
    first_separated: int | None
    precision: BoardPrecision | None
    clean_window: WindowDays | None
    facets: dict[str, list[FacetCount]]
    rows: list[RankedRow]
    hidden_by_reason: dict[str, int]


class RankedRow(TypedDict):
    """One run on a board."""

    model: str
    name: str
    organisation: str
    configuration: str
    run: int
    trials: int
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tier: int | None
    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    wanted: int
    coverage: float
    pending: int
    judge_errors: int
    exposed: int
    by_difficulty: dict[str, ScoreOf]
    split: SplitScores | None
    cutoff: CutoffDay
    provisional: bool
    demo: bool
    imported: bool
    n_inferred: bool
    tokens: TokenMeans
    seconds_per_problem: float | None
    cost_per_solve: float | None
    speed_vs_reference: float | None
    speed_problems: int
    unpublished_variants: int
    estimate: EstimatedScore | None
    columns: NotRequired[dict[str, float | None]]
    languages: NotRequired[dict[str, float]]
    weights: NotRequired[str]
    tuned_from: NotRequired[str]
    paired: NotRequired[dict[str, GapToProtocol | None]]
    groups: NotRequired[dict[str, dict[str, GroupPassRates]]]
    pass_at: dict[str, float | None]
    served: int
    prospective: bool
    started_by: str
    registered_at: str | None
    unranked: str | None
    unknown_model: bool
    lag_days: float | None
    unmatched: int
    difference: DifferenceToReference | None
    without_own: ScoreOf | None
    without_own_reason: str | None
    p_first: float | None
    rank_overlap: RankRange | None


class RatedContestAnswer(TypedDict):
    """A contest; `left_out` says why it does not count, null if it does."""

    source: str
    contest: str
    title: str
    division: str | None
    left_out: str | None
    starts_at: str | None
    standings_of: str
    people: int
    problems: int
    lacking: int
    invented: bool


class RatedRow(TypedDict):
    """A rating with its 95 % interval; null if battles do not identify it."""

    model: str
    configuration: str
    score: float | None
    rating: float | None
    lo: float | None
    hi: float | None


Rating = tuple[str, float]


class RawDropPoints(TypedDict):
    """The mean before the cutoff minus that after it, unadjusted, in points, with its 95 % interval."""

    mean: float | None
    lo: float | None
    hi: float | None


class ReachedStep(TypedDict):
    """Step, and the time since which the contest has taken it."""

    step: ContestStep
    since: str


class ReportView(TypedDict):
    """A reader's report about a problem, with its answer if there is one."""

    id: int
    at: str
    body: str
    state: str
    answer: str | None
    answered_at: str | None


class RewrittenGap(TypedDict):
    """Problems against their rewritten twins, in points over `n` pairs."""

    gap: float
    lo: float | None
    hi: float | None
    n: int


class RowScore(TypedDict):
    """A row's score in percent over `n` judged problems; null without any."""

    model: str
    configuration: str
    score: float | None
    n: int


class RunAnswers(TypedDict):
    """Answers of a run that were asked for: tokens in all, US dollars, finish reasons, and serving models.

    `cost_usd` leaves out `unpriced` answers; `first_token_ms` is the median of those that were streamed. `served`
    has at most five names.
    """

    answers: int
    tokens: dict[str, int | None]
    cost_usd: float | None
    unpriced: int
    first_token_ms: float | None
    finish: dict[str, int]
    served: list[ServedName]
    servings: list[ServingView]


class RunProgress(TypedDict):
    """Progress of a run, in samples of the texts in use.

    `answers_per_s` and `verdicts_per_s` are those of the last ten minutes; `eta_s` is the time until none waits,
    None if it is not known. `spent_usd` counts `unpriced` answers, whose cost is not known, as the most they may
    have cost, or as nothing without a price. `over` is True if nothing more happens for now: all is judged or
    given up, the run was ended, or its endpoint was stopped, which pauses it too. A run that its budget paused is
    not over. `failure` is the commonest last failure of its unanswered samples.
    """

    run: int
    model: str
    configuration: str
    protocol: str
    state: str
    state_reason: str | None
    public: bool
    over: bool
    total: int
    waiting: int
    judging: int
    judged: int
    no_answer: int
    failed_vendor: int
    failed_ours: int
    answers_per_s: float | None
    verdicts_per_s: float | None
    eta_s: float | None
    spent_usd: float
    unpriced: int
    failure: CommonFailure | None


class RunView(TypedDict):
    """One run of a model with its cells. `standing` is `stands`, or why boards do not show this trial: `later_trial`
    or `voided` (the field `voided` says when and why). `spread` covers all trials that are not void, if this one
    stands.
    """

    id: int
    protocol: str
    protocol_title: str
    configuration: str
    trial: int
    standing: str
    voided: RunVoiding | None
    spread: Spread | None
    imported: bool
    recorded: bool
    state: str
    state_reason: str | None
    failure: CommonFailure | None
    asked: RunAnswers | None
    n_inferred: bool
    provenance: dict[str, str]
    graded: int
    accepted: int
    pending: int
    judge_errors: int
    cells: list[CellView]
    total_cells: int


class RunVoiding(TypedDict):
    """The public ledger's time and reason of a void run."""

    at: str
    reason: str


SampleState = Literal["pending", "inferring", "answered", "grading", "graded", "gave_up", "stuck"]


class SampleView(TypedDict):
    """One answer; `continues` are those it goes on from, the first one first."""

    id: int
    continues: list[int]
    state: str
    error: str | None
    error_owner: str | None
    model: str
    name: str
    organisation: str
    configuration: str
    demo: bool
    protocol: str
    protocol_title: str
    recorded: bool
    source: str
    external_id: str
    title: str
    problem_demo: bool
    language: str
    ordinal: int
    prompt: PromptView | None
    prompt_withheld: bool
    response: str | None
    reasoning: str | None
    answer: str | None
    unanswered: bool
    followed_format: bool | None
    finish_reason: str | None
    served_model: str | None
    fingerprint: str | None
    answered_at: str | None
    latency_ms: float | None
    first_token_ms: float | None
    tokens: dict[str, int | None]
    cost_usd: float | None
    provenance: dict[str, str]
    verdicts: list[VerdictView]


class ScenarioPair(TypedDict):
    """The correlation of the scores of two scenarios over the models that have both."""

    one: str
    other: str
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None


class ScoreElsewhere(TypedDict):
    """A model's score in a table of others, and here; `group` places it relative to the trend."""

    model: str
    configuration: str
    demo: bool
    named: str
    elsewhere: float
    here: float
    group: str | None


class ScoreOf(TypedDict):
    """A score in percent over `n` judged problems; null without any."""

    score: float | None
    n: int


class SentProblemAnswer(TypedDict):
    """A problem that was sent to a model's endpoint."""

    model: str
    organisation: str
    endpoint: int
    problem: str
    sent_at: str


class ServedName(TypedDict):
    """An endpoint's names for model and system in some answers."""

    model: str | None
    fingerprint: str | None
    answers: int


class ServiceLiveness(TypedDict):
    """The process answers."""

    status: Literal["up"]


class ServiceReadiness(TypedDict):
    """State of the whole service; `reasons` say why it is not ready."""

    status: Literal["ready", "not ready"]
    reasons: list[str]


class ServingView(TypedDict):
    """A way in which our weights were served to a run, and since when; paths show only their last part."""

    since: str
    facts: dict[str, str | int | list[str] | dict[str, str] | None]


class SiteView(TypedDict):
    """One site, and its state: on_time, due, late, failing, blocked, paused or never.

    `lag_p50`, `lag_p95` are seconds from a contest's end until its problems were here, over the last fortnight.
    """

    slug: str
    name: str
    state: str
    enabled: bool
    last_at: str | None
    last_state: str | None
    last_reason: str | None
    running_since: str | None
    late: int
    lag_p50: float | None
    lag_p95: float | None
    visits: dict[str, int]
    answers: dict[str, int]
    next_due: str | None


SizeBand = TypedDict(
    "SizeBand",
    {
        "from": "int",
        "to": "int | None",
        "count": "int",
    },
)
SizeBand.__doc__ = """How many sizes are from `from` up to, and without, `to`."""


class SizeHistogram(TypedDict):
    """The distribution of `n` sizes."""

    name: str
    n: int
    bands: list[SizeBand]


class SnapshotEntry(TypedDict):
    """A frozen board; `query` holds the names and values of the board's address."""

    sha256: str
    board: str
    query: dict[str, list[str]]
    revision: int
    frozen_at: str
    frozen_by: str
    reason: str


class SnapshotPage(TypedDict):
    """Frozen boards, newest first."""

    data: list[SnapshotEntry]
    next_cursor: int | None


class SourceFreshness(TypedDict):
    """Freshness of a source: its last successful visit and its newest problem."""

    slug: str
    name: str
    kind: str
    enabled: bool
    demo: bool
    problems: int
    newest_problem: str | None
    last_succeeded: str | None
    last_state: str | None
    last_reason: str | None


class SplitScores(TypedDict):
    """Scores on problems that the model cannot have seen, and on the others."""

    clean: ScoreOf
    exposed: ScoreOf


class Spread(TypedDict):
    """Scores of trials on the problems graded in all of them: least, greatest and standard deviation, in points."""

    trials: int
    problems: int
    lo: float
    hi: float
    sd: float


class StateDepth(TypedDict):
    """Samples in one state, and when the oldest was planned or entered it (None: unknown)."""

    state: str
    count: int
    oldest: str | None


class StatusView(TypedDict):
    """Public status: freshness of sources, queues, grading, and recent changes.

    `languages` are those that live judges offer, each with its toolchain's version. `agreement` says how far
    suites by consensus agreed with better tests. `wait_for_tomorrow` counts problems whose tests setters will not
    make before the next day (UTC), because a daily limit is reached. `hindered` counts workers, by queue, that
    lack disk space or the right time. `unjudged` are answers that have waited longer than they should.
    """

    at: str
    sources: list[SourceFreshness]
    depths: list[StateDepth]
    grading: GradingState
    paused: list[str]
    workers: dict[str, int]
    hindered: dict[str, int]
    unjudged: JudgingBacklog
    languages: dict[str, str]
    held: int
    changes: list[AuditView]
    late: list[LateContest]
    sites: list[SiteView]
    contests: list[ContestProgress]
    pace: ContestPace
    agreement: SuiteAgreement
    wait_for_tomorrow: int


class StepTime(TypedDict):
    """Times of a step in seconds over the last contests that have taken it; `contests` is their number.

    `took_*` is the time of the step itself: from the last of the steps before it. `median_s` and `worst_s` are
    the whole time since a contest's end.
    """

    step: ContestStep
    contests: int
    took_median_s: float
    took_worst_s: float
    median_s: float
    worst_s: float


class SubmissionAnswer(TypedDict):
    """An order as it stands; `owner` owns the next step."""

    object: Literal["submission"]
    id: str
    group: str | None
    state: str
    state_reason: str | None
    state_since: str
    deadline: str | None
    owner: str
    next_step: str
    model: str
    endpoint: int
    endpoint_id: str
    protocol: str
    practice: bool
    run: int | None
    configuration: dict[str, str | bool | int | float]
    window: InstantWindow
    continuous: bool
    visibility: str
    embargo_until: str | None
    created_at: str
    budget: SubmissionBudget
    queue: OrderQueue | None
    eta: OrderEta | None
    progress: SubmissionProgress | None
    failure: CommonFailure | None
    warnings: list[str]


class SubmissionBody(TypedDict):
    """A submission: one endpoint's model, in one configuration, over a window or continuously."""

    protocol: NotRequired[str]
    configuration: NotRequired[dict[str, str | bool | int | float]]
    window: NotRequired[WindowBody | None]
    continuous: NotRequired[bool]
    visibility: NotRequired[Literal["public", "private"]]
    embargo_until: NotRequired[str | None]
    budget_usd: NotRequired[float | str | None]
    endpoint: int | str


class SubmissionBudget(TypedDict):
    """US dollars that an order may cost (null for no limit), and those it has cost."""

    usd: float | None
    spent_usd: float


class SubmissionGroup(TypedDict):
    """Orders that one request placed, all or none of them."""

    object: Literal["submission_group"]
    id: str
    data: list[SubmissionAnswer]


class SubmissionGroupBody(TypedDict):
    """Submissions of several models on the same terms: all are placed, or none."""

    protocol: NotRequired[str]
    configuration: NotRequired[dict[str, str | bool | int | float]]
    window: NotRequired[WindowBody | None]
    continuous: NotRequired[bool]
    visibility: NotRequired[Literal["public", "private"]]
    embargo_until: NotRequired[str | None]
    budget_usd: NotRequired[float | str | None]
    endpoints: list[int | str]


class SubmissionPage(TypedDict):
    """Your orders, newest first."""

    data: list[SubmissionAnswer]
    next_cursor: str | None


class SubmissionProgress(TypedDict):
    """Numbers of an order's answers."""

    total: int
    generated: int
    judged: int
    no_answer: int
    failed_vendor: int
    failed_ours: int


SubmissionState = Literal[
    "draft",
    "validating",
    "queued",
    "preflight",
    "generating",
    "judging",
    "review",
    "embargoed",
    "published",
    "withdrawn",
    "paused",
    "cancelled",
    "stalled",
    "failed",
    "expired",
]


class SuiteAgreement(TypedDict):
    """Agreement of verdicts (accepted or not) on `agreed` of `answers` answers to `problems` problems.

    `ci_lo` and `ci_hi` bound the share in percent at 95 %, clustered by problem, since one suite judges all
    answers to a problem; they and `share` are None if nothing could be compared yet.
    """

    agreed: int
    answers: int
    problems: int
    wrongly_accepted: int
    wrongly_rejected: int
    share: float | None
    ci_lo: float | None
    ci_hi: float | None


class SweepRow(TypedDict):
    """A model's row under one protocol of a sweep."""

    model: str
    configuration: str
    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    coverage: float


class SweptProtocol(TypedDict):
    """A protocol of a sweep: its values on the axes, and its rows."""

    protocol: str
    values: dict[str, float | None]
    rows: list[SweepRow]


class TableElsewhere(TypedDict):
    """A table of others against code generation here, on all problems or on easy ones alone."""

    table: str
    difficulty: str | None
    rows: list[ScoreElsewhere]
    trend: TrendLine | None
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None
    unmatched: list[str]


class TaskCoverage(TypedDict):
    """A problem judged by unittests: its tests, and the branches of its reference that they took."""

    problem: str
    tests: int
    branches: int | None
    taken: int | None
    coverage: float | None


TestsOrigin = Literal["official", "package", "references", "consensus"]


class TokenMeans(TypedDict):
    """Tokens a problem by kind; null if the endpoint does not say."""

    input: float | None
    cached: float | None
    reasoning: float | None
    answer: float | None


class Tombstone(TypedDict):
    """When a model was withdrawn, by which organisation, and why. It is public."""

    at: str
    by: str
    reason: str


class TopicScores(TypedDict):
    """Every row's score on the problems of one topic."""

    topic: str
    problems: int
    rare: bool
    rows: list[RowScore]


class TrendLine(TypedDict):
    """A line through (elsewhere, here): the slope, and the score here at 0 elsewhere."""

    slope: float
    start: float


class UnittestCoverage(TypedDict):
    """A board's unittest tasks; the means are over the measured ones."""

    measured: int
    tests: float | None
    coverage: float | None
    tasks: list[TaskCoverage]


class UnmetCondition(TypedDict):
    """A condition of the test that is not met: the number there is and the number needed."""

    condition: str
    have: int | None
    need: int | None


class UnrankedRow(TypedDict):
    """A row without a rank, and the reason."""

    model: str
    configuration: str
    reason: str | None


class VerdictView(TypedDict):
    """One verdict on an answer. `first_failing` counts tests from 1; a hidden test is only a number."""

    verdict: str
    passed: int
    total: int
    first_failing: int | None
    cpu_ms: float
    wall_ms: float
    memory_kb: int
    limit_mode: str
    slowness: float | None
    checker_failed: bool
    in_process: bool
    grader_revision: str
    judged_at: str
    current: bool
    message: str | None
    rejudged_for: str | None


class WaitingDeclaration(TypedDict):
    """The vendor's own dates of the model, until a maintainer has decided."""

    date: str | None
    released_on: str | None
    evidence: str | None


class WebhookAnswer(TypedDict):
    """An address that your organisation's events are sent to."""

    object: Literal["webhook"]
    id: str
    url: str
    events: list[str] | None
    created_at: str
    old_secret_until: str | None
    disabled_at: str | None
    disabled_reason: str | None


class WebhookBody(TypedDict):
    """An address to send events to."""

    url: str
    events: NotRequired[
        list[
            Literal[
                "submission.queued",
                "submission.preflight",
                "submission.generating",
                "submission.judging",
                "submission.review",
                "submission.embargoed",
                "submission.published",
                "submission.withdrawn",
                "submission.paused",
                "submission.cancelled",
                "submission.stalled",
                "submission.failed",
                "submission.expired",
                "key.expiring",
                "cutoff.decided",
                "contest.judged",
                "dispute.answered",
            ]
        ]
    ]


class WebhookChangeBody(TypedDict):
    """Changes of a webhook; what is left out stays."""

    url: NotRequired[str | None]
    events: NotRequired[
        list[
            Literal[
                "submission.queued",
                "submission.preflight",
                "submission.generating",
                "submission.judging",
                "submission.review",
                "submission.embargoed",
                "submission.published",
                "submission.withdrawn",
                "submission.paused",
                "submission.cancelled",
                "submission.stalled",
                "submission.failed",
                "submission.expired",
                "key.expiring",
                "cutoff.decided",
                "contest.judged",
                "dispute.answered",
            ]
        ]
        | None
    ]
    enabled: NotRequired[bool | None]


class WebhookList(TypedDict):
    """Your webhooks, oldest first."""

    data: list[WebhookAnswer]


class WebhookSecret(TypedDict):
    """The secret by which a webhook's messages are verified."""

    object: Literal["webhook_secret"]
    webhook: str
    secret: str


WindowBody = TypedDict(
    "WindowBody",
    {
        "from": "str",
        "to": "str",
    },
)
WindowBody.__doc__ = """Release days `[from, to)`, UTC."""


WindowDays = TypedDict(
    "WindowDays",
    {
        "from": "str | None",
        "to": "str | None",
    },
)
WindowDays.__doc__ = """Release days `[from, to)`, UTC; null for an open end."""


class WithdrawalBody(TypedDict):
    """The reason of a withdrawal, which is public."""

    reason: str


class WorstDay(TypedDict):
    """The day after which a model does worst compared with before: for display only."""

    day: str
    z: float | None
    pre: int
    post: int
