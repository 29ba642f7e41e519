"""Flags of a Codeforces statement, by the phrases it uses in English and Russian.

The site marks only interaction. A flag keeps a problem from exact comparison until a checker decides, so the rules
match too much rather than too little. Each rule looks at one sentence.
"""

import re
from collections.abc import Iterator
from typing import Final

_MAX_SENTENCE_CHARS: Final = 1500
_MAX_CHARS: Final = 60_000  # of all: no statement is longer, and the rules are slow
_PRINT: Final = r"(?:print|output|report|display|write|show|give|find|construct|provide|return|present|list)"
_PRINT_RU: Final = r"(?:вывести|выведите|выводите|выводить|напечата\w+|найдите|найти|укажите|указать|предъяв\w+)"
_ANY_RU: Final = r"(?:люб(?:ой|ую|ое|ые|ых|ого)|произвольн\w+)"
_SEVERAL: Final = r"(?:multiple|more than one|several|many|two or more|various)"
_ANSWERS: Final = (
    r"(?:answers?|solutions?|outputs?|ones?|sequences?|permutations?|arrays?|ways?|variants?|constructions?)"
)

_RULES: Final = {
    "interactive": re.compile(
        r"(?<!not an )\binteractive (?:problem|task)|\binteracts? with (?:the|a) (?:judge|program|system|interactor)"
        r"|интерактивн\w+ (?:задач|проблем)",
        re.IGNORECASE,
    ),
    "multiple_answers": re.compile(
        rf"\b(?:if|when|in case|since)\b.{{0,200}}?\b{_SEVERAL}\b.{{0,200}}?"
        r"\b(?:any|either|arbitrary)\b(?! (?:two|other|time|moment|pairs?|number|position|cell|direction|vert)\b)"
        rf"|\b{_PRINT} (?:out )?(?:any|an arbitrary)\b(?! letter| character)"
        r"|\bany (?:one )?of (?:them|these|those)\b(?=.{0,60}?\b(?:accept|correct|print|output|allowed|fine))"
        rf"|\b{_PRINT}\b.{{0,60}}?\bany (?:one )?of (?:them|these|those|the)\b"
        rf"|\bany (?:\w+ ){{0,2}}{_ANSWERS}\b.{{0,80}}?\b(?:accepted|acceptable|allowed|considered correct|is correct)"
        rf"|\b{_PRINT}\b.{{0,120}}?\bin (?:any|arbitrary) order\b"
        r"|\b(?:may|can|could|must|should) be (?:printed|output|written|shown|displayed|reported)\b.{0,60}?"
        r"\bin (?:any|arbitrary) order\b"
        rf"|\b{_PRINT} (?:out )?one of (?:the |these |those |all )?(?:\w+ ){{0,2}}{_ANSWERS}\b"
        r"|\b(?:print|output|report|display) (?:out )?one of (?:them|these|those)\b"
        r"|\bпорядок (?:вывода|печати)\b.{0,60}?(?:не ?важен|не имеет значения|произвольн|люб|не ?существен)"
        rf"|{_PRINT_RU} (?:\S+ ){{0,3}}?(?:{_ANY_RU}|один из|одну из|одно из)\b"
        rf"|{_PRINT_RU}\b.{{0,120}}?\bв (?:любом|произвольном) порядке"
        rf"|\bесли\b.{{0,200}}?\b(?:несколько|много|неоднозначн\w+|более одн\w+)\b.{{0,200}}?\b{_ANY_RU}\b"
        r"|\bлюб(?:ой|ое|ая) (?:\S+ ){0,2}(?:ответ|вариант|решени)\S*.{0,80}?(?:принят|засчита|считат|верн|правильн)",
        re.IGNORECASE,
    ),
    "float_tolerance": re.compile(
        r"\b(?:absolute|relative)\b.{0,40}?\berror"
        r"|\berror\b.{0,60}?\b(?:not exceed|at most|less than|no more than|within)\b"
        r"|\b(?:precision|accuracy)\b.{0,60}?(?:10|1e-|0\.0|digits|decimal|places)"
        r"|\bat least \S{1,12} (?:digits|decimal (?:digits|places))"
        r"|погрешност|с точностью|точност\w+ .{0,40}?(?:10|знак)|ошибк\w+ .{0,60}?не (?:превосход|превыша|бол)",
        re.IGNORECASE,
    ),
    "communication": re.compile(r"\brun-twice\b|\bcommunication (?:problem|task)\b", re.IGNORECASE),
}
FLAGS: Final = (*_RULES, "file_io", "image")  # the order of flags in records


def flags_of(text: str) -> frozenset[str]:
    """Return the flags of a statement (Markdown) by its phrases, examples excluded."""
    flags: set[str] = set()
    for sentence in _sentences(text):
        flags.update(flag for flag, rule in _RULES.items() if flag not in flags and rule.search(sentence))
    return frozenset(flags)


def _sentences(text: str) -> Iterator[str]:
    fence = ""
    left = _MAX_CHARS
    for line in text.split("\n"):
        if re.fullmatch(r"\s*`{3,}", line):
            mark = line.strip()
            fence = "" if fence == mark else fence or mark
        elif not fence and left > 0:
            left -= len(line)
            for sentence in re.split(r"(?<=[.!?;])\s", line.replace("*", "").replace("`", "")):
                yield sentence[:_MAX_SENTENCE_CHARS]
