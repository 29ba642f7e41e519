"""repair: a model's own failed program, sent back with the failure.

Once as in LiveCodeBench's self-repair, or up to four times, which is Refine@5 (ICPC-Eval, arXiv 2506.04894).
"""

from app.domain.asking.protocols import LCB, LCB_REPAIR
from app.domain.boards.named_boards import BoardColumn, NamedBoard, ScorePart, gap, score_of

# The protocols after one round, two and so on, by the plain protocol that they continue.
_REPAIR_PROTOCOLS = {
    "house": ("house-repair", "house-repair-2"),
    "fresh": ("fresh-repair", "fresh-repair-2", "fresh-repair-3", "fresh-repair-4"),
    LCB.slug: (LCB_REPAIR.slug,),
}
_PLAIN_AND_REPAIR = tuple((plain, shown) for plain, rounds in _REPAIR_PROTOCOLS.items() for shown in rounds)


def _protocols_after(rounds: int) -> dict[str, str]:
    """Return the protocol after this many rounds beside each shown one, if it exists."""
    return {
        shown: _REPAIR_PROTOCOLS[plain][rounds - 1]
        for plain, shown in _PLAIN_AND_REPAIR
        if rounds <= len(_REPAIR_PROTOCOLS[plain])
    }


def _refine_column(k: int) -> BoardColumn:
    return BoardColumn(
        f"refine_{k}",
        {"en": f"Refine@{k}", "zh": f"Refine@{k}"},
        {
            "en": f"The same model's score with at most {k} tries, each after the first told how the last one failed.",
            "zh": f"同一模型最多作答 {k} 次的得分，从第二次起会被告知上一次失败的情况。",
        },
        score_of(f"refine_{k}"),
    )


BOARD = NamedBoard(
    "repair",
    "self_repair",
    "house-repair",
    {"en": "Self-repair", "zh": "自我修复"},
    parts=(
        ScorePart("first", {shown: plain for plain, shown in _PLAIN_AND_REPAIR}),
        *(ScorePart(f"refine_{k}", _protocols_after(k - 1)) for k in range(2, 6)),
    ),
    columns=(
        BoardColumn(
            "first",
            {"en": "first try", "zh": "首次作答"},
            {"en": "The same model's score before it was told what failed.", "zh": "同一模型在获知错误之前的得分。"},
            score_of("first"),
        ),
        BoardColumn(
            "gain",
            {"en": "gain", "zh": "提升"},
            {
                "en": "The score minus that of the first try, in points, over the problems judged for both.",
                "zh": "得分减去首次作答得分（分），只计两者都已评测的题目。",
            },
            gap(None, "first"),
        ),
        *map(_refine_column, range(2, 6)),
    ),
    place=2,
)
