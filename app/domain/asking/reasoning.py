"""Reasoning that a model wrote into its final text, between tags of its own: never part of the answer."""

import re

# The tags of known model families. The last two are tokens that no program holds: they count wherever they stand.
_TAG = re.compile(
    r"</?(?:seed:)?(?:[Tt]hink(?:ing)?|[Tt]hought|[Rr]easoning)>|\[/?THINK\]"
    r"|(?P<token>◁/?think▷|<\|(?:begin|end)_of_thought\|>|<\|channel\|>(?:analysis|commentary|final)<\|message\|>)"
)
_CLOSING = ("</", "[/", "◁/", "<|end", "<|channel|>final")
_REST_OF_LINE = re.compile(r"[^\S\n]*+(?:\n|\Z)")


def without_reasoning(text: str) -> str:
    """The parts of a text that are no reasoning, joined.

    A tag counts where it begins or ends its line, so that a program may print one; inside reasoning any closing tag
    counts. One that closes what was never opened makes reasoning of everything before it, since some servers send no
    opening tag. Reasoning that is never closed runs to the end. Linear in `len(text)`; never raises.
    """
    kept: list[str] = []
    start, inside, seen = 0, False, 0  # of the part that is being read; the end of the tag before
    for tag in _TAG.finditer(text):
        closes = tag[0].startswith(_CLOSING)
        counts = closes if inside else tag["token"] or _begins_or_ends_a_line(text, seen, tag)
        seen = tag.end()
        if not counts:
            continue
        if not closes:
            kept.append(text[start : tag.start()])
        elif not inside:
            kept.clear()
        start, inside = tag.end(), not closes
    return "".join(kept) if inside else "".join((*kept, text[start:]))


def _begins_or_ends_a_line(text: str, seen: int, tag: re.Match[str]) -> bool:
    """`seen` is where the tag before this one ended: nothing is looked at twice."""
    newline = text.rfind("\n", seen, tag.start())
    is_first = newline >= 0 or seen == 0  # of its line
    if is_first and not text[newline + 1 : tag.start()].strip():
        return True
    return _REST_OF_LINE.match(text, tag.end()) is not None
