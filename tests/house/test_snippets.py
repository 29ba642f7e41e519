"""The code blocks of documents: found with their language and file, and plugged in for as long as a test needs."""

import pkgutil
from pathlib import Path

import pytest
from support.snippets import Snippet, plugged, snippets

from app.domain.registry import discover
from scrapers.suite import Suite

_TEXT = """Words.

```python
# scrapers/suites/pair.py
SUITE = 1
```

```sh
./tidemark up
```

- in a list: ```not a block```

```
plain
```
"""


def test_blocks_come_in_order_with_language_and_file(tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text(_TEXT, encoding="utf-8")
    first, *others = snippets(document)
    assert first == Snippet("python", "scrapers/suites/pair.py", "# scrapers/suites/pair.py\nSUITE = 1\n")
    assert (first.package, first.module) == ("scrapers.suites", "pair")
    assert others == [Snippet("sh", None, "./tidemark up\n"), Snippet("", None, "plain\n")]


def test_a_plug_in_is_there_as_long_as_it_is_plugged(tmp_path: Path) -> None:
    before = set(discover("scrapers.suites", "SUITE", Suite))
    text = (
        "from scrapers.suite import Suite, refuse_bad_rows\n"
        'SUITE = Suite("pair", "Pair", lambda file, options: refuse_bad_rows([]), options={})\n'
    )
    with plugged(Snippet("python", "scrapers/suites/pair.py", text), tmp_path):
        assert set(discover("scrapers.suites", "SUITE", Suite)) == {*before, "pair"}
    assert set(discover("scrapers.suites", "SUITE", Suite)) == before


def test_a_folder_of_plug_ins_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = discover("scrapers.suites", "SUITE", Suite)
    monkeypatch.setattr(pkgutil, "iter_modules", lambda *_: pytest.fail("it was looked through before"))
    again = discover("scrapers.suites", "SUITE", Suite)
    assert again == found
    again.clear()
    assert discover("scrapers.suites", "SUITE", Suite) == found, "whoever asks may change what it was given"
