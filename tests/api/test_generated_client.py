"""A typed client that a generator makes of the API's description alone: it is whole, and its calls arrive."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import NO_AUTHORITIES
from support.environments import CLEAN, python_with, run_clean
from support.missing import missing
from support.rules import ROOT
from support.vendors import Vendor

LOCK = ROOT / "requirements-clients.txt"
# Files are bytes; the generator knows only one name of these.
CONFIGURATION = """
package_name_override: tidemark_client
post_hooks: []
content_type_overrides:
  application/vnd.apache.parquet: application/octet-stream
  application/zip: application/octet-stream
"""
PROGRAM = """
import json, sys
from tidemark_client import AuthenticatedClient
from tidemark_client.api.boards import get_board, list_boards
from tidemark_client.api.public import list_problems
from tidemark_client.api.vendors import create_model, list_submissions
from tidemark_client.models import BoardList, ModelAnswer, ModelBody, Problem, ProblemPage, RankedBoard, SubmissionPage

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, timeout=120.0, verify_ssl=False)
boards = list_boards.sync(client=client)
board = get_board.sync("codegen", client=client)
problems = list_problems.sync(client=client, limit=2)
model = create_model.sync(client=client, body=ModelBody(slug="orion-1", name="Orion 1"), idempotency_key="a")
again = create_model.sync(client=client, body=ModelBody(slug="orion-1", name="Orion 1"), idempotency_key="b")
orders = list_submissions.sync(client=client)
assert isinstance(boards, BoardList) and isinstance(board, RankedBoard) and isinstance(problems, ProblemPage)
assert isinstance(model, ModelAnswer) and isinstance(again, Problem) and isinstance(orders, SubmissionPage)
print(json.dumps({
    "boards": [entry.name for entry in boards.boards],
    "board": [board.board, board.protocol, board.window.from_, board.rows],
    "released": [problem.released_on.year for problem in problems.data],
    "model": [model.slug, model.cutoff.basis, model.cutoff.date.isoformat()],
    "again": [again.status, again.code],
    "orders": [orders.data, orders.next_cursor],
}))
"""


@pytest.fixture(scope="session")
def generator() -> Path:
    """An interpreter that has the generator, and all that a client of its needs."""
    return python_with("clients", LOCK, lambda reason: missing("openapi-python-client", reason))


def test_a_client_is_generated_whole_and_its_calls_arrive(
    published: str, url: str, vendor: Vendor, generator: Path, tmp_path: Path
) -> None:
    document: Any = httpx.get(f"{url}/api/v1/openapi.json", timeout=120, verify=NO_AUTHORITIES).json()
    described, configuration, client = (tmp_path / name for name in ("openapi.json", "client.yml", "client"))
    described.write_text(json.dumps(document), encoding="utf-8")
    configuration.write_text(CONFIGURATION, encoding="utf-8")
    made = run_clean(
        generator, "-m", "openapi_python_client", "generate", "--path", described, "--config", configuration,
        "--output-path", client, "--fail-on-warning",
    )  # fmt: skip
    assert (made.returncode, "WARNING" in made.stdout + made.stderr) == (0, False), made.stdout + made.stderr
    done = subprocess.run(
        [str(generator), "-c", PROGRAM, url, vendor.key], env=CLEAN | {"PYTHONPATH": str(client)}, text=True,
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "codegen" in said["boards"]
    assert said["board"] == ["codegen", "house", None, []]
    assert len(said["released"]) == 2
    assert said["model"][:2] == ["orion-1", "registered"]
    assert said["again"] == [409, "conflict"]
    assert said["orders"] == [[], None]
