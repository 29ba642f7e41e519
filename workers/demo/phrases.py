"""The demo models' phrases, by locale, and the token count of a text."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.problems import Statement


@dataclass(frozen=True, slots=True)
class DemoPhrases:
    """Phrases before and after a program (in pairs), in place of one, and in thoughts.

    `value` gives a value in running text, `no_value` replaces one, `steps` precedes one. `draft` is the text before and
    after a first program that is not meant.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    no_code: str
    unknown: str
    thoughts: tuple[str, ...]
    value: str
    no_value: str
    steps: str
    draft: tuple[str, str]


WORDS: Mapping[str, DemoPhrases] = {
    "en": DemoPhrases(
        before=(
            "Let me restate **{title}** in my own words, then give the program.\n\nThe limits decide the approach: "
            "going over everything once, or keeping things sorted, is fast enough; comparing all pairs is not.",
            "Here is my solution for **{title}**. The idea is to keep just enough state while the input is read, so "
            "that every step is answered at once.",
            "For **{title}** I first worked through the examples by hand and then wrote down the rule they follow.",
        ),
        after=(
            "It reproduces the examples, and the running time is well within the limits.",
            "The corner cases I checked by hand are the smallest input and repeated values.",
            "If anything about the output format needs to change, tell me and I will adapt it.",
        ),
        no_code=(
            "This is an interesting problem. I would begin by sorting the input and then go through it once, keeping "
            "the best value seen so far. Be careful with ties and with the smallest inputs. The details depend on the "
            "language, so I leave the implementation to you."
        ),
        unknown="I am a demo model and know only the problems of the house league; this is none of them.",
        thoughts=(
            "First the statement again, slowly: {line}",
            "What does that mean for the smallest input? Nothing special seems needed, but let me keep it in mind.",
            "A straightforward way would be to try everything; with these limits that may be too slow.",
            "So the question is which order to go through the input in, and what has to be remembered on the way.",
            "Let me take the first example and follow the rule step by step. That agrees with the expected output.",
            "And ties? The statement is explicit here: {line}",
            "I think the plan holds. Let me also look at the far ends of the constraints before writing it down.",
        ),
        value="I get {value}.",
        no_value="I would have to run this to be sure, so I give no value.",
        steps="1. I write down the arguments.\n2. I follow the code line by line, keeping every variable in view.",
        draft=(
            "A first attempt, written down quickly:",
            "Going through it again, I see that this fails in a corner case. So here is the whole solution once more.",
        ),
    ),
    "zh": DemoPhrases(
        before=(
            "先用自己的话复述一下**{title}**，再给出程序。\n\n数据范围决定了做法：扫描一遍或保持有序就足够快，逐对比较则太慢。",
            "下面是我对**{title}**的解法。思路是在读入时只保留必要的状态，每一步都能立刻得到结果。",
            "对于**{title}**，我先手算了示例，再把其中的规律写成程序。",
        ),
        after=(
            "程序的结果与示例一致，运行时间也远在限制之内。",
            "我手工检查过的边界情况包括最小的输入和重复的值。",
            "如果输出格式需要调整，请告诉我。",
        ),
        no_code="这道题很有意思。我会先把输入排序，然后扫描一遍，记录当前最优值。要注意并列的情况和最小的输入。具体实现取决于语言，留给你完成。",
        unknown="我是演示模型，只认识自建题库的题目；这道题不在其中。",
        thoughts=(
            "先慢慢重读题目：{line}",
            "最小的输入会怎样？看起来不需要特殊处理，但先记下来。",
            "直接的办法是逐一尝试；按照这个数据范围可能太慢。",
            "所以关键在于按什么顺序处理输入，以及途中要记住什么。",
            "拿第一个示例一步一步走一遍，结果与期望的输出一致。",
            "并列的情况呢？题目写得很清楚：{line}",
            "我认为这个办法可行。动手之前再看看约束的两端。",
        ),
        value="我得到的结果是 {value}。",
        no_value="不实际运行我无法确定，因此不给出结果。",
        steps="1. 写下各个参数。\n2. 逐行执行代码，留意每个变量的值。",
        draft=("先快速写一个初稿：", "再检查一遍，发现它在边界情况下会出错，因此重新给出完整的解法。"),
    ),
}


def thoughts(statement: Statement, length: int, start: float) -> str:
    """Return about `length` tokens of thinking aloud over a statement, beginning at `start`, from 0 to 1."""
    lines = [line.strip("-# ") for line in statement.text.splitlines() if len(line) > 8]
    phrases = WORDS[statement.locale].thoughts
    sentences: list[str] = []
    count, turn = 0, int(start * len(lines))
    while count < length:
        sentences.append(phrases[len(sentences) % len(phrases)].format(line=lines[turn % len(lines)]))
        count += tokens(sentences[-1])
        turn += 1
    return "\n\n".join(sentences)


def tokens(text: str) -> int:
    """Return a text's approximate number of tokens: four ASCII characters each, one of any other script."""
    plain = len(text.encode("ascii", "ignore"))
    return (plain + 3) // 4 + len(text) - plain
