"""What was proven once holds for as long as what it was proven of stays: a digest of each is kept beside it.

An ordinary run proves anew what has changed since, and a few others, which the digests choose. `./tidemark test --all`
proves everything, and with TIDEMARK_TEST_RECORD=1 writes down what it has proven.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDS = "TIDEMARK_TEST_RECORD"
_IMPORTS = re.compile(r"^(?:from|import) ([\w.]+)(?: import \(?([\w, ]*))?", re.MULTILINE)


def digest_of(words: Iterable[str], files: Iterable[str]) -> str:
    """Of what is said about a proof and of the files it is made with, relative to the checkout, 16 digits."""
    parts = [*words, *(f"{file}\n{_text(file)}" for file in sorted(set(files)))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def files_of(test: str) -> set[str]:
    """A file of tests, the conftest of its room, and the helpers of the tests that it imports."""
    named = [(module, names.split(",")) for module, names in _IMPORTS.findall(_text(test))]
    modules = {name for module, names in named for name in (module, *(f"{module}.{name.strip()}" for name in names))}
    helpers = {f"tests/{module.replace('.', '/')}.py" for module in modules}
    found = {test, f"{Path(test).parent}/conftest.py", *helpers}
    return {file for file in found if (ROOT / file).is_file()}


@cache
def _text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def is_due(name: str, digest: str, proven: Mapping[str, str], every: int) -> bool:
    """Whether an ordinary run proves it: it has changed, or is one of so many."""
    return proven.get(name) != digest or int(digest, 16) % every == 0


def read(path: Path) -> dict[str, str]:
    """What was proven, by name."""
    proven: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return proven


def record(path: Path, proven: Mapping[str, str], names: Iterable[str]) -> None:
    """Write down what was proven now, where that is asked for; `names` are all there are."""
    if os.environ.get(RECORDS) != "1":
        return
    kept = read(path) | dict(proven)
    rows = {name: kept[name] for name in sorted(names) if name in kept}
    path.write_text(json.dumps(rows, indent=0) + "\n", encoding="utf-8")
