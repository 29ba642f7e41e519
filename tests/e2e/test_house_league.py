"""From nothing to a board: `up` ends with a complete board whose every number was judged in this run.

A few contests of the league take all ways that the whole one takes, which is slow.
One installation, whose work takes longest, is looked at in every way: stopped, started again, and killed.
"""

import json
import os
import re
import shutil
import signal
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text
from support.derived import count_underived
from support.files import READ_AT
from support.installation import Installation, installation
from support.memory import family, held, started_with
from support.sandboxes import sandbox_root
from support.small_league import LEAGUE, small_league
from support.waiting import until

from app.config import settings_for_state
from app.supervise import daemon
from app.supervise.state_folders import StateFolders
from scrapers.suites.house import load_league

PROGRAMS = {"postgres", "valkey", "web", "clock", "infer", "ingest", "grade", "demo"}
SECRET = "a-secret-word"
NOWHERE = f"http://127.0.0.1:9/{SECRET}"  # nobody listens at port 9
pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(2400)]
COMPLETE_S = 1500.0
FEW = {  # of each form, before the one model's cutoff and after it; those of which items are derived soonest
    "house-1": ("wave-crests",),
    "house-2": ("tide-gauge",),
    "house-2026-06-20": ("punch-cards",),
    "house-6": ("sounding-line",),
}
ITEMS = (  # of each kind one, two of those whose board is looked at
    "berth-gaps", "deepest-draught", "manifest", "low-water", "berth-cycle", "known-ships", "harbour/words",
    "harbour/seals",
)  # fmt: skip
PLAYERS = ("tern-large", "heron-recall")  # one at an effort that it is asked for, one that remembers
QUIET = {"demo_first_s": "86400"}  # no live contest ends meanwhile
LITTLE = "[model.effort.low]\n"  # and not at its other one, too
# So that few problems tell models apart, who remembers knows nothing of what came later; it refuses now and then, too.
PLAIN = "skill_late = { easy = 0.40, medium = 0.40, hard = 0.40, expert = 0.20, extreme = 0.05 }\nhabits = {}"
SHARP = "skill_late = { easy = 0, medium = 0, hard = 0, expert = 0, extreme = 0 }\nhabits = { busy = 0.14 }"


def open_samples(house: Installation) -> int:
    return int(house.scalar("SELECT count(*) FROM samples WHERE state NOT IN ('graded', 'gave_up', 'stuck')"))


def is_complete(house: Installation) -> bool:
    """Everything is asked and judged, what was derived of the problems too."""
    if open_samples(house):  # for most of the time: who waits leaves the processors to who works
        return False
    derivable = "runs r JOIN protocols p ON p.id = r.protocol_id"
    wanted = house.scalar(f"SELECT count(*) FROM {derivable} JOIN derived_items d ON d.kind = p.body->>'scenario'")
    asked = house.scalar(
        f"SELECT count(*) FROM samples s JOIN ({derivable}) ON r.id = s.run_id "
        "WHERE p.body->>'scenario' IN (SELECT kind FROM derived_items)"
    )
    with house.sessions() as session:
        derived = wanted == asked > 0 == count_underived(session) == open_samples(house)
    return derived and not house.scalar("SELECT count(*) FROM dirty_cells")


def is_served(house: Installation) -> bool:
    try:
        return house.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def running_programs(house: Installation) -> dict[str, int]:
    """Process ids by name, once every program runs."""
    place, every = StateFolders.of(settings_for_state(house.state)), dict.fromkeys(PROGRAMS, "RUNNING")

    def all_run() -> dict[str, int] | None:
        if {state.name: state.state for state in daemon.program_states(place) or ()} != every:
            return None
        facts = json.loads(house.told("status", "--json"))["processes"]
        # One that was killed just now may have been found out in between.
        whole = {fact["name"]: fact["state"] for fact in facts} == every
        return {fact["name"]: fact["pid"] for fact in facts} if whole else None

    return until(all_run, "the start of every program") or {}


@dataclass(frozen=True)
class Unjudged:
    """What an installation shows whose answers wait for a sandbox."""

    ready: int
    said: str
    verdicts: int
    page: str
    told: str
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class Ended:
    """What an installation showed before it was stopped, and what was left and said of it afterwards."""

    rows: list[dict[str, Any]]
    pids: dict[str, int]
    url: str
    said: str
    down: tuple[int, str]
    exit_code: int
    left: list[str]
    alive: list[str]
    postgres: str
    later: list[tuple[int, str]]
    unjudged: Unjudged


