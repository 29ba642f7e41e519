"""Text that a page holds but does not show, by the inline style of its tag.

Sites plant such text for programs that copy a page. It would become part of the task that a model is given.
"""

import re
from collections.abc import Iterator
from typing import Final

_MAX_STYLE_CHARS: Final = 2000  # of a style, which are read
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_IMPORTANT: Final = re.compile(r"!\s*important\s*$")
_LENGTH: Final = re.compile(r"(-?)\s*(\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})(?:e([+-]?\d{1,2}))?([a-z]{1,4}|%)?(?![\w.])")
# Approximate pixels; a percentage is taken of a page 1000 pixels wide.
_PIXELS: Final = {
    "": 1, "px": 1, "em": 16, "rem": 16, "ex": 8, "ch": 8, "pt": 1.3, "pc": 16, "in": 96, "cm": 38, "mm": 3.8,
    "%": 10, "vw": 10, "vh": 10, "vmin": 10, "vmax": 10,
}  # fmt: skip
_FAR_PIXELS: Final = 1000
# Properties that move text up, left or away; a margin below it or to its right does not move it.
_MOVING_PROPERTIES: Final = (
    "left", "top", "right", "bottom", "inset", "margin", "margin-left", "margin-top", "transform", "translate",
)  # fmt: skip
_SIZE_PROPERTIES: Final = ("width", "height", "max-width", "max-height")
_ZERO: Final = r"[+-]?0*\.?0*%?"
_TRANSPARENT: Final = re.compile(
    rf"transparent|#[0-9a-f]{{3}}0|#[0-9a-f]{{6}}00|(?:rgb|hsl)a?\((?:(?:[^(),]{{1,20}},){{3}}|[^()/]{{1,60}}/)"
    rf" ?{_ZERO} ?\)"
)
_NO_SCALE: Final = re.compile(rf"scale(?:x|y|3d)?\( ?{_ZERO} ?[,)]")
_SHAPE: Final = re.compile(r"(rect|inset|circle|ellipse|polygon)\(([^()]*)\)")


def hides_text(style: str) -> bool:
    """Return whether an inline style hides all that its tag holds, other than by `display: none`."""
    properties = _read_properties(style)
    return _is_transparent(properties) or _is_off_page(properties) or _is_clipped(properties)


def visibility_by_property(style: str) -> dict[str, bool]:
    """Return property -> whether its value shows text, for the properties that a tag inside may set otherwise."""
    properties = _read_properties(style)
    visible = {}
    if "visibility" in properties:
        visible["visibility"] = properties["visibility"] not in ("hidden", "collapse")
    for size in _lengths(properties.get("font-size", ""))[:1]:
        visible["font-size"] = size >= 2
    return visible


def is_absent(style: str) -> bool:
    """Return whether a style removes its tag from the page, as it stands without scripts."""
    return _read_properties(style).get("display") == "none"


def _read_properties(style: str) -> dict[str, str]:
    """Return the properties of a style; the last of several counts, but an important one always wins."""
    properties: dict[str, str] = {}
    important_names = set()
    for part in _COMMENT.sub(" ", style[:_MAX_STYLE_CHARS].lower()).split(";"):
        name, _, value = (" ".join(side.split()) for side in part.partition(":"))
        value, important = _IMPORTANT.subn("", value)
        if important or name not in important_names:
            properties[name] = value.strip()
        if important:
            important_names.add(name)
    return properties


def _lengths(value: str) -> list[float]:
    """Return the lengths in a value, in pixels; those in an unknown unit are left out."""
    return [
        float(f"{sign}{number}e{power or 0}") * _PIXELS[unit]
        for sign, number, power, unit in _LENGTH.findall(value)
        if unit in _PIXELS
    ]


def _is_transparent(properties: dict[str, str]) -> bool:
    """Return whether nothing of the text is painted."""
    opacity = properties.get("opacity")
    colour = properties.get("-webkit-text-fill-color") or properties.get("color", "")
    return bool((opacity and re.fullmatch(_ZERO, opacity)) or _TRANSPARENT.fullmatch(colour))


def _is_off_page(properties: dict[str, str]) -> bool:
    """Return whether the text is moved off the page, or shrunk to a point."""
    return (
        any(length <= -_FAR_PIXELS for name in _MOVING_PROPERTIES for length in _lengths(properties.get(name, "")))
        or any(abs(length) >= _FAR_PIXELS for length in _lengths(properties.get("text-indent", "")))
        or _NO_SCALE.search(properties.get("transform", "")) is not None
    )


def _is_clipped(properties: dict[str, str]) -> bool:
    """Return whether the style leaves no room for the text to show."""
    if properties.get("overflow", "").startswith(("hidden", "clip")):
        # Text for screen readers gets one pixel. Padding is room as well.
        sizes = [length for name in _SIZE_PROPERTIES for length in _lengths(properties.get(name, ""))[:1]]
        padded = any(
            length > 0 for name in properties if name.startswith("padding") for length in _lengths(properties[name])
        )
        if any(0 <= length <= 1 for length in sizes) and not padded:
            return True
    shapes = (_SHAPE.fullmatch(properties.get(name, "")) for name in ("clip", "clip-path"))
    return any(_is_empty_shape(shape[1], shape[2]) for shape in shapes if shape is not None)


def _is_empty_shape(shape: str, inside: str) -> bool:
    lengths = _lengths(inside.replace(",", " "))
    if not lengths:
        return False
    if shape == "rect":
        top, right, bottom, left = lengths if len(lengths) == 4 else (0, 1, 1, 0)
        return bottom <= top or right <= left
    if shape == "inset":  # only percentages, which need no size of the text
        top, right, bottom, left = _sides(lengths)
        return not re.search("[a-z]", inside) and (top + bottom >= _FAR_PIXELS or left + right >= _FAR_PIXELS)
    return not any(lengths) if shape == "polygon" else lengths[0] == 0


def _sides(lengths: list[float]) -> Iterator[float]:
    """Yield top, right, bottom, left of the one to four values that stand for them."""
    top, *more = lengths
    right = more[0] if more else top
    yield from (top, right, more[1] if len(more) > 1 else top, more[2] if len(more) > 2 else right)
