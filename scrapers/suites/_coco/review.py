"""CR items: code and the findings of a review, by category. The truth of a finding is the lines of code it is about.

A category without a line that stands in the code is optional: the set states the lines it would have reported, not that
the fault is there.
"""

import json
from typing import Any

from app.domain.judging.reviews import CATEGORIES, ReviewFaults, normalize_line, normalized_lines
from app.domain.problems import Form, Test
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._common import fields


def review(row: fields.Row) -> CocoItem:
    """Read a CR item. Raises ValueError if its findings are no object of lists of lines."""
    code = fields.text(row, "code").strip("\n")
    findings = fields.as_object(row.get("issue_categories"))
    unknown = sorted(set(findings) - set(CATEGORIES))
    if unknown:
        raise ValueError(f"issue_categories names {', '.join(unknown)}, not {', '.join(CATEGORIES)}")
    code_lines = normalized_lines(code)
    lines, optional = dict[str, list[str]](), list[str]()
    for category in CATEGORIES:
        if category in findings:
            shown_lines = [line for line in _lines(findings[category]) if normalize_line(line) in code_lines]
            if shown_lines:
                lines[category] = shown_lines
            else:
                optional.append(category)
    if not lines:
        return CocoItem(code, unfit="none of its findings is about a line of its code")
    truth = ReviewFaults(lines, tuple(optional))
    words = f"no line of the code shows {', '.join(optional)}, so it may be named or not" if optional else ""
    return CocoItem(code, Form.STDIN, tests=(Test(code, json.dumps(truth.as_json())),), notes=(words,) if words else ())


def _lines(finding: Any) -> list[str]:
    lines = fields.items(fields.as_object(finding), "lines")
    if not all(isinstance(line, str) for line in lines):
        raise ValueError("lines holds something other than text")
    return lines
