"""A new filter is one file: the one of the documentation, and one over problems, in an installation of their own.

The installation runs in processes of its own, where a folder with the files stands on the search path of the package
of filters, as if they lay in it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories import World
from served import NO_AUTHORITIES
from support.recomputing import recomputed, unpacked

from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from workers.context import Context

pytestmark = pytest.mark.timeout(300)  # several processes begin here
ROOT = Path(__file__).resolve().parents[2]
URL = "/api/v1/boards/codegen"
PROBLEM = '''
"""Only these problems."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="problem", place=15, over=FilterScope.PROBLEMS, kind=FilterKind.ONE_OF, fact="slug",
    meaning="only these problems",
    label="Problem", excluded="of other names",
)
'''
BEGIN = "import sys; import app.domain.boards.filters as room; room.__path__.append(sys.argv[1]); "
SERVE = """
import contextlib, io, json
from app.cli.__main__ import main
from app.config import Settings
from app.main import create_app
from served import served
with served(create_app(Settings())) as url:
    print(url, flush=True)
    for line in sys.stdin:  # the words of a verb; what it answers
        out, err, code = io.StringIO(), io.StringIO(), 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(json.loads(line))
            except SystemExit as ended:
                code = ended.code
        print("answer", json.dumps((code, out.getvalue(), err.getvalue())), flush=True)
"""
# Rows of both filters, and problems that cut contests in two.
Pairs = tuple[tuple[str, str], ...]
ASKED: Pairs = (
    *(("problem", f"house/p{n}") for n in (0, 1, 3, 4, 7)),
    *(("organisation", name) for name in ("Harbour", "Quay")),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files, each with a filter."""
    made = tmp_path / "more"
    made.mkdir()
    [snippet] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/adding-a-filter.md").read_text(), re.DOTALL)
    (made / "organisation.py").write_text(snippet)
    (made / "problem.py").write_text(PROBLEM)
    return made


@pytest.fixture
def names(ctx: Context) -> dict[str, str]:
    """The environment of an installation with three models over ten problems of five contests."""
    with ctx.sessions.begin() as session:
        world = World(session, replace(HOUSE, covers=replace(HOUSE.covers, sources=())))
        problems = [
            world.problem(f"p{n}", day=date(2026, 5, 1 + n // 2), contest=f"c{n // 2}", level=1 + n % 3)
            for n in range(10)
        ]
        for place, (name, organisation) in enumerate((("orion", "Harbour"), ("lyra", "Quay"), ("vega", "Shore"))):
            run = world.run(name, organisation_name=organisation, cutoff_on=date(2026, 4, 29 + place % 2))
            for n, problem in enumerate(problems):
                world.answer(run, problem, Verdict.WRONG_ANSWER if (n * n + place) % 3 == 0 else Verdict.ACCEPTED)
        world.count()
    path = f"{ROOT}:{ROOT / 'tests'}"
    given = {"DATABASE_URL": ctx.settings.database_url, "REDIS_URL": ctx.settings.redis_url,
             "STATE": str(ctx.settings.state_dir), "STATE_DIR": str(ctx.settings.state_dir),
             "SECRET_KEY_FILE": str(ctx.settings.secret_key_file)}  # fmt: skip
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": path} | {f"TIDEMARK_{name}": value for name, value in given.items()}


@dataclass
class Site:
    """An installation: its web server, and its verbs."""

    process: subprocess.Popen[str]
    client: httpx.Client

    def call(self, *words: str) -> tuple[int, str, str]:
        """The exit code of a verb, and what it prints."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(words), file=self.process.stdin, flush=True)
        line = next(line for line in self.process.stdout if line.startswith("answer "))
        code, out, err = json.loads(line.removeprefix("answer "))
        return code, out, err


@pytest.fixture
def site(folder: Path, names: dict[str, str]) -> Iterator[Site]:
    """It runs."""
    command = [sys.executable, "-c", BEGIN + SERVE, str(folder)]
    with subprocess.Popen(
        command, env=names, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as client:
            yield Site(server, client)
        server.communicate(timeout=30)


def got(client: httpx.Client, path: str, params: Pairs = ()) -> httpx.Response:
    answer = client.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer


def test_one_file_is_a_filter_everywhere(site: Site, tmp_path: Path) -> None:
    check_doors(site.client, site)
    check_bundles(site.client, tmp_path)


def check_doors(client: httpx.Client, site: Site) -> None:
    """Boards, the document of the API, pages, refusals and verbs know it."""
    plain = got(client, URL).json()
    assert (plain["filters"]["organisation"], plain["filters"]["problem"]) == ([], [])
    assert plain["facets"]["organisation"] == [{"value": name, "count": 1} for name in ("Harbour", "Quay", "Shore")]
    body = got(client, URL, ASKED).json()
    assert body["filters"]["organisation"] == ["Harbour", "Quay"]
    assert list(body["filters"])[:3] == ["platform", "problem", "difficulty"]
    assert (body["problems"], body["problems_left_out"]) == (5, {"problem": 5})
    assert {row["model"] for row in body["rows"]} == {"orion", "lyra"}
    assert body["hidden"] == [{"model": "vega", "configuration": "", "reason": "organisation"}]
    assert {row["model"]: row["score"] for row in body["rows"]} == {"orion": 60.0, "lyra": 100.0}

    # The document of the API.
    declared = got(client, "/api/v1/openapi.json").json()["paths"]["/api/v1/boards/{name}"]["get"]["parameters"]
    [parameter] = [each for each in declared if each["name"] == "organisation"]
    assert parameter["description"] == "only models of these organisations"
    assert parameter["schema"]["type"] == "array"

    # The page: controls, ticked where they are asked for; links that carry them; words for what they leave out.
    page = got(client, "/en/", ASKED).text
    assert "<legend>Organisation</legend>" in page
    ticked = re.findall(r'type="checkbox" name="organisation" value="(\w+)"( checked)?', page)
    assert ticked == [("Harbour", " checked"), ("Quay", " checked"), ("Shore", "")]
    assert f'href="{URL}.zip?{httpx.QueryParams(ASKED)}"'.replace("&", "&amp;") in page
    assert "5 by another filter" in page
    assert "1 hidden" in page
    assert "organisation=" not in page[page.index("1 hidden") :].partition("</a>")[0], "its link shows the row again"

    # An unknown value, here and on the command line; the option there, with the same board.
    wrong = client.get(URL, params={"organisation": "Harbor"})
    assert (wrong.status_code, wrong.json()["errors"][0]["nearest"]) == (422, ["Harbour"])
    verb, words = ["board", "codegen"], [part for name, value in ASKED for part in (f"--{name}", value)]
    options = (["--help"], ["--json", *words], words, ["--organisation", "Harbor"])
    described, same, table, refused = (site.call(*verb, *given) for given in options)
    assert "Only models of these organisations" in described[1]
    assert (same[0], json.loads(same[1])) == (0, body), same[2]
    assert "Left out: 5 of other names." in table[1]
    line = "unknown organisation 'Harbor' on this board; did you mean Harbour?"
    assert refused == (2, "", f"tidemark: {line}\n")


def check_bundles(client: httpx.Client, tmp_path: Path) -> None:
    """A bundle is recomputed with it."""

    views: tuple[Pairs, ...] = ((), (("exposure", "split"), ("from", "2026-05-01")), (("rules", "lcb"),))
    for place, more in enumerate(views):
        script = unpacked(got(client, f"{URL}.zip", ASKED + more).content, tmp_path / str(place))
        code, said = recomputed(script)
        assert (code, said.splitlines()[-1]) == (0, "3 rows, 0 differences"), f"{more}: one is there for others' ranks"
    path = tmp_path / "0" / "board.json"
    board: dict[str, Any] = json.loads(path.read_text())
    for changed in ({"organisation": ["Harbour"]}, {"problem": ["house/p0"]}):
        path.write_text(json.dumps(board | {"filters": board["filters"] | changed}))
        assert recomputed(path.parent / "recompute.py")[0] == 1, changed
