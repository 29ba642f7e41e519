"""Lines with a fence, as models write them: in lists, in quotes, behind prose, or with the program on the same line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Characters that nobody sees, as some models and web pages put them around fences.
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
# Tokens with which a model ends its turn.
TURN_END = (
    r"<\|(?:im_end|endoftext|end_of_text|eot_id|eot|EOT|eom_id|end_of_turn|END_OF_TURN_TOKEN|end_of_sentence|end|return)\|>"
    r"|</s>|<eos>|<end_of_turn>|<\uff5cend\u2581of\u2581sentence\uff5c>|\[EOS\]"
)
# What may stand before a block in Markdown: white space, the marks of quotes and of list items.
_BEFORE = rf"(?:[^\S\n]|[{UNSEEN}]|>|[-*+\u2022](?=[^\S\n])|\d{{1,9}}[.)](?=[^\S\n]))*+"
# A run of three or more backticks, with an info string where it ends its line; or of tildes that begins its line.
_FENCE = re.compile(rf"(`{{3,}}+)(?:([^`\n]*+)$)?|^({_BEFORE})(~{{3,}}+)([^\n]*+)$", re.MULTILINE)
_STRUCTURE = re.compile(_BEFORE)
# The name of a language, or of a file whose ending is one.
_TAG = re.compile(rf"[\s{UNSEEN}]*+\{{?\s*+\.?(?:lang(?:uage)?[-=:]\"?)?(?:[\w-]++/)*+([\w+#-]++)(?:\.([A-Za-z]\w*+))?")
# What may follow a fence that closes: the end of the tag around it, and tokens by which a model ends its turn.
_NOTHING = re.compile(rf"(?:\s|[{UNSEEN}]|</\w{{1,30}}>|<\|\w{{1,30}}\|>|{TURN_END})*+")
_QUOTE_MARK = re.compile(r"[ \t]{0,3}>[ ]?")
_MARKS = str.maketrans("", "", UNSEEN)
_MAX_QUOTES = 99  # within one another whose marks are left out
MAX_INDENT = 3  # columns that a fence may be indented more than its block (CommonMark 0.31, section 4.5)
_NEAR = 100  # characters; a line that has more before a fence is prose


class FenceLine(NamedTuple):
    """A line with a fence: what stands before it, the fence, what stands behind it; where they begin and end."""

    prefix: str
    fence: str
    info: str
    start: int
    at: int
    end: int
    ends_a_pair: bool = False

    @property
    def begins_a_block(self) -> bool:
        """Whether nothing stands before it but what Markdown allows there."""
        return is_structure(self.prefix)

    @property
    def is_bare(self) -> bool:
        """Whether nothing stands behind it."""
        return _NOTHING.fullmatch(self.info) is not None

    @property
    def tag(self) -> str:
        """The language it names."""
        tag = None if self.is_bare or self.ends_a_pair else _TAG.match(self.info)
        return (tag[2] or tag[1]).lower() if tag else ""

    def stands(self, *, quoted: bool) -> bool:
        """Whether it stands alone on its line, but for the marks of a quote that a block began in."""
        return not self.prefix.translate(_MARKS).strip("> \t" if quoted else None)

    def column(self, quotes: int) -> int:
        """Where it begins behind so many marks of a quote; a mark of a list is as wide as the text it stands before."""
        at = 0
        for _ in range(quotes):
            mark = _QUOTE_MARK.match(self.prefix, at)
            if mark is None:
                break
            at = mark.end()
        return len(self.prefix[at:].translate(_MARKS).expandtabs(4))

    @property
    def place(self) -> tuple[int, int]:
        """Of a block that it opens: in how many quotes it is, and in which column behind their marks."""
        if not self.begins_a_block:
            return 0, 0
        quotes = min(self.prefix.count(">"), _MAX_QUOTES)
        return quotes, self.column(quotes)

    def is_text(self, quotes: int, column: int) -> bool:
        """Whether it is text of a block that began in that column: a fence that is indented further is none."""
        return not self.stands(quoted=quotes > 0) or self.column(quotes) > column + MAX_INDENT

    def closes(self, fence: str) -> bool:
        """Whether it is as long as a fence, and of its kind."""
        return self.fence.startswith(fence)


def is_structure(prefix: str) -> bool:
    """Whether it is blank, or marks of quotes and list items alone."""
    return _STRUCTURE.fullmatch(prefix) is not None


def fence_lines(text: str) -> Iterator[FenceLine]:
    """Every line with a fence, in time linear in `len(text)`."""
    begins = seen = 0
    for match, first in _runs(text):
        ticks, info, prefix, tildes, words = match.groups()
        begins = text.rfind("\n", seen, match.start()) + 1 or begins
        seen = match.end()
        if tildes is not None:
            yield FenceLine(prefix, tildes, words, match.start(), match.start() + len(prefix), seen)
        elif info is not None:
            before = text[begins : match.start()]
            yield FenceLine(before, ticks, info, begins, match.start(), seen, ends_a_pair=first is not None)


class OneLine(NamedTuple):
    """What stands between two fences of one line, and whether nothing else stands on it."""

    words: str
    alone: bool


def one_line_fences(text: str) -> Iterator[OneLine]:
    """Every ```such``` piece, in time linear in `len(text)`."""
    for match, first in _runs(text):
        if first is not None:
            begins = text.rfind("\n", max(0, first.start() - _NEAR), first.start()) + 1
            is_first = (begins > 0 or first.start() < _NEAR) and is_structure(text[begins : first.start()])
            is_last = match[2] is not None and _NOTHING.fullmatch(match[2]) is not None
            yield OneLine(text[first.end() : match.start()], is_first and is_last)


def _runs(text: str) -> Iterator[tuple[re.Match[str], re.Match[str] | None]]:
    """Every fence, and where it ends a pair of the same on one line, the other."""
    first: re.Match[str] | None = None
    seen = 0
    for match in _FENCE.finditer(text):
        ticks = match[1]
        if first is not None and (ticks is None or text.find("\n", seen, match.start()) >= 0):
            first = None
        seen = match.end()
        if first is not None and first[1] == ticks:
            yield match, first
            first = None
            continue
        yield match, None
        if first is None and ticks is not None and match[2] is None:
            first = match
