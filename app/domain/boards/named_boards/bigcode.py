"""bigcode: tasks over many libraries, asked in two styles (Zhuo et al., BigCodeBench, ICLR 2025, section 3)."""

from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import (
    BoardColumn,
    Grouping,
    NamedBoard,
    PartScores,
    ScoreMark,
    ScorePart,
    gap,
    score_of,
)
from app.domain.boards.named_boards._domains import DOMAINS, domains_of
from app.domain.boards.named_boards._size import SIZE
from app.domain.scenarios.completion import PUBLISHED


def _beside_rate(row: BoardRow, _parts: PartScores) -> float | None:
    rate = row.usage.beside_rate
    return None if rate is None else 100 * rate


BOARD = NamedBoard(
    "bigcode",
    "completion",
    "house-bcb-complete",
    {"en": "BigCodeBench", "zh": "BigCodeBench 题集"},
    parts=(
        ScorePart(
            "instruct",
            {
                "bcb-complete": "bcb-instruct",
                "bcb-complete-uncalibrated": "bcb-instruct-uncalibrated",
                "house-bcb-complete": "house-bcb-instruct",
                **{PUBLISHED[subset, "complete"].slug: PUBLISHED[subset, "instruct"].slug for subset, _ in PUBLISHED},
            },
        ),
        ScorePart(
            "uncalibrated",
            {f"bcb-{style}": f"bcb-{style}-uncalibrated" for style in ("complete", "instruct")},
        ),
    ),
    columns=(
        SIZE,
        BoardColumn(
            "instruct",
            {"en": "instruct", "zh": "指令式"},
            {
                "en": "The same model's score where the task is told in a short instruction instead of a docstring.",
                "zh": "题目改用简短指令（而非文档字符串）叙述时，同一模型的得分。",
            },
            score_of("instruct"),
        ),
        BoardColumn(
            "gap",
            {"en": "gap", "zh": "差距"},
            {
                "en": "The score minus that for instructions, in points, over the problems judged for both.",
                "zh": "得分减去指令式得分（分），只计两者都已评测的题目。",
            },
            gap(None, "instruct"),
        ),
        BoardColumn(
            "uncalibrated",
            {"en": "uncalibrated", "zh": "未校准"},
            {
                "en": "The same model's score where the task's imports do not stand before its programs.",
                "zh": "程序前不补上题目的导入语句时，同一模型的得分。",
            },
            score_of("uncalibrated"),
        ),
        BoardColumn(
            "beside",
            {"en": "beside tests", "zh": "同进程测试"},
            {
                "en": "The share of all its answers for which some tests had to run beside the program, watched from "
                "outside. Each of them counts, whichever way it ends.",
                "zh": "在其全部回答中，部分测试须与程序同进程运行（由外部监视）的比例；无论结果如何都计入。",
            },
            _beside_rate,
        ),
    ),
    groupings=(
        Grouping(
            "library",
            {"en": "By library", "zh": "按所用库"},
            {
                "en": "By the libraries that a task names; it may name several.",
                "zh": "按题目列出的库划分；一道题可列出多个库。",
            },
            lambda _problem, about: about.tags or None,
            ks=(1,),
        ),
        Grouping(
            "domain",
            {"en": "By domain", "zh": "按领域"},
            {
                "en": "By the domains of these libraries, as the authors of BigCodeBench have published them; a task "
                "may belong to several.",
                "zh": "按这些库所属的领域划分（领域由 BigCodeBench 作者公布）；一道题可属于多个领域。",
            },
            lambda _problem, about: domains_of(about.tags) or None,
            names=DOMAINS,
            ks=(1,),
        ),
    ),
    marks=(
        ScoreMark(
            "people",
            97.0,
            {
                "en": "97 %: what people solved of a sample of tasks, as its authors published it.",
                "zh": "97 %：据作者公布，人类在抽样题目上的正确率。",
            },
            ("bcb-complete", "bcb-instruct", "bcb-complete-published", "bcb-instruct-published"),
        ),
    ),
    place=6,
)