@pytest.fixture(scope="module", params=["a few contests", pytest.param("the whole league", marks=pytest.mark.slow)])
def league(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the league that is played."""
    if request.param == "the whole league":
        return LEAGUE
    made = small_league(tmp_path_factory.mktemp("league"), FEW, items=ITEMS, models=PLAYERS)
    models = (made / "models.toml").read_text()
    assert PLAIN in models
    assert LITTLE in models
    (made / "models.toml").write_text(models.replace(PLAIN, SHARP).replace(LITTLE, ""))
    return made


@pytest.fixture(scope="module")
def killed(league: Path) -> set[str]:
    """The programs that are killed: all where the whole league is played, and one of each kind else.

    These are the servers, a fork of the supervisor, and an interpreter of its own: to start the others takes longest.
    """
    return PROGRAMS if league == LEAGUE else {"postgres", "valkey", "ingest", "web"}


@pytest.fixture(scope="module")
def problems(league: Path) -> int:
    return sum(len(contest.problems) for contest in load_league(league, READ_AT).contests)


@pytest.fixture(scope="module")
def efforts(league: Path) -> dict[str, set[str]]:
    """The models with the efforts that they are asked at; none where a model has one way to answer."""
    models = tomllib.loads((league / "models.toml").read_text())["model"]
    return {model["slug"]: set(model.get("effort", ())) for model in models}


@pytest.fixture(scope="module")
def configurations(efforts: dict[str, set[str]]) -> int:
    """How many rows a board has."""
    return sum(max(1, len(each)) for each in efforts.values())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, league: Path) -> StateFolders:  # one for each league
    """The folders of this module's league."""
    return StateFolders.of(settings_for_state(tmp_path_factory.mktemp("house") / "state with a space"))


def without_sandbox(house: Installation) -> Unjudged:
    house.wait("answers", 600, lambda: house.scalar("SELECT count(*) FROM samples WHERE state = 'answered'") >= 20)
    house.wait("the reason", 600, lambda: "did not pass its check" in house.get("/readyz").text)
    ready, rows = house.get("/readyz"), house.get("/api/v1/boards/codegen").json()["rows"]
    verdicts = int(house.scalar("SELECT count(*) FROM verdicts"))
    page, told = house.get("/en/").text, house.told("status")
    return Unjudged(ready.status_code, ready.text, verdicts, page, told, rows)


@pytest.fixture(scope="module")
def first(place: StateFolders, league: Path) -> Ended:
    """From nothing to a complete board on a slow host: the sandbox comes when answers wait. Stopped by the verb."""
    bwrap = sandbox_root().with_name("bwrap-of-the-league")  # where whoever runs it can walk to
    with installation(place.state, bwrap=str(bwrap), league_dir=str(league), slowness="6", **QUIET) as made:
        unjudged = without_sandbox(made)
        bwrap.symlink_to(str(shutil.which("bwrap")))
        made.wait("a complete board", COMPLETE_S, lambda: is_complete(made), every_s=1.0)
        assert made.get("/readyz").status_code == 200
        rows, pids, url = made.get("/api/v1/boards/codegen").json()["rows"], running_programs(made), made.url
        assert place.state.stat().st_mode & 0o777 == 0o700
        done = made.call("down", check=False)
        code = made.process.wait(600)
        # At once: minutes later their numbers may be those of others.
        alive = [name for name, pid in pids.items() if Path(f"/proc/{pid}").exists()]
    bwrap.unlink()
    left = [*place.leftovers(), *([str(place.runtime)] if place.runtime.exists() else [])]
    postgres = (place.logs / "postgres.log").read_text().rstrip()
    later = [made.said("status"), made.said("down")]
    down = done.returncode, done.stdout
    return Ended(rows, pids, url, made.log.read_text(), down, code, left, alive, postgres, later, unjudged)


@pytest.fixture(scope="module")
def house(place: StateFolders, league: Path, first: Ended) -> Iterator[Installation]:
    """The same, started again over files of the broker that nobody can read, and stopped as by Ctrl-C."""
    for file in place.valkey.rglob("*"):
        if file.is_file():
            file.write_bytes(b"\xff" * 4096)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OTHERS_API_TOKEN", SECRET)
        with installation(
            place.state, alert_webhook=NOWHERE, heartbeat_url=NOWHERE, sources__codeforces__api_secret=SECRET,
            league_dir=str(league), **QUIET,
        ) as made:  # fmt: skip
            running_programs(made)
            yield made
    assert made.process.returncode == 0
    assert place.leftovers() == {}


def test_the_board_is_complete(
    house: Installation, problems: int, configurations: int, efforts: dict[str, set[str]]
) -> None:
    board = house.get("/api/v1/boards/codegen").json()
    assert board["protocol"] == "house"
    assert board["problems"] == problems >= 4
    assert len(board["rows"]) == configurations >= 2
    assert any(row["rank"] for row in board["rows"])
    for row in board["rows"]:
        assert row["coverage"] == 1.0, row
        assert row["ci_lo"] <= row["score"] <= row["ci_hi"]
        assert row["ci_hi"] - row["ci_lo"] > 10
        assert row["rank_lo"] <= (row["rank"] or row["rank_lo"]) <= row["rank_hi"] if row["rank"] else True
    asked = {(row["model"], row["configuration"]) for row in board["rows"] if efforts[row["model"]]}
    assert asked == {(model, effort) for model, each in efforts.items() for effort in each} != set()
    assert house.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    ("board", "protocol", "share"),
    [
        ("repair", "house-repair", 1), ("execution", "house-execution", 1 / 6),
        ("execution", "house-execution-cot", 1 / 6), ("execution-input", "house-execution-input", 1 / 6),
        ("test-output", "house-test-output", 1 / 4), ("bug-fix", "house-bug-fix", 3 / 4),
        ("review", "house-review", 3 / 4), ("codeelo", "house-codeelo", 1), ("codeelo", "house-codeelo-open", 1 / 2),
        ("coco", "house-coco-cg", 0), ("bigcode", "house-bcb-complete", 0), ("hack", "house-hack", 1 / 2),
    ],
)  # fmt: skip
def test_so_are_the_boards_of_the_other_scenarios(
    house: Installation, board: str, protocol: str, share: float, problems: int, configurations: int
) -> None:
    """`share` of the league's problems, which cannot all be asked in each way."""
    found = house.get(f"/api/v1/boards/{board}?protocol={protocol}").json()
    assert found["problems"] >= max(2, share * problems)
    assert len(found["rows"]) == configurations
    assert all(row["coverage"] == 1.0 for row in found["rows"])
    assert len({row["score"] for row in found["rows"]}) > 1


