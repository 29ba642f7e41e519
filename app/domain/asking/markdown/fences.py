"""Lines with a fence as models write them: in lists, in quotes, after prose, or with the program on the same line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Invisible characters that some models and web pages put around fences.
INVISIBLE_CHARS = "\u200b\u200c\u200d\u2060\ufeff"
# Tokens with which a model ends its turn.
TURN_END_PATTERN = (
    r"<\|(?:im_end|endoftext|end_of_text|eot_id|eot|EOT|eom_id|end_of_turn|END_OF_TURN_TOKEN|end_of_sentence|end|return)\|>"
    r"|</s>|<eos>|<end_of_turn>|<\uff5cend\u2581of\u2581sentence\uff5c>|\[EOS\]"
)
# The text that Markdown allows before a block: white space, quote marks and list marks.
_BLOCK_PREFIX = rf"(?:[^\S\n]|[{INVISIBLE_CHARS}]|>|[-*+\u2022](?=[^\S\n])|\d{{1,9}}[.)](?=[^\S\n]))*+"
# Three or more backticks, with an info string at the end of the line; or tildes at the start of a line.
_FENCE = re.compile(rf"(`{{3,}}+)(?:([^`\n]*+)$)?|^({_BLOCK_PREFIX})(~{{3,}}+)([^\n]*+)$", re.MULTILINE)
_STRUCTURE = re.compile(_BLOCK_PREFIX)
# The name of a language, or of a file whose extension is one.
_TAG = re.compile(
    rf"[\s{INVISIBLE_CHARS}]*+\{{?\s*+\.?(?:lang(?:uage)?[-=:]\"?)?(?:[\w-]++/)*+([\w+#-]++)(?:\.([A-Za-z]\w*+))?"
)
# The text that may follow a closing fence: the closing tag around it, and end-of-turn tokens.
_EMPTY_INFO = re.compile(rf"(?:\s|[{INVISIBLE_CHARS}]|</\w{{1,30}}>|<\|\w{{1,30}}\|>|{TURN_END_PATTERN})*+")
_QUOTE_MARK = re.compile(r"[ \t]{0,3}>[ ]?")
_WITHOUT_INVISIBLE = str.maketrans("", "", INVISIBLE_CHARS)
_MAX_QUOTES = 99  # nested quotes whose marks are removed
MAX_INDENT = 3  # columns by which a fence may be indented more than its block (CommonMark 0.31, section 4.5)
_MAX_PREFIX_CHARS = 100  # a line with more before a fence is prose


class FenceLine(NamedTuple):
    """A line with a fence: the text before it, the fence, its info string, and the places where they begin and end."""

    prefix: str
    fence: str
    info: str
    start: int
    at: int
    end: int
    ends_a_pair: bool = False

    @property
    def begins_a_block(self) -> bool:
        """True if the text before the fence is blank or list and quote marks only."""
        return is_structure(self.prefix)

    @property
    def is_bare(self) -> bool:
        """True if no info string follows the fence."""
        return _EMPTY_INFO.fullmatch(self.info) is not None

    @property
    def tag(self) -> str:
        """The language that the info string names, in lower case; empty for none."""
        tag = None if self.is_bare or self.ends_a_pair else _TAG.match(self.info)
        return (tag[2] or tag[1]).lower() if tag else ""

    def is_alone(self, *, quoted: bool) -> bool:
        """Return whether the fence is alone on its line, apart from quote marks if the block began in a quote."""
        return not self.prefix.translate(_WITHOUT_INVISIBLE).strip("> \t" if quoted else None)

    def column(self, quotes: int) -> int:
        """Return the fence's column after `quotes` quote marks; a list mark is as wide as the text it stands before."""
        at = 0
        for _ in range(quotes):
            mark = _QUOTE_MARK.match(self.prefix, at)
            if mark is None:
                break
            at = mark.end()
        return len(self.prefix[at:].translate(_WITHOUT_INVISIBLE).expandtabs(4))

    @property
    def block_place(self) -> tuple[int, int]:
        """The number of quotes around a block that this fence opens, and its column after their marks."""
        if not self.begins_a_block:
            return 0, 0
        quotes = min(self.prefix.count(">"), _MAX_QUOTES)
        return quotes, self.column(quotes)

    def is_text(self, quotes: int, column: int) -> bool:
        """Return whether the line is text of a block that began in that column: a fence indented further is not one."""
        return not self.is_alone(quoted=quotes > 0) or self.column(quotes) > column + MAX_INDENT

    def closes(self, fence: str) -> bool:
        """Return whether the fence has the same character and at least the same length."""
        return self.fence.startswith(fence)


def is_structure(prefix: str) -> bool:
    """Return whether a prefix is blank, or quote and list marks only."""
    return _STRUCTURE.fullmatch(prefix) is not None


def fence_lines(text: str) -> Iterator[FenceLine]:
    """Yield every line with a fence, in time linear in `len(text)`."""
    begins = seen = 0
    for match, first in _fence_runs(text):
        ticks, info, prefix, tildes, words = match.groups()
        begins = text.rfind("\n", seen, match.start()) + 1 or begins
        seen = match.end()
        if tildes is not None:
            yield FenceLine(prefix, tildes, words, match.start(), match.start() + len(prefix), seen)
        elif info is not None:
            before = text[begins : match.start()]
            yield FenceLine(before, ticks, info, begins, match.start(), seen, ends_a_pair=first is not None)


class InlineFence(NamedTuple):
    """The text between two fences on one line, and whether the line holds nothing else."""

    words: str
    alone: bool


def inline_fences(text: str) -> Iterator[InlineFence]:
    """Yield every ```such``` piece, in time linear in `len(text)`."""
    for match, first in _fence_runs(text):
        if first is not None:
            begins = text.rfind("\n", max(0, first.start() - _MAX_PREFIX_CHARS), first.start()) + 1
            is_first = (begins > 0 or first.start() < _MAX_PREFIX_CHARS) and is_structure(text[begins : first.start()])
            is_last = match[2] is not None and _EMPTY_INFO.fullmatch(match[2]) is not None
            yield InlineFence(text[first.end() : match.start()], is_first and is_last)


def _fence_runs(text: str) -> Iterator[tuple[re.Match[str], re.Match[str] | None]]:
    """Yield every fence and, if it closes a pair on the same line, the fence that opens the pair."""
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
