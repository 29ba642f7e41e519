"""Style tools: a program is run on the examples before it is judged, a few times, and its model is shown the results.

The first program is asked for as codegen, each further one as self_repair.
"""

from dataclasses import replace
from typing import Final

from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope

STYLE: Final = "tools"
RUNS: Final = 2  # programs that are run before the last one is judged
# Sets in this style: prefix of slugs, prefix of titles, the plain protocol, and the coverage. Of the house league only
# a fifth, because a fresh installation has to judge all of it.
TOOL_SETS: Final[tuple[tuple[str, str, Protocol, ProtocolScope], ...]] = (
    ("house", "House league, simulations", HOUSE, replace(HOUSE.covers, tags=("simulation",))),
    ("fresh", "Fresh contest problems", FRESH, FRESH.covers),
)
_NOTES: Final = {
    "en": (
        "Your program is run on the examples. As long as it fails one of them you are shown how and may write another; "
        "at most {runs} programs are run so. The last one you write is judged by tests that are not shown."
    ),
    "zh": (
        "你的程序会先在示例上运行。只要有示例没有通过，你就会看到失败的情况，并可以重写程序；"
        "最多这样运行 {runs} 个程序。你写的最后一个程序由未公开的测试评判。"
    ),
}


def tool_notes(style: str, locale: str) -> tuple[str, ...]:
    """Return the prompt's note on the runs; nothing in any other style."""
    return (_NOTES[locale].format(runs=RUNS),) if style == STYLE else ()
