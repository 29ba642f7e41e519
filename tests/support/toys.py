"""The scenarios of docs/adding-a-scenario.md, as the files that a reader would make of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.domain.scenarios import Scenario, scenarios
from support.snippets import extended

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-scenario.md"
_FENCE = re.compile(r'^```python\n("""(\w+): .*?)^```$', re.MULTILINE | re.DOTALL)


def sources() -> dict[str, str]:
    """The page's files by the name in their first line."""
    return {name: code for code, name in _FENCE.findall(_PAGE.read_text(encoding="utf-8"))}


@contextmanager
def plugged_in(folder: Path, *more: tuple[str, str]) -> Iterator[dict[str, Scenario]]:
    """Every scenario while the page's files, and others by name, lie in a folder beside our own."""
    for name, code in (*sources().items(), *more):
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    with extended("app.domain.scenarios", folder):
        yield scenarios()
