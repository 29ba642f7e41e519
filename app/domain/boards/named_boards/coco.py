"""coco: code understood both ways, written, repaired and reviewed (CoCo-Bench, arXiv 2504.20673, Table 2, appendix C).

CoCo-Score is shown in the paper's two readings: the weights that all rows of its table follow, over the tasks' scores,
and its text, which weighs each task's DAPR by the task's number of samples.
"""

from collections.abc import Callable, Mapping
from typing import Final

from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import (
    BoardColumn,
    Grouping,
    GroupingFacts,
    NamedBoard,
    PartScores,
    ScorePart,
    score_of,
)
from app.domain.composites import CocoMode, coco_score
from app.domain.problems import ProblemFact

# By the paper's name of each task: its protocol, its description in two languages, and its column's title.
_TASKS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "CU_F": ("coco-cu-forward", "the output of code for an input", "由代码和输入推出输出", "CU F"),
    "CU_R": ("coco-cu-reverse", "an input of code for an output", "由代码和输出推出输入", "CU R"),
    "CG": ("coco-cg", "code completed by its description", "按描述补全代码", "CG"),
    "CM": ("coco-cm", "a bug mended", "修复缺陷", "CM"),
    "CR": ("coco-cr", "faults found in a review", "审查代码中的问题", "CR"),
}
_CM_ERROR, _CM_API = "coco-cm-error", "coco-cm-api"
_SLUGS: Final = (*(slug for slug, *_words in _TASKS.values()), _CM_ERROR, _CM_API)
_HOUSE: Final = "house-"  # before the slugs of the house league's protocols
_SAME_PROTOCOL: Final = {slug: slug for own in _SLUGS for slug in (own, _HOUSE + own)}
_LANGUAGES: Final = {"python": "Python", "java": "Java", "cpp": "C++", "sql": "SQL"}
# By the characters of an item's description and code.
_MAX_CHARS_BY_LENGTH: Final = {"0-400": 400, "401-600": 600, "601-900": 900, "901-1500": 1500}
_LONGEST_NAME: Final = "1501+"


def _coco_score_of(suffix: str, mode: CocoMode) -> Callable[[BoardRow, PartScores], float | None]:
    """Return the source of CoCo-Score over the five parts with this suffix; its value is None if one is missing."""

    def of(_row: BoardRow, parts: PartScores) -> float | None:
        scores = {task: score for task in _TASKS if (score := parts[f"{task}{suffix}"]) is not None}
        return coco_score(scores, mode) if len(scores) == len(_TASKS) else None

    return of


def _task_column(task: str) -> BoardColumn:
    _slug, english, chinese, head = _TASKS[task]
    return BoardColumn(
        task.lower(),
        {"en": head, "zh": head},
        {"en": f"The same model's score in the task: {english}.", "zh": f"同一模型在该任务中的得分：{chinese}。"},
        score_of(task),
    )


def _by_length(_problem: ProblemFact, about: GroupingFacts) -> str | None:
    """Return the group of a problem by the characters of its description and code."""
    length = about.characters
    return (
        None
        if length is None
        else next((name for name, most in _MAX_CHARS_BY_LENGTH.items() if length <= most), _LONGEST_NAME)
    )


def _protocols_beside(slug: str) -> Mapping[str, str]:
    """Return the protocol `slug` of the set, or of the house league, beside each protocol of the same origin."""
    return {before + shown: before + slug for before in ("", _HOUSE) for shown in _SLUGS}


BOARD = NamedBoard(
    "coco",
    "coco_completion",
    _HOUSE + "coco-cg",
    {"en": "CoCo-Bench", "zh": "CoCo-Bench 题集"},
    also=("coco_forward", "coco_reverse", "coco_bug_fix", "coco_review"),
    parts=(
        *(ScorePart(task, _protocols_beside(slug)) for task, (slug, *_words) in _TASKS.items()),
        *(
            ScorePart(f"{task} adjusted", _protocols_beside(slug), adjusted=True)
            for task, (slug, *_words) in _TASKS.items()
        ),
        ScorePart("CM told", _protocols_beside(_CM_ERROR)),
        ScorePart("CM API", _protocols_beside(_CM_API)),
        ScorePart("dapr", _SAME_PROTOCOL, adjusted=True),
        *(ScorePart(language, _SAME_PROTOCOL, tag=language) for language in _LANGUAGES),
    ),
    columns=(
        *map(_task_column, _TASKS),
        BoardColumn(
            "cm_error",
            {"en": "CM told", "zh": "CM 附错误"},
            {
                "en": "The same model's score where it is told how the code with the bug fails.",
                "zh": "告知带缺陷代码如何出错时，同一模型的得分。",
            },
            score_of("CM told"),
        ),
        BoardColumn(
            "cm_api",
            {"en": "CM API", "zh": "CM API 更新"},
            {
                "en": "The same model's score where code is updated for an API that changed.",
                "zh": "按已变更的 API 更新代码时，同一模型的得分。",
            },
            score_of("CM API"),
        ),
        BoardColumn(
            "coco_score",
            {"en": "CoCo-Score", "zh": "CoCo-Score"},
            {
                "en": "The five tasks' scores with the weights of the published table. It is missing where one is.",
                "zh": "五个任务的得分按已发表表格的权重加权。缺少任一任务时不给出。",
            },
            _coco_score_of("", CocoMode.FIVE_TASK),
        ),
        BoardColumn(
            "coco_n_weighted",
            {"en": "by numbers", "zh": "按题数"},
            {
                "en": "CoCo-Score by the paper's text: the tasks' DAPR, weighted by their numbers of samples.",
                "zh": "按论文正文计算的 CoCo-Score：各任务的 DAPR 按样本数加权。",
            },
            _coco_score_of(" adjusted", CocoMode.N_WEIGHTED),
            by_ease=True,
        ),
        BoardColumn(
            "dapr",
            {"en": "DAPR", "zh": "DAPR"},
            {
                "en": "The pass rate in the task shown, each problem weighing 1 / its ease, where that is known.",
                "zh": "所示任务的通过率，每题权重为其易度的倒数，仅计有易度的题目。",
            },
            score_of("dapr"),
            by_ease=True,
        ),
        *(
            BoardColumn(
                language,
                {"en": name, "zh": name},
                {
                    "en": f"The score on the items of the task shown that are in {name}.",
                    "zh": f"所示任务中 {name} 题目的得分。",
                },
                score_of(language),
            )
            for language, name in _LANGUAGES.items()
        ),
    ),
    groupings=(
        Grouping(
            "context",
            {"en": "By length of context", "zh": "按上下文长度"},
            {
                "en": "By the characters of an item’s description and code. Choose models to see versions of one side "
                "by side.",
                "zh": "按题目描述与代码的总字符数划分。选择若干模型即可并列比较同一系列的不同版本。",
            },
            _by_length,
            names=(*_MAX_CHARS_BY_LENGTH, _LONGEST_NAME),
            ks=(1,),
            by_text=True,
        ),
        Grouping(
            "language",
            {"en": "By language", "zh": "按语言"},
            {"en": "By the language of the item’s code.", "zh": "按题目代码所用的语言。"},
            lambda _problem, about: next((name for tag, name in _LANGUAGES.items() if tag in about.tags), None),
            names=tuple(_LANGUAGES.values()),
            ks=(1,),
        ),
    ),
    families={
        f"{before}coco": {task.lower(): before + slug for task, (slug, *_words) in _TASKS.items()}
        for before in (_HOUSE, "")
    },
    place=8,
)
