"""The pipeline's context, for real problems and answers."""

from pathlib import Path

import pytest
from pipeline.conftest import ctx

__all__ = ["ctx"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real captures, boards and problems beside the checkout; its tests are skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of real data beside the checkout (../shared) is absent")
    return folder
