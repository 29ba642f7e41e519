"""A delayed start: `python -m app.supervise.delayed_start MODULE FILE` imports a module, then waits to run its `main`.

Importing the site takes as long as migrating its database, so both happen at once; the site listens only when FILE
exists, which marks the database as ready.
"""

import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from app.memory import collection_paused


def main(arguments: Sequence[str]) -> int:
    """Import the module, wait for the file, run `main`."""
    name, file = arguments
    with collection_paused():
        module = importlib.import_module(name)
    while not Path(file).exists():
        time.sleep(0.02)
    return int(module.main() or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
