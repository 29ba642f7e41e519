"""What counts as one text, and what does not."""

import pytest

from app.domain.publishing.wording import REVISION, wording

TEXT = (
    "You are given an integer $N$ and a sequence $A = (A_1, \\ldots, A_N)$.\n\n"
    "Find the **largest** value of $A_i \\times A_j$, where $1 \\leq i < j \\leq N$ and $A_i \\le 10^{18}$."
)
SAME = [
    TEXT.replace("\n\n", " "),
    f"  {TEXT.upper()}\u200b\n",
    TEXT.replace("$", ""),
    TEXT.replace("\\ldots", "…").replace("\\times", "×").replace("\\leq", "≤").replace("\\le", "&le;"),
    TEXT.replace("10^{18}", "10<sup>18</sup>"),
    TEXT.replace("10^{18}", "10¹⁸"),
    TEXT.replace("**largest**", "<strong class='x' data-y=1>largest</strong><br/>"),
    TEXT.replace("an integer", "an [integer](https://example.com/a?b=c)"),
    "".join(f"<p>{part}</p>" for part in TEXT.replace("<", "&lt;").split("\n\n")),
]


def test_white_space_case_and_markup_make_no_other_text() -> None:
    for text in SAME:
        assert wording("B", text, {"python": "class Solution: ..."}) == wording("A. First", TEXT, {}), text


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("largest", "smallest"),
        TEXT.replace("10^{18}", "10^{9}"),
        TEXT.replace("where", "where <b and c>"),
        TEXT.replace("sequence", "séquence"),
        f"{TEXT} Print -1 if there is none.",
    ],
)
def test_other_words_and_numbers_make_another(text: str) -> None:
    assert wording("A", text, {}) != wording("A", TEXT, {})


def test_short_texts_are_told_apart_by_title_and_code() -> None:
    text, code = "Implement it.", {"python": "class LRUCache: ..."}
    one = wording("LRU Cache", text, code)
    assert one == wording("LRU  cache", f"<p>{text}</p>", code)
    assert one != wording("LFU Cache", text, code)
    assert one != wording("LRU Cache", text, {"python": "class LFUCache: ..."})


def test_a_wording_begins_with_its_rule() -> None:
    assert wording("A", TEXT, {}).partition(":")[0] == REVISION


def test_a_long_text_of_brackets_takes_no_time() -> None:
    assert wording("A", "<a " * 50_000 + "](" * 50_000, {}) != wording("A", "<a x=1 " * 50_000, {})
