"""Syntax of unfenced programs by language: their first lines, what they must hold, and their last lines."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProgramForm:
    """Patterns of lines that begin a program, of what it must hold, of lines that may end it, and of its comments.

    `signs` match only the start of a program; `begins` may also match an example's arguments or a line of prose.
    """

    signs: re.Pattern[str]
    begins: re.Pattern[str]
    holds: re.Pattern[str]
    ends: re.Pattern[str]
    comment: re.Pattern[str]


def _form(
    *signs: str, holds: tuple[str, ...], begins: tuple[str, ...] = (), ends: str = "[;}]", comment: str = r"//|/\*|\*"
) -> ProgramForm:
    return ProgramForm(
        re.compile(rf"^(?:{'|'.join(signs)})", re.MULTILINE),
        re.compile(rf"^(?:{'|'.join((*signs, *begins))})", re.MULTILINE),
        re.compile("|".join(holds), re.MULTILINE),
        re.compile(rf"^[^\n]*(?:{ends})[ \t]*+(?://[^\n]*|#[^\n]*)?$", re.MULTILINE),
        re.compile(rf"[ \t]*+(?:{comment}|$)"),
    )


_HEAD_OF_FUNCTION = r"\)[^;{}()\n]{0,100}+\s*+\{"
_C_TYPES = (
    r"(?:unsigned|signed|long|short|int|void|auto|bool|char|double|float|size_t|u?int\d+_t|ll|i64|u64"
    r"|(?:std::)?(?:vector|string|pair|map|set)\b)"
)
_C_SIGNS = (
    r"# *(?:include|define|pragma|if|ifdef|ifndef|undef)\b",
    r"using +(?:namespace\b|\w+ *=|std::)",
    r"namespace\b.*\{",
    r"template *<",
    r"typedef ",
    r"main *\(",
    r"(?:struct|class|enum|union)\b[\w ]{0,80}(?:[:{]|$)",
    r"(?:static|inline|const|constexpr|extern) .*[;{(=]",
    rf"{_C_TYPES}\b.*[;{{(=]",
)
_C = _form(*_C_SIGNS, holds=(r"\bmain\b", _HEAD_OF_FUNCTION))
_ACCESS = r"(?:public|private|protected|internal|final|abstract|static|sealed|partial|strictfp|unsafe|async)"
_TYPE_SIGNS = (
    rf"{_ACCESS} .*[;{{(]",
    rf"{_ACCESS} +(?:class|struct)\b",
    r"(?:class|interface|enum|record|struct) +\w+[\w<>, ?]{0,80}(?:[({:]|$|(?:extends|implements|permits)\b)",
)
_SCRIPT_SIGNS = (
    r"['\"]use strict['\"]",
    r"(?:const|let|var) +(?:[\w$]+ *(?:[=;:].*|$)|[{\[])",
    r"(?:async +)?function\b[ *]*[\w$]* *\(",
    r"class +[\w$]+(?: extends [\w$.]+)? *\{",
    r"import .*['\"]",
    r"(?:require\(|process\.|console\.|module\.exports)",
    r"\(?(?:async *)?(?:function *\(|\([\w$, ]*\) *=>)",
    r"(?:for|while|if) *\(",
    "#!",
)
_SCRIPT_HOLDS = (r"\b(?:console|process)\.", r"\bfunction\b", "=>", r"\bclass ")
_SCRIPT_ENDS = r"[;})]"
_KOTLIN_WORDS = (
    r"(?:(?:private|internal|public|data|sealed|open|abstract|inline|tailrec|suspend|operator|infix|const|lateinit"
    r"|override) +)*"
)
_SCALA_WORDS = r"(?:(?:private|final|sealed|abstract|case|implicit) +)*"
_JVM_IMPORT = r"(?:import|package) +[\w.]+(?:\.[*_{].*)?(?: as \w+)?;? *$"

FORMS: Mapping[str, ProgramForm] = {
    "python": _form(
        r"(?:from +[.\w]+ +)?import +[\w.*(][\w.,* ]{0,200}(?:\(.*|#.*)?$",
        r"(?:async +)?def +\w+",
        r"class +\w+.*:",
        r"@\w",
        r"(?:for|while|if|with|try)\b.*:",
        r"(?:print|input)\(",
        "#!",
        begins=(r"[A-Za-z_][\w., \[\]]{0,80}(?::[^=\n]{1,80})?[-+*/|&]?=(?!=)", r"[A-Za-z_][\w.]*\("),
        holds=(r"^[ \t]*(?:def|class) ", r"\b(?:print|input|write|open)\("),
        comment="#",
    ),
    "c": _C,
    "cpp": _C,
    "java": _form(
        r"import +(?:static +)?[\w.]+(?:\.\*)?;",
        r"package +[\w.]+;",
        *_TYPE_SIGNS,
        r"@\w",
        holds=(r"\b(?:class|interface|enum|record) +\w", _HEAD_OF_FUNCTION),
    ),
    "csharp": _form(
        r"using +(?:static +)?[\w.]+(?: *=.*)?;",
        r"namespace +[\w.]+",
        r"\[\w+(?:\(.*\))?\]$",
        *_TYPE_SIGNS,
        r"(?:var|int|long|string) +\w+ *=",
        r"Console\.",
        holds=(r"\b(?:class|struct|record) +\w", r"\bConsole\.", _HEAD_OF_FUNCTION),
    ),
    "go": _form(
        r"package +\w+ *$",
        r"import *[(\"]",
        r"func +[\w(]",
        r"type +\w+ ",
        r"(?:var|const) +[\w(]",
        holds=(r"\bfunc ",),
        ends="[})]",
    ),
    "rust": _form(
        r"use +[\w:{}*, ]+;? *$",
        r"#!?\[",
        r"(?:pub(?:\([^)\n]*\))? +)?(?:unsafe +|async +|const +)*fn +\w",
        r"(?:pub +)?(?:struct|enum|trait|mod|type) +\w+.*[{;(]",
        r"impl\b.*\{",
        r"(?:const|static) +\w+ *:",
        r"macro_rules!",
        r"extern +crate",
        holds=(r"\bfn +\w",),
    ),
    "kotlin": _form(
        _JVM_IMPORT,
        rf"{_KOTLIN_WORDS}fun +[\w.<(]",
        rf"{_KOTLIN_WORDS}(?:class|object|interface|enum class) +\w+.*[{{(:]",
        rf"{_KOTLIN_WORDS}va[lr] +[\w(].*=",
        r"typealias ",
        r"@\w",
        holds=(r"\bfun +[\w<]",),
        ends="}",
    ),
    "scala": _form(
        _JVM_IMPORT,
        rf"{_SCALA_WORDS}(?:object|class|trait) +\w+.*(?:[{{(:]|extends\b)",
        rf"{_SCALA_WORDS}object +\w+ *$",
        rf"{_SCALA_WORDS}def +\w+",
        rf"{_SCALA_WORDS}va[lr] +[\w(].*=",
        r"@main\b",
        holds=(r"\b(?:object|def|class) +\w",),
        ends="}",
    ),
    "javascript": _form(*_SCRIPT_SIGNS, holds=_SCRIPT_HOLDS, ends=_SCRIPT_ENDS),
    "typescript": _form(
        *_SCRIPT_SIGNS,
        r"(?:export +)?(?:interface +\w+.*\{|type +\w+.*=|(?:const +)?enum |abstract class )",
        r"(?:declare|export) ",
        holds=_SCRIPT_HOLDS,
        ends=_SCRIPT_ENDS,
    ),
    "ruby": _form(
        r"require(?:_relative)?[ (]+['\"]",
        r"def +\w",
        r"(?:class|module) +[A-Z]\w* *(?:<.*|$)",
        "#!",
        r"(?:puts|print|p|gets)(?: +['\"\w\[(:$*].*|\(.*|\..*|$)",
        r"[a-z_.]+\.(?:times|each|map|upto)\b",
        r"(?:\$std(?:in|out)|STDIN|STDOUT|ARGF|ARGV|=begin)",
        begins=(r"[A-Za-z_@$][\w, *]{0,80}(?:\+|-|\*|\|\|)?=(?![=~>])",),
        holds=(r"\b(?:puts|print|gets|def|STDIN|ARGF|STDOUT)\b", r"\$std", r"\$<", "^p[ (]"),
        ends=r"\bend",
        comment="#",
    ),
    "php": _form(r"<\?(?:php\b|=)", holds=(r"<\?",), ends=r"[;}]|\?>", comment=r"//|/\*|\*|#"),
}
