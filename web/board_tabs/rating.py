"""Human ratings and ratings beside a board's score: by tasks, composites, against people, and the scores by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery, BoardRow, HiddenRow, LevelScore
from app.domain.boards.named_boards import boards
from app.domain.errors import NotFound
from app.domain.publishing.tags import Topic
from app.domain.ratings.human_rating import Compat
from app.domain.windows import Window
from app.services.boards import board_views
from app.services.boards.board_views import BoardView
from app.services.boards.query import to_params
from app.services.evidence import composites, human_ratings, ratings, sizes
from app.services.evidence.composites import CompositeTable
from app.services.evidence.ratings import TIES, EloOptions, EloTable, SolveRates, TooManyResults, TopicTable
from app.services.evidence.sizes import SizeHistogram, UnittestCoverage
from web.board_page.links import board_path
from web.board_tabs.strips import Strips, strips
from web.context import PageRequest

# Larger tables are only in JSON.
MAX_TOPIC_COLUMNS: Final = 12
# The other tasks are only in JSON.
MAX_LISTED_TASKS: Final = 20
# With fewer problems, a best or worst topic is a matter of luck.
MIN_NAMED_PROBLEMS: Final = 5


@dataclass(frozen=True, slots=True)
class RatingChoice:
    """A way of rating as a link; `name` is its value in the address, None for the default."""

    name: str | None
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One topic: its problems, whether they are fewer than the board requires, and the score of each shown row.

    Each score comes with "best" or "worst" if it is that row's best or worst.
    """

    topic: Topic
    problems: int
    rare: bool
    scores: tuple[tuple[LevelScore, str | None], ...]


@dataclass(frozen=True, slots=True)
class UnratedRow:
    """A row without battles, and the reason: a key of `rank.none` or of `hidden.why`."""

    model: str
    name: str
    configuration: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class RatingView:
    """The values of the template; `too_much` says that there are more results than can be rated at once."""

    too_much: bool = False
    rated: EloTable | None = None
    composed: CompositeTable | None = None
    idle: Sequence[UnratedRow] = ()
    topics: Sequence[TopicLine] = ()
    shown: Sequence[BoardRow] = ()
    people: Mapping[str, Any] | None = None
    compat: Compat | None = None
    solved: SolveRates | None = None
    sizes: Sequence[tuple[SizeHistogram, int]] = ()
    tasks: UnittestCoverage | None = None
    counted: Sequence[RatingChoice] = ()
    fought: Sequence[RatingChoice] = ()
    rules: Sequence[RatingChoice] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    least_by_topic: int = 1
    least_people: int = human_ratings.LEAST_PEOPLE
    most_tasks: int = MAX_LISTED_TASKS

    @property
    def most_solved(self) -> int:
        """The number of problems in the fullest tenth of solve rates."""
        return max(self.solved.tenths) if self.solved else 0

    @property
    def rated_people(self) -> list[Mapping[str, Any]]:
        """The rows with a rating against people."""
        return [row for row in self.people["rows"] if row["rating"] is not None] if self.people else []

    @property
    def contests(self) -> Mapping[str, Any]:
        """The contests of people, by name."""
        return {held["contest"]: held for held in self.people["contests"]} if self.people else {}

    @property
    def left_out(self) -> list[Mapping[str, Any]]:
        """The contests that no rating uses."""
        return [held for held in self.people["contests"] if held.get("left_out")] if self.people else []

    @property
    def strips(self) -> Strips | None:
        """The chart of ratings by contest."""
        return strips(self.people["rows"]) if self.people else None


def rating_params(page: PageRequest) -> list[tuple[str, str]]:
    """Return the parameters of this tab that the address gives. Raises InvalidInput."""
    battles, rest = ratings.parse_elo_options(page.params)
    compat, _rest = human_ratings.parse_compat(rest)
    return _tab_params(battles, compat)


