"""Many cases of one kind: a part of them in every run, all of them in the slow one."""

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """The cases, of which all but every nth are left to `./tidemark test --all`."""
    return [_later(case) if place % every else case for place, case in enumerate(cases)]


def _later(case: Any) -> Any:
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
