"""supervisord, but Python workers are forked from it: `python -m app.supervise.supervisord`, with its arguments.

Four interpreters that load the same thousand modules take a third of a gigabyte and ten seconds of a core.
So the modules are loaded here, when the first worker is asked for, and workers are forks that share them;
only the judges are not. For the supervisor a worker is a program like any other: its log, restarts and signals are
the same. What each program is told comes after the fork (app.supervise.told).
"""

import gc
import importlib
import os
import signal
import sys
import traceback
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from supervisor import loggers
from supervisor.options import ServerOptions
from supervisor.supervisord import go

from app.forks import belong_to_parent
from app.memory import loading, settle
from app.supervise.logfiles import LogFile
from app.supervise.told import heard

# Doors that are forked, and what they load beyond themselves.
DOORS = ("workers.serve", "workers.clock")
LOADED = (
    "workers.tasks",
    "workers.upkeep",
    "celery.apps.worker",
    "celery.concurrency.thread",
    "celery.concurrency.prefork",
)


class Options(ServerOptions):  # type: ignore[misc]  # the supervisor has no types
    """Where supervisord looks at a command, forks, and becomes it."""

    def check_execv_args(self, filename: str, argv: list[str], st: os.stat_result | None) -> None:
        """Runs before the fork, in the supervisor: load what the workers will share."""
        super().check_execv_args(filename, argv, st)
        if _door(argv) is not None:
            _load()

    def execve(self, filename: str, argv: list[str], env: dict[str, str]) -> None:
        """Runs after the fork, in the child."""
        pids = Path(self.pidfile).parent
        env = heard(pids.parent / "told", env["SUPERVISOR_PROCESS_NAME"], env)
        door = _door(argv)
        if door is None:
            super().execve(filename, argv, env)
        else:
            _become(door, argv, env, pids)


def _door(argv: list[str]) -> str | None:
    interpreter, flag, module = (*argv, "", "", "")[:3]
    return module if (interpreter, flag) == (sys.executable, "-m") and module in DOORS else None


@cache
def _load() -> None:
    with loading():
        for module in (*DOORS, *LOADED):
            importlib.import_module(module)
    settle()


def _become(door: str, argv: list[str], env: dict[str, str], pids: Path) -> NoReturn:
    """Be the door's process for the rest of this one's life."""
    code: Any = 1
    try:
        # The supervisor's own objects live on in the frames below, but their descriptors are closed and their
        # numbers will be ours: nothing of them may be collected, which would close them again.
        gc.freeze()
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        name = env["SUPERVISOR_PROCESS_NAME"]
        belong_to_parent(name)
        (pids / f"{name}.pid").write_text(str(os.getpid()), encoding="ascii")
        os.environ.clear()
        os.environ.update(env)
        sys.argv = argv[2:]
        main = importlib.import_module(door).main
        code = main(argv[3:]) if argv[3:] else main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # like an interpreter's own last words
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def main(arguments: list[str]) -> None:
    """Run supervisord until it is told to stop."""
    loggers.RotatingFileHandler = LogFile  # its own ends the supervisor when the disk is full
    options = Options()
    options.realize(arguments, doc=__doc__)
    options.first = True
    options.test = False
    go(options)
    options.close_httpservers()
    options.close_logger()


if __name__ == "__main__":
    main(sys.argv[1:])
