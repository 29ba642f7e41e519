"""The demo endpoint: `python -m workers.demo [--host H] [--port N] [--league DIR]`, port 0 for any free one.

With `--started AT` it also serves the bundled contest site, whose first contest ends `--first` seconds after AT, and
each other one `--pace` seconds later.
"""

import argparse
import os
import socket
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn

from app.domain.errors import TidemarkError
from scrapers.suites.house import DatedContest, date_contests, load_demo_models, load_league
from workers.demo.server import DemoServer

_LEAGUE = str(Path(__file__).resolve().parents[2] / "league")
_PORT = 8322
_FIRST_S, _PACE_S = 180.0, 3600.0


def main() -> int:
    """Serve until told to stop; return 1 if the league cannot be read or the port is taken."""
    parser = argparse.ArgumentParser(prog="python -m workers.demo", description="Serve the demo models.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=int(os.environ.get("TIDEMARK_DEMO_PORT") or _PORT))
    parser.add_argument("--league", type=Path, default=Path(os.environ.get("TIDEMARK_LEAGUE_DIR") or _LEAGUE))
    parser.add_argument("--started", metavar="AT", default=os.environ.get("TIDEMARK_DEMO_STARTED_AT") or None)
    parser.add_argument("--first", type=float, default=float(os.environ.get("TIDEMARK_DEMO_FIRST_S") or _FIRST_S))
    parser.add_argument("--pace", type=float, default=float(os.environ.get("TIDEMARK_DEMO_PACE_S") or _PACE_S))
    options = parser.parse_args()
    try:
        league = load_league(options.league, datetime.now(UTC))
        contests: tuple[DatedContest, ...] = ()
        if options.started is not None:
            first_end = datetime.fromisoformat(options.started).astimezone(UTC) + timedelta(seconds=options.first)
            contests = date_contests(league.live, first_end, timedelta(seconds=options.pace))
        app = DemoServer(league, load_demo_models(options.league), contests)
        listener = socket.create_server((options.host, options.port), backlog=512)
    except (TidemarkError, OSError, ValueError) as wrong:
        print(f"demo endpoint: {wrong}", file=sys.stderr)  # noqa: T201  # the reason why it does not start
        return 1
    port = listener.getsockname()[1]
    print(f"demo endpoint: http://{options.host}:{port}/v1", flush=True)  # noqa: T201  # tells the port of `--port 0`
    config = uvicorn.Config(app, lifespan="off", access_log=False, log_level="warning", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])
    return 0


if __name__ == "__main__":
    sys.exit(main())
