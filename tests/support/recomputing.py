"""The script of a board's bundle, run in this process; what packs it is also tested with the script by itself."""

import io
import runpy
import sys
import zipfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest


def unpacked(archive: bytes, folder: Path) -> Path:
    """Where its script lies: the bundle, unpacked in a folder."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        files.extractall(folder)
    return folder / "recompute.py"


def recomputed(script: Path) -> tuple[int, str]:
    """Its exit code, and what it prints of the folder where it lies."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(sys, "argv", [str(script)])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(script), run_name="__main__")
    assert isinstance(ended.value.code, int)
    out.flush()
    return ended.value.code, out.buffer.getvalue().decode()
