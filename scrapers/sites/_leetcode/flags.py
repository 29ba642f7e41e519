"""What a LeetCode problem implies for judging: by its phrases, its starter code, its signature and category.

The site marks none of this. A flag holds a problem back from exact comparison until a checker decides, so the
rules rather say too much than too little.

`any_order` comes with `multiple_answers` and says that order is all that differs: an unordered checker serves.
`custom_driver` says that the site's own driver does more than call and compare (arguments that only it reads, or
an answer of which it looks at a part). `database`, `shell` and `concurrency` are problems without a call; they
have no form.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from scrapers.sites._leetcode.signature import Shape, metadata

_CUT: Final = 30_000  # characters of one text that are searched
_INTERACTIVE: Final = re.compile(
    r"\binteractive (?:problem|task)|交互(?:式)?(?:题|问题)|\bAPIs?\b[^.\n]{0,60}\bdefined for you"
    r"|\bpre-?defined (?:API|function|interface)s?\b|\bcall (?:a|an|the) (?:\w+ ){0,4}API\b"
    r"|\bgiven APIs?\b|预(?:先)?定义(?:好)?的?\s?(?:API|接口|函数)|调用[^。\n]{0,30}(?:API|接口)",
    re.IGNORECASE,
)
_HIDDEN_API: Final = re.compile(
    r"\bAPIs?\b[^\n]{0,60}\bdefined for you|API interface|\bThis is the (?:[\w'’]+ ){0,3}interface\b", re.IGNORECASE
)
_ANY: Final = re.compile(
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
# An answer that is drawn; "random" alone is said of pointers, of chess pieces and of test data, too.
_RANDOM: Final = re.compile(
    r"\bequally likely\b|\buniform(?:ly)? (?:at )?random|\b(?:same|equal) (?:probability|chance)"
    r"|\brandom (?:(?:element|integer|index|node|point|order|permutation|line)s?\b|shuffl)"
    r"|\brandomly (?:pick|select|choos|chose|return|output|shuffl|draw)"
    r"|\b(?:pick|select|choose|return|output|shuffle|draw)s?\b[^.]{0,40}\brandomly\b"
    r"|随机(?!指针|链表|生成|测试|数据)|等(?:概率|可能)|概率[^。，\n]{0,6}相[同等]",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"\b(?:return|returned|answers?|outputs?|results?|solutions?|list|lists|combinations?|elements)\b[^.]{0,120}"
    r"\b(?:in|with) any order\b|\b(?:in|with) any order\b[^.]{0,60}\b(?:accepted|allowed)"
    r"|\border (?:of|in)\b[^.]{0,80}\bdoes(?: not|n't) matter"
    r"|\b(?:any|the) order\b[^.]{0,40}\b(?:is fine|does(?: not|n't) matter|is not important)"
    r"|(?:任意|任何)\s{0,3}(?:顺序|次序)|不考虑[^。]{0,20}顺序|顺序(?:可以)?(?:不重要|不限|随意)",
    re.IGNORECASE,
)
_TOLERANCE: Final = re.compile(
    r"\bwithin (?:an? (?:absolute|relative)|10\s?\^?\s?\{?[-−]?\d)|\b(?:absolute|relative) error"
    r"|误差|\b10\s?\^?\s?[-−]\d{1,2}\s?(?:以内|范围)",
    re.IGNORECASE,
)
_FLOATING: Final = re.compile(r"\b(?:double|float)\b")
_LIST: Final = re.compile(r"\[\]|\b(?:list|vector|tuple)\b", re.IGNORECASE)
_SQL: Final = frozenset({"mysql", "mssql", "oraclesql", "postgresql", "pythondata"})


def categories(question: Mapping[str, Any], tags: Collection[str], starter: Mapping[str, str]) -> tuple[str, ...]:
    """database, shell or concurrency: what a problem without a call is about; empty for all others."""
    category = question.get("categoryTitle") or question.get("categorySlug")
    meta = metadata(question.get("metaData")) or {}
    labels = {str(category).lower(), *tags, *(name for name in ("database", "shell") if meta.get(name) is True)}
    if starter and set(starter) <= _SQL:
        labels.add("database")
    if set(starter) == {"bash"}:
        labels.add("shell")
    return tuple(name for name in ("database", "shell", "concurrency") if name in labels)


def flags_of(
    texts: Iterable[str],
    starter: Mapping[str, str],
    shape: Shape,
    topics: Sequence[str],
    *,
    image: bool,
    paid_only: bool,
) -> tuple[str, ...]:
    """The flags of a problem in a fixed order; `texts` is the statement in each language, `topics` its categories."""
    cut = [text[:_CUT] for text in texts]
    return tuple(_flags(cut, starter, shape, topics, image=image, paid_only=paid_only))


def _flags(
    texts: list[str], starter: Mapping[str, str], shape: Shape, topics: Sequence[str], *, image: bool, paid_only: bool
) -> Iterator[str]:
    def says(rule: re.Pattern[str]) -> bool:
        return any(rule.search(text) for text in texts)

    returns = str((shape.signature or {}).get("returns", ""))
    if says(_INTERACTIVE) or any(_HIDDEN_API.search(code[:_CUT]) for code in starter.values()):
        yield "interactive"
    floating = _FLOATING.search(returns) is not None
    # A number with a fraction is what something random comes to: its probability, its expectation.
    several = says(_ANY) or (says(_RANDOM) and not floating)
    # The order only of a list is free; "the tasks may be done in any order" is no word about the answer.
    order = says(_ORDER) and (not returns or returns == "void" or bool(_LIST.search(returns)))
    if several or order:
        yield "multiple_answers"
    if order and not several:
        yield "any_order"
    if says(_TOLERANCE) or floating:
        yield "float_tolerance"
    if image:
        yield "image"
    if paid_only:
        yield "paid_only"
    if shape.custom:
        yield "custom_driver"
    yield from topics
