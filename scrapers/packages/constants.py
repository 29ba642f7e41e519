"""Constants of a problem package, and the sequences such as {{maxn}} and {{maxn.tex}} that stand for them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scrapers.packages.archive import InvalidPackage

MAX_VALUE_CHARS: Final = 2000
MAX_ADDED_CHARS: Final = 4 << 20  # to one file
_BEFORE_CHARS: Final = 1000  # of a line before a sequence
_VALUE: Final = "value"
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_SEQUENCE: Final = re.compile(rf"\{{\{{(({_NAME})(?:\.{_NAME})?)\}}\}}")
_CODE_SPAN: Final = re.compile(r"`[^`\n]*`")
_SAMPLES: Final = re.compile(r"\{\{(?:nextsample|remainingsamples)\}\}")
_GROUPING: Final = re.compile(r"[_^}A-Za-z]\Z")  # what stands before double braces that are an argument in a formula


@dataclass(frozen=True, slots=True)
class Constants:
    """Texts of constants by name: `maxn` and `maxn.value`, and `maxn.VARIANT` for other spellings."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def fill(self, text: str, path: str) -> str:
        """Return a file's text with constants in place of their sequences; other braces stay."""
        if not self.texts:
            return text
        added = sum(len(self.texts.get(match[1], "")) for match in _SEQUENCE.finditer(text))
        if added > MAX_ADDED_CHARS:
            raise InvalidPackage(f"its constants have more than {MAX_ADDED_CHARS >> 20} Mi characters together", path)
        return _SEQUENCE.sub(lambda match: self.texts.get(match[1], match[0]), text)

    def fill_markdown(self, text: str, path: str) -> str:
        """Return a statement with its constants; sequences that place samples are dropped, as samples are shown after
        it.

        Raises InvalidPackage for an undefined constant. In code and as the argument of a formula (`x_{{i}}`) double
        braces mean something else.
        """
        text = _SAMPLES.sub("", text)
        fenced = False
        for number, line in enumerate(text.split("\n") if self.texts else (), 1):
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
            for name, before in () if fenced else self._undefined(_CODE_SPAN.sub("``", line)):
                if not _GROUPING.search(before):
                    raise InvalidPackage(f"the constant {name!r:.60} is not defined", path, number)
        return self.fill(text, path)

    def fill_settings(self, text: str, path: str) -> str:
        """Return settings with their constants. Raises InvalidPackage for an undefined one."""
        for number, line in enumerate(text.split("\n") if self.texts else (), 1):
            for name, _before in self._undefined(line.partition("#")[0]):
                raise InvalidPackage(f"the constant {name!r:.60} is not defined", path, number)
        return self.fill(text, path)

    def fill_program(self, source: str, path: str) -> str:
        """Return a program with its constants.

        Raises InvalidPackage for an undefined one if the braces can mean nothing else: they stand in no string, and the
        program uses the name nowhere else.
        """
        words: set[str] | None = None
        for number, line in enumerate(source.split("\n") if self.texts else (), 1):
            for name, before in self._undefined(line):
                if words is None:
                    words = set(re.findall(r"\w+", _SEQUENCE.sub(" ", source)))
                base = name.partition(".")[0]
                if base in self.texts or not (base in words or before.count('"') % 2 or before.count("'") % 2):
                    raise InvalidPackage(f"the constant {name!r:.60} is not defined", path, number)
        return self.fill(source, path)

    def _undefined(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield (name, text before it) of each sequence without a constant."""
        for match in _SEQUENCE.finditer(line):
            if match[1] not in self.texts:
                yield match[1], line[max(0, match.start() - _BEFORE_CHARS) : match.start()]


def read_constants(values: Mapping[Any, Any]) -> Constants:
    """Read the constants of settings: numbers and texts, or objects of a value and its variants, by name.

    Raises ValueError, naming the wrong one.
    """
    texts: dict[str, str] = {}
    for name, value in values.items():
        if not isinstance(name, str) or not re.fullmatch(_NAME, name):
            raise ValueError(f"the constant {name!r:.40} has no name of letters, digits and underscores")
        variants = value if isinstance(value, dict) else {_VALUE: value}
        if _VALUE not in variants:
            raise ValueError(f"the constant {name!r:.40} has no value")
        for variant, text in variants.items():
            if not isinstance(variant, str) or not re.fullmatch(_NAME, variant):
                raise ValueError(f"the constant {name!r:.40} has the variant {variant!r:.40}, which is no name")
            if not isinstance(text, str | int | float) or isinstance(text, bool) or len(str(text)) > MAX_VALUE_CHARS:
                raise ValueError(f"the constant {name!r:.40} must be a number or a text, not {text!r:.40}")
            texts[f"{name}.{variant}"] = str(text)
        texts[name] = texts[f"{name}.{_VALUE}"]
    return Constants(texts)
