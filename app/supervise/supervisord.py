"""supervisord with forked Python workers: `python -m app.supervise.supervisord`, with supervisord's arguments.

Four interpreters that load the same thousand modules take a third of a gigabyte and ten seconds of a core. So the
modules are loaded here, when the first worker is started, and workers are forks that share them; only the judges are
not. For the supervisor a worker is a program like any other: its log, restarts and signals are the same. Each program's
settings are read after the fork (app.supervise.process_environment).
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
from app.memory import collection_paused, freeze_memory
from app.supervise.logfiles import LogFile
from app.supervise.process_environment import read_environment

# Entry points that are forked, and the modules they need beyond their own imports.
FORKED_MODULES = ("workers.serve", "workers.clock")
PRELOADED_MODULES = (
    "workers.tasks",
    "workers.upkeep",
    "celery.apps.worker",
    "celery.concurrency.thread",
    "celery.concurrency.prefork",
)


class SupervisordOptions(ServerOptions):  # type: ignore[misc]  # the supervisor has no types
    """supervisord's options, with the hooks where it checks a command, forks, and becomes it."""

    def check_execv_args(self, filename: str, argv: list[str], st: os.stat_result | None) -> None:
        """Load what the workers will share; called before the fork, in the supervisor."""
        super().check_execv_args(filename, argv, st)
        if _forked_module(argv) is not None:
            _load_shared()

    def execve(self, filename: str, argv: list[str], env: dict[str, str]) -> None:
        """Become the program; called after the fork, in the child."""
        pids = Path(self.pidfile).parent
        env = read_environment(pids.parent / "told", env["SUPERVISOR_PROCESS_NAME"], env)
        module = _forked_module(argv)
        if module is None:
            super().execve(filename, argv, env)
        else:
            _become(module, argv, env, pids)


def _forked_module(argv: list[str]) -> str | None:
    interpreter, flag, module = (*argv, "", "", "")[:3]
    return module if (interpreter, flag) == (sys.executable, "-m") and module in FORKED_MODULES else None


@cache
def _load_shared() -> None:
    with collection_paused():
        for module in (*FORKED_MODULES, *PRELOADED_MODULES):
            importlib.import_module(module)
    freeze_memory()


def _become(module: str, argv: list[str], env: dict[str, str], pids: Path) -> NoReturn:
    """Run a forked module's `main` for the rest of this process's life."""
    code: Any = 1
    try:
        # The supervisor's objects live on in the frames below, but their descriptors are closed and their numbers
        # will be reused: collecting such an object would close a descriptor of ours.
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
        main = importlib.import_module(module).main
        code = main(argv[3:]) if argv[3:] else main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # as an interpreter reports what ends it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def main(arguments: list[str]) -> None:
    """Run supervisord until it is told to stop."""
    loggers.RotatingFileHandler = LogFile  # its own ends the supervisor when the disk is full
    options = SupervisordOptions()
    options.realize(arguments, doc=__doc__)
    options.first = True
    options.test = False
    go(options)
    options.close_httpservers()
    options.close_logger()


if __name__ == "__main__":
    main(sys.argv[1:])
