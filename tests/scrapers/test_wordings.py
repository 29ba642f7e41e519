"""What is said of other right answers, in the words of each site and in both of its languages."""

import pytest
from bs4 import Tag
from support.work import little_work

from app.domain.problems import Entry
from scrapers.sites._atcoder import flags as atcoder_flags
from scrapers.sites._codeforces import flags as codeforces_flags
from scrapers.sites._leetcode import flags as leetcode_flags
from scrapers.sites._leetcode.signature import CallSpec

ANSWER = "Print the answer."


def leetcode(text: str, returns: str = "") -> tuple[str, ...]:
    shape = CallSpec(Entry("f", returns=returns) if returns else Entry("", "Lamps"))
    return leetcode_flags.flags_of([text], {}, shape, (), image=False, paid_only=False)


@pytest.mark.parametrize(
    "text",
    [
        'Explanation: "aba" is also a valid answer.',
        "[0,1] is also accepted:",
        "so [1,0] and [0,1] are both acceptable answers.",
        "If there are several peaks, return the index to any of the peaks.",
        "Returns one of the keys with the maximal count.",
        "Find any lamp that is lit and return its place.",
        "Since it is drawn, multiple answers are allowed.",
        "此外，“eetr”也是一个有效的答案。",
        "[2,1] 同样是符合题意的答案。",
        "[2,1] 也会被视为正确答案。",
        "[1,2] 和 [2,1] 都是正确答案。",
        "[2,1] 也会被接受。",
    ],
)
def test_leetcode_other_answers(text: str) -> None:
    assert leetcode(text, "integer[]") == ("multiple_answers",)


@pytest.mark.parametrize(
    "text",
    [
        "Returns a random lamp: each must have the same probability of being returned.",
        "All orders must be equally likely.",
        "It randomly picks a place in the range and returns it.",
        "Return a random element of the set.",
        "所有排列的可能性应等概率返回。",
        "每个元素被返回的概率必须相同。",
    ],
)
def test_leetcode_answers_that_are_drawn(text: str) -> None:
    assert leetcode(text) == ("multiple_answers",)
    assert leetcode(text, "double") == ("float_tolerance",), "a probability is one number"


@pytest.mark.parametrize(
    "text",
    [
        "Return true if any of the lamps is lit.",
        "If you cannot find any lamp, return -1.",
        "The words A and B are both valid.",
        "A number is also a valid word.",
        "Each node has a random pointer. The tests are generated randomly.",
        "The text is formed by joining all keys randomly.",
        "“()”也是有效括号字符串。",
        "函数也接受负数。",
        "每个节点有一个随机指针。测试数据是随机生成的。",
    ],
)
def test_leetcode_words_about_something_else(text: str) -> None:
    assert leetcode(text, "integer[]") == ()


def test_leetcode_with_any_order() -> None:
    assert leetcode("Return a list of the names with any order you want.", "list<string>") == (
        "multiple_answers",
        "any_order",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("If it exists, construct one such sequence.", True),
        ("If the answer is yes, print Yes, then print one such row.", True),
        ("If it exists, construct an instance of a.", True),
        ("If such a permutation exists, show an example.", True),
        ("The edges may be printed in any order.", True),
        ("300 or 400 would also be accepted.", True),
        ("A 以上 B 以下の C の倍数を、1 つ出力してください。", True),
        ("条件を満たす列を 1 つ出力してください。", True),
        ("存在するなら一例を示してください。", True),
        ("300 や 400 も正解です。", True),
        ("辺を出力する順番は問いません。", True),
        ("The figure below shows an example. Figures 1 and 2 show an example.", False),
        ("The edges are given in any order. Print one integer.", False),
        ("Errors of 1 ppm are fine: an absolute error of 2, so 3.1 would also be accepted.", False),
        ("答えを 1 行に 1 つ出力せよ。", False),
        ("各要素を 1 つずつ、順に出力せよ。整数を 1 つ出力せよ。", False),
        ("下の図は例を示しています。出力例を見よ。買う順番は問いません。", False),
        ("太郎も正解しました。", False),
    ],
)
def test_atcoder_other_answers(text: str, said: bool) -> None:
    assert ("multiple_answers" in atcoder_flags.flags_of([text], Tag(name="p"))) is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The numbers may be printed in any order.", True),
        ("Print one of the possible answers.", True),
        ("If there are some, output one of them.", True),
        ("Порядок вывода не важен.", True),
        ("The numbers may be given in any order.", False),
        ("Print one of the words YES and NO.", False),
        ("Порядок камней в куче не важен.", False),
    ],
)
def test_codeforces_other_answers(text: str, said: bool) -> None:
    assert ("multiple_answers" in codeforces_flags.flags_of(text)) is said


@pytest.mark.parametrize(
    "part",
    ["find any ", "returns the ", "print x ", "概率", "を 1 つ", "満たす", "出力", "randomly ", "例を", "return "],
)
def test_phrases_are_looked_for_in_bounded_time(part: str) -> None:
    text = part * (400_000 // len(part))
    with little_work():
        leetcode(text)
        atcoder_flags.flags_of([text], Tag(name="p"))
        codeforces_flags.flags_of(text)
