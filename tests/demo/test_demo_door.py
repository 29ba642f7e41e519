"""How the demo endpoint begins, and why it may not."""

import re
import socket
import subprocess
import sys
from pathlib import Path

from demo.test_demo_endpoint import ROOT, start


def test_the_door_says_why_it_does_not_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = start("--port", str(other.getsockname()[1]))
        _, complaint = taken.communicate(timeout=120)
    assert taken.returncode == 1
    assert "in use" in complaint
    empty = start("--port", "0", "--league", str(tmp_path))
    _, complaint = empty.communicate(timeout=120)
    assert empty.returncode == 1
    assert "league.toml" in complaint


def test_the_port_may_come_from_the_environment() -> None:
    process = start(environment={"TIDEMARK_DEMO_PORT": "0"})
    assert process.stdout is not None
    assert re.fullmatch(r"demo endpoint: http://127\.0\.0\.1:\d+/v1\n", process.stdout.readline())
    process.terminate()
    process.communicate(timeout=120)


def test_it_imports_nothing_of_the_system() -> None:
    """It sees prompts over HTTP and the league's folder: no settings, no services, no database."""
    code = (
        "import sys, workers.demo.server, scrapers.suites.house\n"
        "parts = ('app.config', 'app.services', 'app.db', 'sqlalchemy', 'celery')\n"
        "assert not [name for name in sys.modules if name.startswith(parts)]\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