def test_models_are_rated_against_the_invented_field(house: Installation, configurations: int) -> None:
    asked = "/api/v1/human-ratings?protocol=house-codeelo"

    def is_whole() -> bool:
        report = house.get(asked).json()
        rated = [row for row in report["rows"] if row["contests"] == report["counted"] > 0]
        return len(rated) == len(report["rows"]) == configurations

    if not is_whole():
        # One that was made before the last answers came rests for two hundred times as long as it took, which is many
        # minutes on a busy machine. It is derived: without it another one is made within a minute.
        with house.sessions.begin() as session:
            session.execute(text("DELETE FROM reports WHERE kind = 'human_rating'"))
    house.wait("every model's rating in every contest", 600, is_whole, every_s=2.0)
    report = house.get(asked).json()
    assert report["invented"]
    assert all(held["left_out"] is None for held in report["contests"])
    assert {row["percentile"] for row in report["rows"]} == {None}
    assert len({row["rating"] for row in report["rows"]}) > 1


def test_page_and_command_line_show_the_same_rows(house: Installation) -> None:
    rows = house.get("/api/v1/boards/codegen").json()["rows"]
    printed = json.loads(house.told("board", "codegen", "--json"))["rows"]
    assert printed == rows
    page = house.get("/en/?from=").text
    for row in rows:
        assert f"{row['score']:.1f}" in page


def test_each_verdict_was_made_here_and_tells_its_limits(house: Installation) -> None:
    """Every graded sample has one counting verdict with CPU, memory and the mode of its limits."""
    graded = house.scalar("SELECT count(*) FROM samples WHERE state = 'graded'")
    assert graded == house.scalar("SELECT count(*) FROM samples")
    assert graded == house.scalar("SELECT count(*) FROM verdicts WHERE counts")
    # Of an answer that is an input, what ran was our own program.
    inputs = (
        "SELECT samples.id FROM samples JOIN runs ON runs.id = samples.run_id "
        "JOIN protocols ON protocols.id = runs.protocol_id "
        "WHERE protocols.body->>'scenario' IN ('execution_input', 'coco_reverse', 'hack')"
    )
    compared = f"limit_mode = 'none' AND sample_id NOT IN ({inputs})"
    assert house.scalar(f"SELECT count(*) FROM verdicts WHERE {compared} AND cpu_ms > 0") == 0
    assert house.scalar(f"SELECT count(*) FROM verdicts WHERE sample_id IN ({inputs}) AND limit_mode <> 'none'") == 0
    ran = "verdict NOT IN ('no_answer', 'compile_error') AND limit_mode <> 'none'"  # values are compared, not run
    assert house.scalar(f"SELECT count(*) FROM verdicts WHERE {ran} AND (cpu_ms <= 0 OR memory_kb <= 0)") == 0
    assert house.scalar("SELECT count(*) FROM verdicts WHERE limit_mode NOT IN ('rlimit', 'cgroup', 'none')") == 0
    assert house.scalar(f"SELECT array_agg(DISTINCT slowness) FROM verdicts WHERE {ran}") == [6.0]


