"""Text that a page holds but does not show, by the inline style of its tag.

Sites plant such text for programs that copy a page: it would become part of the task that a model is set.
"""

import re
from collections.abc import Iterator
from typing import Final

_MOST: Final = 2000  # characters of a style that are read
_REMARK: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_IMPORTANT: Final = re.compile(r"!\s*important\s*$")
_LENGTH: Final = re.compile(r"(-?)\s*(\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})(?:e([+-]?\d{1,2}))?([a-z]{1,4}|%)?(?![\w.])")
# In pixels, about: a share of the page is one of a page 1000 pixels wide.
_PIXELS: Final = {
    "": 1, "px": 1, "em": 16, "rem": 16, "ex": 8, "ch": 8, "pt": 1.3, "pc": 16, "in": 96, "cm": 38, "mm": 3.8,
    "%": 10, "vw": 10, "vh": 10, "vmin": 10, "vmax": 10,
}  # fmt: skip
_FAR: Final = 1000
# What moves text up or to the left, or its frame away; a margin below it or to its right leaves it where it is.
_MOVES: Final = (
    "left", "top", "right", "bottom", "inset", "margin", "margin-left", "margin-top", "transform", "translate",
)  # fmt: skip
_SIZES: Final = ("width", "height", "max-width", "max-height")
_ZERO: Final = r"[+-]?0*\.?0*%?"
_CLEAR: Final = re.compile(
    rf"transparent|#[0-9a-f]{{3}}0|#[0-9a-f]{{6}}00|(?:rgb|hsl)a?\((?:(?:[^(),]{{1,20}},){{3}}|[^()/]{{1,60}}/)"
    rf" ?{_ZERO} ?\)"
)
_NO_SCALE: Final = re.compile(rf"scale(?:x|y|3d)?\( ?{_ZERO} ?[,)]")
_SHAPE: Final = re.compile(r"(rect|inset|circle|ellipse|polygon)\(([^()]*)\)")


def hides(style: str) -> bool:
    """Whether an inline style hides all that its tag holds, other than by `display: none`."""
    properties = _declared(style)
    return _is_clear(properties) or _is_away(properties) or _is_cut(properties)


def states(style: str) -> dict[str, bool]:
    """Whether a style shows its text, for each property that it sets and that a tag inside may set otherwise."""
    properties = _declared(style)
    visible = {}
    if "visibility" in properties:
        visible["visibility"] = properties["visibility"] not in ("hidden", "collapse")
    for size in _lengths(properties.get("font-size", ""))[:1]:
        visible["font-size"] = size >= 2
    return visible


def is_absent(style: str) -> bool:
    """Whether a style takes its tag out of the page, as it stands without scripts."""
    return _declared(style).get("display") == "none"


def _declared(style: str) -> dict[str, str]:
    """The properties of a style; of one given twice the last counts, but the important above all."""
    properties: dict[str, str] = {}
    firm = set()
    for part in _REMARK.sub(" ", style[:_MOST].lower()).split(";"):
        name, _, value = (" ".join(side.split()) for side in part.partition(":"))
        value, important = _IMPORTANT.subn("", value)
        if important or name not in firm:
            properties[name] = value.strip()
        if important:
            firm.add(name)
    return properties


def _lengths(value: str) -> list[float]:
    """The lengths a value names, in pixels; those in a unit we do not know are left out."""
    return [
        float(f"{sign}{number}e{power or 0}") * _PIXELS[unit]
        for sign, number, power, unit in _LENGTH.findall(value)
        if unit in _PIXELS
    ]


def _is_clear(properties: dict[str, str]) -> bool:
    """Nothing of the text is painted."""
    opacity = properties.get("opacity")
    colour = properties.get("-webkit-text-fill-color") or properties.get("color", "")
    return bool((opacity and re.fullmatch(_ZERO, opacity)) or _CLEAR.fullmatch(colour))


def _is_away(properties: dict[str, str]) -> bool:
    """The text is moved off the page, or shrunk to a point."""
    return (
        any(length <= -_FAR for name in _MOVES for length in _lengths(properties.get(name, "")))
        or any(abs(length) >= _FAR for length in _lengths(properties.get("text-indent", "")))
        or _NO_SCALE.search(properties.get("transform", "")) is not None
    )


def _is_cut(properties: dict[str, str]) -> bool:
    """No room is left in which the text would show."""
    if properties.get("overflow", "").startswith(("hidden", "clip")):
        # A pixel is what texts for screen readers are given. Padding is room as well.
        sizes = [length for name in _SIZES for length in _lengths(properties.get(name, ""))[:1]]
        padded = any(
            length > 0 for name in properties if name.startswith("padding") for length in _lengths(properties[name])
        )
        if any(0 <= length <= 1 for length in sizes) and not padded:
            return True
    shapes = (_SHAPE.fullmatch(properties.get(name, "")) for name in ("clip", "clip-path"))
    return any(_is_nothing(shape[1], shape[2]) for shape in shapes if shape is not None)


def _is_nothing(shape: str, inside: str) -> bool:
    lengths = _lengths(inside.replace(",", " "))
    if not lengths:
        return False
    if shape == "rect":
        top, right, bottom, left = lengths if len(lengths) == 4 else (0, 1, 1, 0)
        return bottom <= top or right <= left
    if shape == "inset":  # lengths in per cent of the text's own, else its size would tell
        top, right, bottom, left = _sides(lengths)
        return not re.search("[a-z]", inside) and (top + bottom >= _FAR or left + right >= _FAR)
    return not any(lengths) if shape == "polygon" else lengths[0] == 0


def _sides(lengths: list[float]) -> Iterator[float]:
    """Top, right, bottom, left of the one to four values that stand for them."""
    top, *more = lengths
    right = more[0] if more else top
    yield from (top, right, more[1] if len(more) > 1 else top, more[2] if len(more) > 2 else right)
