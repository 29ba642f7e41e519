"""What the fake LeetCode says otherwise in its Chinese edition: titles, translations, and facts it leaves out."""

from collections.abc import Mapping
from typing import Any

from fakes.world import FakeContest, FakeProblem, Text

LABELS = ("示例", "：", "输入", "输出", "提示")

_ASKS = {
    "Count": "重量不小于 $K$ 的物品的件数",
    "Sum": "重量小于 $K$ 的物品的重量之和",
    "Longest": "重量都不超过 $K$ 的最长一段相邻物品的长度",
    "Pairs": "重量之和等于 $K$ 的物品对数",
    "Residues": "各重量除以 $K$ 所得的不同余数的个数",
    "Nearest": "物品重量与 $K$ 之差的最小值",
}


def text(problem: FakeProblem) -> Text:
    """The statement in Chinese."""
    ask = _ASKS[problem.title.partition(" ")[0]]
    story = ("诺艾尔有 $N$ 件物品，其中第 $i$ 件的重量是 $A_i$。", f"请求出{ask}。")
    return Text(story, problem.statements["en"].constraints, "", "")


def title(contest: FakeContest) -> str:
    """The contest's title in Chinese."""
    series = "双周赛" if contest.kind == "biweekly" else "周赛"
    return f"第 {contest.external_id.rpartition('-')[2]} 场{series}"


def info(contest: FakeContest, made: Mapping[str, Any]) -> dict[str, Any]:
    """The contest API's answer: titles in Chinese, those of problems in English beside them, no duration."""
    facts = {name: each for name, each in made["contest"].items() if name != "duration"} | {"title": title(contest)}
    questions = [row | {"english_title": row["title"], "title": f"{row['id']} 号题"} for row in made["questions"]]
    return {"contest": facts, "questions": questions, "user_num": made["user_num"]}
