"""Flags of an AtCoder statement, by the phrases it uses.

The site marks none of this. A flag keeps a problem from exact comparison until a checker decides, so the rules match
too much rather than too little.
"""

import re
from collections.abc import Iterable
from typing import Final

from bs4 import Tag

_ONE_OF: Final = r"(?:multiple|more than one|several|many|two or more)"
_SUCH: Final = r"(?:one such|one of (?:them|these|those)|an (?:example|instance))\b"
_ONE: Final = r"(?:1|１|一|ひと)\s?つ"
_RULES: Final = {
    "interactive": re.compile(
        r"\binteractive(?:ly)?\b|\breactive (?:problem|task)|\binteracts? with (?:the|a) (?:judge|program|system)"
        r"|インタラクティブ|リアクティブ|対話(?:的|形式|型)",
        re.IGNORECASE,
    ),
    "multiple_answers": re.compile(
        rf"\b(?:if|when|in case)\b[^.。]{{0,60}}\b{_ONE_OF}\b[^.。]{{0,160}}?\bany\b"
        r"|\bany (?:one )?of (?:them|these|those)\b"
        r"|\b(?:print|output|find|report|display|show|give|construct|provide|return) any\b"
        r"|\bany (?:valid |correct |possible |such )?(?:answer|solution|output|one)s?[^.。]{0,60}?\baccepted"
        rf"|\b(?:construct|print|output|find|provide|report) {_SUCH}"
        # figures "show" examples and numbers are "given" in many statements
        rf"|(?:[,.:;]|\b(?:then|or|please)) (?:show|give) {_SUCH}"
        r"|\b(?:print|output)(?:t?ed)? (?:\S{1,40} ){0,6}in (?:any|arbitrary) order\b"
        r"|(?:どれ|いずれ|どちら)(?:か)?(?:の)?(?:1|１|一|ひと)?(?:つ|通り|個)?(?:のみ|だけ)?を(?:1 ?つ|一つ)?"
        r"(?:出力|答え|印字|表示|求め|構成)"
        r"|複数(?:ある|存在|考えられ|個ある|通りある)[^。]{0,60}(?:どれ|いずれ|どの|任意|何)"
        r"|(?:どの|どれ|いずれ|どのような|任意の)[^。]{0,30}(?:を出力しても|でも(?:よい|良い|構わない|正解))"
        # after a comma "one" is one of several; without it there may be only one to print
        rf"|を、\s?{_ONE}(?:だけ)?(?:を)?(?:出力|構成|求め|答え|表示|印字|示)"
        rf"|(?:満たす|ような|可能な|正しい)[^。]{{0,60}}を\s?{_ONE}(?:だけ)?(?:出力|構成|求め|示)"
        rf"|(?<!力)例を\s?(?:{_ONE})?(?:出力|構成|求め|答え|示せ|示して(?:ください|下さい)|挙げ(?:よ|て(?:ください|下さい)))"
        r"|出力[^。]{0,20}順(?:番|序)は(?:問|任意|自由|どの)|(?:どの(?:ような)?|任意の|好きな)順(?:番|序)で(?:出力|表示|印字)",
        re.IGNORECASE,
    ),
    "float_tolerance": re.compile(
        r"\b(?:absolute|relative)(?: or (?:absolute|relative))? error"
        r"|\berror (?:of|is|must be|should be) (?:at most|less|within)|\bwithin an? (?:absolute|relative|error)"
        r"|絶対誤差|相対誤差|許容誤差|誤差(?:が|は|を)",
        re.IGNORECASE,
    ),
    "file_io": re.compile(
        r"\b(?:input|output)\.txt\b"
        r"|\b(?:read|write|written|given)[^.。]{0,20} (?:from|to|in|into) (?:the |a )?file\b|ファイル(?:から|に)",
        re.IGNORECASE,
    ),
    "communication": re.compile(r"\bcommunication (?:task|problem)|通信課題|通信型", re.IGNORECASE),
    "output_only": re.compile(r"\boutput[- ]only\b|出力のみの課題|アウトプットオンリー", re.IGNORECASE),
}
# Other outputs that are right too; if an error is allowed, they only differ by that error.
_ALSO_ACCEPTED: Final = re.compile(
    r"\balso (?:be )?(?:accepted|considered correct|correct\b|(?:a )?(?:valid|correct) (?:answer|output|solution))"
    r"|も(?:また)?(?:正解(?:です|である|と(?:し|な|み)|に(?:な|し)|。)|正しい(?:出力|答え|解答))",
    re.IGNORECASE,
)


def flags_of(texts: Iterable[str], statement: Tag) -> tuple[str, ...]:
    """Return the flags of a statement in any of its languages, in a fixed order."""
    everything = list(texts)
    names = {flag for flag, rule in _RULES.items() if any(rule.search(text) for text in everything)}
    if "float_tolerance" not in names and any(_ALSO_ACCEPTED.search(text) for text in everything):
        names.add("multiple_answers")
    flags = [flag for flag in _RULES if flag in names]
    if statement.find("img") is not None:
        flags.append("image")
    return tuple(flags)
