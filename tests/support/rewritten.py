"""Test files as pytest rewrites them, made once before the workers of a whole run begin.

In a fresh checkout each of them would make all of them for itself, at the same moment: a minute of CPU time in all.
"""

import os
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite  # pytest has no other door to this; its version is locked

from app.cores import usable_cores


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Share the files out over the CPUs."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or sys.dont_write_bytecode:
        return
    files = sorted(Path(__file__).parents[1].rglob("test_*.py"))
    shares = usable_cores()
    children = []
    for share in range(shares):
        child = os.fork()
        if child == 0:
            try:
                for file in files[share::shares]:
                    _make(config, file)
            finally:
                os._exit(0)  # what could not be made, the workers make
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def _make(config: pytest.Config, file: Path) -> None:
    state, folder = config.stash[rewrite.assertstate_key], rewrite.get_cache_dir(file)
    made = folder / (file.name.removesuffix(".py") + rewrite.PYC_TAIL)
    if rewrite._read_pyc(file, made, state.trace) is None:
        folder.mkdir(exist_ok=True)
        found, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(state, code, found, made)