def rating_view(page: PageRequest, view: BoardView) -> RatingView:
    """Return the ratings of the rows of a board. Raises InvalidInput."""
    query = view.board.query
    battles, rest = ratings.parse_elo_options(page.params)
    compat, _rest = human_ratings.parse_compat(rest)
    with page.state.sessions() as session:
        board, loaded = board_views.board_with_cube(session, query, page.state.cubes)
        try:
            rated, composed, by_topic, solved, sized, tasks = (
                ratings.elo(session, board, loaded, battles, page.state.cubes),
                composites.composites(session, board, loaded),
                ratings.topics(session, board, loaded),
                ratings.solve_rates(board, loaded),
                sizes.sizes(session, board, loaded),
                sizes.unittest_tasks(session, board, loaded),
            )
        except TooManyResults:
            return RatingView(too_much=True)
        people = _human_report(session, query.protocol, compat)

    def href(battles: EloOptions, compat: Compat | None) -> str:
        every = [("from", "")] if query.window == Window() else []
        pairs = [*to_params(query), *every, ("tab", "rating"), *_tab_params(battles, compat)]
        return page.href(board_path(query.board), pairs)

    return RatingView(
        rated=rated,
        composed=composed,
        idle=_unrated_rows(page, rated),
        topics=_topic_lines(by_topic),
        shown=by_topic.board.rows[:MAX_TOPIC_COLUMNS],
        people=people,
        compat=compat,
        solved=solved,
        sizes=[(histogram, max(band["count"] for band in histogram.bands)) for histogram in sized],
        tasks=tasks,
        least_by_topic=boards()[query.board].least_by_topic,
        files=_files(query, battles, compat),
        counted=[RatingChoice(ties, href(replace(battles, ties=ties), compat), ties == battles.ties) for ties in TIES],
        fought=[
            RatingChoice(slug, href(replace(battles, also=slug), compat), slug == battles.also)
            for slug in (None, *_protocols_beside(query, view.protocols))
        ],
        rules=[
            RatingChoice(rule or "none", href(battles, rule), rule == compat) for rule in (None, *human_ratings.COMPATS)
        ],
    )


def _human_report(session: Session, protocol: str, compat: Compat | None) -> Mapping[str, Any] | None:
    try:
        report = human_ratings.report(session, protocol, compat)
    except NotFound:  # a shipped protocol without a run
        return None
    return report if report["contests"] else None


def _files(query: BoardQuery, battles: EloOptions, compat: Compat | None) -> dict[str, str]:
    """Return the addresses of these tables as JSON, by table."""
    api, params = f"/api/v1/boards/{query.board}", to_params(query)
    plain = f"?{urlencode(params)}" if params else ""
    options = _tab_params(battles, None) or [("ties", battles.ties)]
    of_people = [("protocol", query.protocol), *([("compat", compat)] if compat else [])]
    return {
        "elo": f"{api}/elo?{urlencode([*params, *options])}",
        "people": f"/api/v1/human-ratings?{urlencode(of_people)}",
        **{table: f"{api}/{table}{plain}" for table in ("composites", "topics", "solve-rates", "sizes")},
    }


def _tab_params(battles: EloOptions, compat: Compat | None) -> list[tuple[str, str]]:
    """Return the parameters that ask for these ratings, without the defaults."""
    pairs = [] if battles.ties == TIES[0] else [("ties", battles.ties)]
    pairs += [] if battles.also is None else [("also", battles.also)]
    return [*pairs, *([("compat", str(compat))] if compat else [])]


def _protocols_beside(query: BoardQuery, protocols: Sequence[Any]) -> list[str]:
    """Return the protocols that the board shows beside this one."""
    beside = {part.beside(query.protocol) for part in boards()[query.board].parts}
    return [option.slug for option in protocols if option.slug in beside]


def _unrated_rows(page: PageRequest, rated: EloTable) -> list[UnratedRow]:
    def unranked_row(row: BoardRow) -> UnratedRow:
        return UnratedRow(row.model, row.fact.name, row.configuration, "row", row.unranked or "")

    def hidden_row(row: HiddenRow) -> UnratedRow:
        reason = row.reason if page.knows(f"hidden.why.{row.reason}") else "other"
        return UnratedRow(row.model, row.model, row.configuration, "hidden", reason)

    board = rated.board
    return [*(unranked_row(row) for row in board.rows if row.rank is None), *(hidden_row(row) for row in board.hidden)]


def _topic_lines(table: TopicTable) -> list[TopicLine]:
    columns = range(min(MAX_TOPIC_COLUMNS, len(table.board.rows)))
    least = boards()[table.board.query.board].least_by_topic
    ends = [_best_and_worst([scores[place] for _, _, scores in table.topics]) for place in columns]

    def mark(place: int, line: int) -> str | None:
        best, worst = ends[place]
        return "best" if line == best else "worst" if line == worst else None

    return [
        TopicLine(topic, problems, problems < least, tuple((scores[place], mark(place, line)) for place in columns))
        for line, (topic, problems, scores) in enumerate(table.topics)
    ]


def _best_and_worst(scores: Sequence[LevelScore]) -> tuple[int | None, int | None]:
    """Return the indices of a row's best and worst topic, of those with enough problems; None if all are alike."""
    places = [
        (score.score, line)
        for line, score in enumerate(scores)
        if score.score is not None and score.n >= MIN_NAMED_PROBLEMS
    ]
    if not places or min(places)[0] == max(places)[0]:
        return None, None
    return max(places, key=lambda place: (place[0], -place[1]))[1], min(places)[1]
