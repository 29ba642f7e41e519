"""A door opened late: `python -m app.supervise.gate MODULE FILE` imports a module, then waits to run its `main`.

Importing the site takes as long as migrating its database, so both happen at once; the site listens only
when FILE says that the database is ready.
"""

import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from app.memory import loading


def main(arguments: Sequence[str]) -> int:
    """Import, wait, run."""
    module, file = arguments
    with loading():
        door = importlib.import_module(module)
    while not Path(file).exists():
        time.sleep(0.02)
    return int(door.main() or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
