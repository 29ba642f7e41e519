"""Who hears a page is told what a table is of, and which row and column a value is in."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "web" / "templates"


def test_every_table_has_a_caption_and_every_heading_a_scope() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(TEMPLATES.rglob("*.html"))}
    for name, text in texts.items():
        for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
            assert "<caption" in table, (name, table[:200])
            assert not re.findall(r"<th(?![^>]* scope=)[ >]", table), (name, table[:200])
    assert sum("<table" in text for text in texts.values()) > 10