def test_a_number_can_be_followed_to_its_programs(house: Installation) -> None:
    """Board -> model -> sample, by the links on the pages."""
    page = house.get("/en/").text
    assert 'href="/en/models/heron-recall' in page
    model = house.get("/en/models/heron-recall").text
    sample = house.scalar("SELECT min(s.id) FROM samples s JOIN verdicts v ON v.sample_id = s.id")
    assert "/en/samples/" in model
    shown = house.get(f"/en/samples/{sample}").text
    assert "rlimit" in shown or "cgroup" in shown


def test_recall_is_better_before_its_cutoff(house: Installation) -> None:
    """The demo model that remembers: plainly better on problems from before its cutoff."""
    before = house.get("/api/v1/boards/codegen?to=2026-05-01").json()["rows"]
    after = house.get("/api/v1/boards/codegen?from=2026-05-02").json()["rows"]

    def score(rows: list[dict[str, object]]) -> float:
        return next(float(str(row["score"])) for row in rows if row["model"] == "heron-recall")

    assert score(before) > score(after) + 20


def test_a_second_up_is_refused(house: Installation) -> None:
    second = house.call("up", "--port", "0", check=False)
    assert second.returncode == 1
    assert second.stderr.splitlines() == [
        f"tidemark: `tidemark up` (pid {house.process.pid}) uses {house.state} and serves {house.url}"
    ]


def test_it_tells_where_it_is_and_what_its_programs_say(first: Ended, house: Installation) -> None:
    assert f"Tidemark is at {first.url}" in first.said
    assert re.search(rf"one-time maintainer link: {re.escape(first.url)}/login\?token=\S{{20,}}", first.said)
    facts = json.loads(house.told("status", "--json"))
    assert (facts["url"], facts["pid"]) == (house.url, house.process.pid)
    assert "database system is ready" in house.told("logs", "postgres")
    assert house.said("logs", "nothing")[0] == 2


def test_what_is_killed_is_started_again(
    first: Ended, house: Installation, place: StateFolders, killed: set[str]
) -> None:
    before = running_programs(house)
    assert {before[name] for name in killed} <= {process.pid for process in place.leftovers().values()}
    for name in killed:
        os.kill(before[name], signal.SIGKILL)
    # A busy supervisor tells of the dead as running until it has looked.
    until(lambda: not {before[name] for name in killed} & set(running_programs(house).values()), "their successors")
    until(lambda: is_served(house), "the page")
    assert house.get("/api/v1/boards/codegen").json()["rows"] == first.rows


def test_judges_have_a_role_of_their_own_and_hold_no_secret(house: Installation, place: StateFolders) -> None:
    """What they were started with names neither a secret nor the key's file, and their memory has no secret."""
    graders = list(family(running_programs(house)["grade"]))
    told = b"".join(started_with(pid) for pid in graders)
    assert b"TIDEMARK_STATE=" in told
    assert re.findall(rb"\S*(?:a-secret-word|secret\.key)\S*", told) == []
    assert all(SECRET.encode() not in part for pid in graders for part in held(pid))
    with psycopg.connect(f"host={place.runtime} user=tidemark dbname=tidemark", autocommit=True) as database:
        role = "SELECT 1 FROM pg_stat_activity WHERE usename = 'tidemark_grading'"
        until(lambda: database.execute(role).fetchone(), "the judges' role")


def test_stopping_leaves_no_process(first: Ended, place: StateFolders) -> None:
    assert (first.down, first.exit_code, first.left) == ((0, "stopped\n"), 0, [])
    assert first.postgres.endswith("database system is shut down")
    assert first.later == [(3, "not running\n"), (0, "nothing was running\n")]
    assert set(first.pids) == PROGRAMS
    assert first.alive == []


def test_a_second_start_shows_the_same_board(first: Ended, house: Installation) -> None:
    assert house.get("/api/v1/boards/codegen").json()["rows"] == first.rows
    assert "the broker could not read its files" in house.log.read_text()


def test_without_the_sandbox_nothing_is_graded(first: Ended) -> None:
    """The answers wait, the board is empty, and page, /readyz and operator say why; that it came is enough to go on."""
    found = first.unjudged
    assert (found.ready, found.verdicts) == (503, 0)
    assert "bwrap" not in found.said + found.page
    assert "did not pass its check" in found.page
    assert "bwrap" in found.told
    assert all(row["score"] is None and row["rank"] is None for row in found.rows)
