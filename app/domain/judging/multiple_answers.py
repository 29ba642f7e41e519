"""Detection of statements that say several returned values are right, by English and Chinese phrases. Pure.

The phrases are those of LeetCode, which does not mark such problems. They match too much rather than too little: a
person releases a problem that was held wrongly.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

MAX_SEARCHED_CHARS: Final = 30_000  # characters of one text that are searched
MULTIPLE_ANSWERS: Final = "multiple_answers"  # flag of a problem, and waiver that says only one answer is right

_ANY_ANSWER: Final = re.compile(
    r"\b(?:return|returning|output|print|report) any\b(?! order)|\bany (?:one )?of (?:them|these|those)\b"
    r"|\bany (?:valid|correct|possible|such) (?:answer|solution|output|arrangement|order|result|string|array|path)"
    r"|\bif (?:there (?:are|is)|multiple)[^.]{0,60}\b(?:multiple|more than one|several|many)\b[^.]{0,120}\bany\b"
    r"|\b(?:multiple|more than one|several) (?:valid |correct |possible )?(?:answers?|solutions?)\b[^.]{0,120}\bany\b"
    r"|\balso (?:be )?(?:accepted|considered (?:correct|valid)|(?:a )?(?:valid|correct) answers?)\b"
    r"|\bboth (?:acceptable|accepted|(?:valid|correct) (?:answers|solutions))\b"
    r"|\bmultiple answers are (?:allowed|accepted|acceptable)"
    r"|\breturns? (?:(?:the|an?|its|index|ind[ei]ces|positions?|values?|keys?|nodes?|to|of|just|only) ){0,4}"
    r"(?:any|one) of the\b"
    r"|(?<!not )(?<!n't )(?<!unable to )\bfind any\b[^.]{0,60}\breturn (?:it|its|the|them)\b"
    r"|(?:也|同样|都|均)(?:会|将|可以?)?(?:是|算是?|被?视为|被(?:认为是?|当作))(?:另)?(?:一[个种组])?"
    r"(?:有效|正确|符合题意|可接受|可行|合法)的?(?:答案|结果|解(?![释决析]))"
    r"|也(?:会|将|可以?|能够?)?被接受|也是?可以?接受的"
    r"|返回(?:其中)?任(?:意|何)(?!.?(?:顺序|次序))|(?:任意|任何)一(?:个|种|条|组)[^。]{0,20}(?:即可|都|均|答案|解)|返回任一",
    re.IGNORECASE,
)
# Answers drawn at random; "random" alone also describes pointers, chess pieces and test data.
_RANDOM_ANSWER: Final = re.compile(
    r"\bequally likely\b|\buniform(?:ly)? (?:at )?random|\b(?:same|equal) (?:probability|chance)"
    r"|\brandom (?:(?:element|integer|index|node|point|order|permutation|line)s?\b|shuffl)"
    r"|\brandomly (?:pick|select|choos|chose|return|output|shuffl|draw)"
    r"|\b(?:pick|select|choose|return|output|shuffle|draw)s?\b[^.]{0,40}\brandomly\b"
    r"|随机(?!指针|链表|生成|测试|数据)|等(?:概率|可能)|概率[^。，\n]{0,6}相[同等]",
    re.IGNORECASE,
)
_ANY_ORDER: Final = re.compile(
    r"\b(?:return|returned|answers?|outputs?|results?|solutions?|list|lists|combinations?|elements)\b[^.]{0,120}"
    r"\b(?:in|with) any order\b|\b(?:in|with) any order\b[^.]{0,60}\b(?:accepted|allowed)"
    r"|\border (?:of|in)\b[^.]{0,80}\bdoes(?: not|n't) matter"
    r"|\b(?:any|the) order\b[^.]{0,40}\b(?:is fine|does(?: not|n't) matter|is not important)"
    r"|(?:任意|任何)\s{0,3}(?:顺序|次序)|不考虑[^。]{0,20}顺序|顺序(?:可以)?(?:不重要|不限|随意)",
    re.IGNORECASE,
)
_FLOATING: Final = re.compile(r"\b(?:double|float)\b")
_LIST: Final = re.compile(r"\[\]|\b(?:list|vector|tuple)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OtherAnswers:
    """Answers that are right beside the expected one: `several` of any kind, or its elements in another `order`."""

    several: bool
    order: bool


def is_fraction(returns: str) -> bool:
    """Return whether a declared type is a floating-point number or holds some."""
    return _FLOATING.search(returns) is not None


def find_other_answers(texts: Iterable[str], returns: str) -> OtherAnswers:
    """Return which other values of this type a statement, in any of its languages, accepts; "" for an unknown type."""
    cut = [text[:MAX_SEARCHED_CHARS] for text in texts]

    def says(rule: re.Pattern[str]) -> bool:
        return any(rule.search(text) for text in cut)

    # A number with a fraction is a probability or an expectation, which is not random itself.
    several = says(_ANY_ANSWER) or (says(_RANDOM_ANSWER) and not is_fraction(returns))
    # Only a list can be in any order; "the tasks may be done in any order" is not about the answer.
    order = says(_ANY_ORDER) and (not returns or returns == "void" or bool(_LIST.search(returns)))
    return OtherAnswers(several, order)


def values_may_differ(flags: Collection[str], statement: str, returns: str) -> bool:
    """Return whether several values of a function may be right, by its flags or its statement."""
    allowed = find_other_answers([statement], returns)
    return MULTIPLE_ANSWERS in flags or allowed.several or allowed.order
