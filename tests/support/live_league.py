"""A league with one contest to come, of one small problem, three setters of three vendors, and one model."""

import gzip
import json
from pathlib import Path

from support.setters import FROM_ZERO, KADANE, PROBLEM, TITLE, VALIDATOR, answers, fenced, few_inputs, row
from support.small_league import small_league

SLUG = "best-stretch"
PREFIXES = """
n = int(input())
low = total = 0
found = []
for x in map(int, input().split()):
    total += x
    found.append(total - low)
    low = min(low, total)
print(max(found))
"""
VENDORS = {"Alder": PREFIXES, "Birch": FROM_ZERO, "Cedar": PREFIXES}  # each with its second solution, one of them wrong
_FACTS = """
title_en = "{title}"
title_zh = "最佳区间"
level = "easy"
form = "stdin"
tags = ["array"]
time_ms = 400
memory_mb = 256
examples = {examples}
"""
_LIVE = f"""
[[contest]]
slug = "slack-water"
title_en = "Slack Water"
title_zh = "平潮赛"
duration_min = 100
problems = ["{SLUG}"]
"""


def live_league(folder: Path, *, changed: bool = False) -> Path:
    """Write it; of its past there is one problem. With `changed` the live one's page has another form."""
    small_league(folder, {"house-3": ("ferry-split",)}, models=("pipit-mini",))
    (folder / "live.toml").write_text(_LIVE + (f'changed = ["{SLUG}"]\n' if changed else ""), encoding="utf-8")
    problem = folder / SLUG
    (problem / "programs").mkdir(parents=True)
    (problem / "problem.toml").write_text(_FACTS.format(title=TITLE, examples=len(PROBLEM.tests)), encoding="utf-8")
    text = "Given `n` numbers, print the greatest sum of neighbours.\n\n## Input\n\nThe first line holds `n`.\n"
    (problem / "statement.en.md").write_text(text, encoding="utf-8")
    (problem / "statement.zh.md").write_text("求相邻数的最大和。\n", encoding="utf-8")
    (problem / "generate.py").write_text(f"def validate(given):\n    pass\n\n\n_ = {VALIDATOR!r}\n", encoding="utf-8")
    for name, code in (("ref_1", KADANE), ("ref_2", PREFIXES), ("wrong_1", FROM_ZERO), ("wrong_2", "print(0)\n")):
        head = "# Begins from zero.\n" if name.startswith("wrong") else ""
        (problem / "programs" / f"{name}.py").write_text(head + code, encoding="utf-8")
    rows = [{"input": test.input, "expected": test.expected, "visible": True} for test in PROBLEM.tests]
    rows.append({"input": "1\n271828182\n", "expected": "271828182\n", "visible": False})
    lines = "".join(json.dumps(each) + "\n" for each in rows)
    (problem / "tests.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    (folder / "setters").mkdir()
    for vendor, second in VENDORS.items():
        given = answers(vendor.lower(), generator=fenced(few_inputs(vendor)), solution_1=fenced(second))
        recorded = [{**row(answer), "vendor": vendor} for answer in given]
        file = folder / "setters" / f"{vendor.lower()}.jsonl"
        file.write_text("".join(json.dumps(each) + "\n" for each in recorded), encoding="utf-8")
    return folder
