"""Ratings beside a board's score: by tasks, composites, against people, and the scores by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery, BoardRow, HiddenRow, LevelScore
from app.domain.boards.named_boards import boards
from app.domain.errors import NotFound
from app.domain.publishing.tags import Topic
from app.domain.ratings.human_rating import Compat
from app.services.boards import board_views
from app.services.boards.query import Params, parse_query, take_parameter, to_params
from app.services.evidence import composites, human_ratings, ratings, sizes
from app.services.evidence.composites import CompositeTable
from app.services.evidence.ratings import TIES, EloOptions, EloTable, SolveRates, TooManyResults, TopicTable
from app.services.evidence.sizes import SizeHistogram, UnittestCoverage
from web.context import PageRequest
from web.filters import carried_params, controls
from web.render import render
from web.strips import strips

# Larger tables are only in JSON.
MAX_TOPIC_COLUMNS = 12
# The other tasks are only in JSON.
MAX_LISTED_TASKS = 20
# With fewer problems, a best or worst topic is a matter of luck.
MIN_NAMED_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class RatingsLink:
    """A choice as a link."""

    title: str
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


def ratings_page(page: PageRequest) -> Response:
    """Render the ratings of the rows of the board that the URL asks for."""
    battles, compat, query = _parse_question(page.params)
    with page.state.sessions() as session:
        protocols = board_views.protocols(session)
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
        except TooManyResults as error:
            return _page(page, query, battles, compat, protocols, str(error), None, None, None, None, (), None, None)
        people = _human_report(session, query.protocol, compat)
    return _page(page, query, battles, compat, protocols, None, rated, composed, by_topic, solved, sized, tasks, people)


def _parse_question(params: Params) -> tuple[EloOptions, Compat | None, BoardQuery]:
    battles, rest = ratings.parse_elo_options(params)
    compat, rest = human_ratings.parse_compat(rest)
    board, rest = take_parameter(rest, "board")
    return battles, compat, parse_query(rest, board or next(iter(boards())), strict=False)


def _human_report(session: Session, protocol: str, compat: Compat | None) -> Mapping[str, Any] | None:
    try:
        report = human_ratings.report(session, protocol, compat)
    except NotFound:  # a shipped protocol without a run
        return None
    return report if report["contests"] else None


def _page(
    page: PageRequest,
    query: BoardQuery,
    battles: EloOptions,
    compat: Compat | None,
    by_board: Mapping[str, Sequence[Any]],
    too_much: str | None,
    rated: EloTable | None,
    composed: CompositeTable | None,
    by_topic: TopicTable | None,
    solved: SolveRates | None,
    sized: Sequence[SizeHistogram],
    tasks: UnittestCoverage | None,
    people: Mapping[str, Any] | None,
) -> Response:
    params, alone = to_params(query), replace(battles, also=None)
    suffix = page.href("/ratings", params).partition("?")[2]

    def ratings_url(
        pairs: Sequence[tuple[str, str]],
        board: str = query.board,
        battles: EloOptions = battles,
        rules: Compat | None = compat,
    ) -> str:
        head = [] if board == next(iter(boards())) else [("board", board)]
        end = [] if rules is None else [("compat", rules)]
        return page.href("/ratings", [*head, *pairs, *_battle_params(battles), *end])

    api = f"/api/v1/boards/{query.board}"
    of_people = [("protocol", query.protocol), *([("compat", compat)] if compat else [])]
    protocol = next((option for option in by_board[query.board] if option.slug == query.protocol), None)
    return render(
        page,
        "pages/ratings.html",
        query=query,
        battles=battles,
        protocol=protocol,
        too_much=too_much,
        rated=rated,
        composed=composed,
        idle=[] if rated is None else _unrated_rows(page, rated),
        topics=None if by_topic is None else _topic_lines(by_topic),
        shown=() if by_topic is None else by_topic.board.rows[:MAX_TOPIC_COLUMNS],
        people=people,
        left_out=[held for held in people["contests"] if held.get("left_out")] if people else [],
        compat=compat,
        rules=[
            (rule or "none", ratings_url(params, rules=rule), rule == compat) for rule in (None, *human_ratings.COMPATS)
        ],
        people_json=f"/api/v1/human-ratings?{urlencode(of_people)}",
        least_by_topic=boards()[query.board].least_by_topic,
        least_people=human_ratings.LEAST_PEOPLE,
        strips=strips(people["rows"]) if people else None,
        rated_people=[row for row in people["rows"] if row["rating"] is not None] if people else [],
        contests={person["contest"]: person for person in people["contests"]} if people else {},
        boards=[
            RatingsLink(page.board_title(name), ratings_url([], name, alone), name == query.board)
            for name, protocols in by_board.items()
            if protocols or name == query.board
        ],
        protocols=[
            RatingsLink(
                page.protocol_title(option.slug, option.title),
                ratings_url(to_params(BoardQuery(board=query.board, protocol=option.slug)), battles=alone),
                option.slug == query.protocol,
            )
            for option in by_board[query.board]
        ],
        counted=[
            (ties, ratings_url(params, battles=replace(battles, ties=ties)), ties == battles.ties) for ties in TIES
        ],
        fought=[
            (slug, ratings_url(params, battles=replace(battles, also=slug)), slug == battles.also)
            for slug in (None, *_protocols_beside(query, by_board[query.board]))
        ],
        solved=solved,
        sizes=[(histogram, max(band["count"] for band in histogram.bands)) for histogram in sized],
        tasks=tasks,
        most_tasks=MAX_LISTED_TASKS,
        sizes_json=f"{api}/sizes" + (f"?{suffix}" if suffix else ""),
        most_solved=max(solved.tenths) if solved else 0,
        controls=controls(page, query, rated.board.facets if rated else {}),
        kept=carried_params(query),
        board_href=page.href("/" if query.board == next(iter(boards())) else f"/boards/{query.board}", params),
        reset=ratings_url([pair for pair in params if pair[0] == "protocol"]),
        json=f"{api}/elo?"
        + (f"{suffix}&" if suffix else "")
        + urlencode(_battle_params(battles) or [("ties", battles.ties)]),
        composites_json=f"{api}/composites" + (f"?{suffix}" if suffix else ""),
        topics_json=f"{api}/topics" + (f"?{suffix}" if suffix else ""),
        solved_json=f"{api}/solve-rates" + (f"?{suffix}" if suffix else ""),
    )


def _battle_params(battles: EloOptions) -> list[tuple[str, str]]:
    """Return the parameters that ask for these battles, without the defaults."""
    ties = [] if battles.ties == TIES[0] else [("ties", battles.ties)]
    return ties if battles.also is None else [*ties, ("also", battles.also)]


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
