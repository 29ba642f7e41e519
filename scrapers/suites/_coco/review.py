"""CR items: code and the findings of a review, by category. A finding's truth is the lines of the code it is about.

A category none of whose lines stands in the code is neither asked for nor wrong: the set says there what it would have
said, and not that there is something.
"""

import json
from typing import Any

from app.domain.judging.reviews import CATEGORIES, Faults, bare, lines_of
from app.domain.problems import Form, Test
from scrapers.suites._coco.item import Judged
from scrapers.suites._shared import fields


def review(row: fields.Row) -> Judged:
    """How a CR item is judged. Raises ValueError where its findings are no object of lists of lines."""
    code = fields.text(row, "code").strip("\n")
    found = fields.as_object(row.get("issue_categories"))
    unknown = sorted(set(found) - set(CATEGORIES))
    if unknown:
        raise ValueError(f"issue_categories names {', '.join(unknown)}, not {', '.join(CATEGORIES)}")
    there = lines_of(code)
    lines, optional = dict[str, list[str]](), list[str]()
    for category in CATEGORIES:
        if category in found:
            here = [line for line in _lines(found[category]) if bare(line) in there]
            if here:
                lines[category] = here
            else:
                optional.append(category)
    if not lines:
        return Judged(code, unfit="none of its findings is about a line of its code")
    truth = Faults(lines, tuple(optional))
    words = f"no line of the code shows {', '.join(optional)}, so it may be named or not" if optional else ""
    return Judged(code, Form.STDIN, tests=(Test(code, json.dumps(truth.as_json())),), notes=(words,) if words else ())


def _lines(finding: Any) -> list[str]:
    lines = fields.items(fields.as_object(finding), "lines")
    if not all(isinstance(line, str) for line in lines):
        raise ValueError("lines holds something other than text")
    return lines
