"""The texts of the pages: a gettext catalogue for each language, found by its file.

In a catalogue `msgctxt` is the key that pages use and `msgid` is the English sentence. `en.po` is both English and the
template for the other languages: its `msgstr` stay empty, so that English is written only once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

FOLDER: Final = Path(__file__).resolve().parent
Translate = Callable[..., str]


class Locale(str):
    """A language of the pages, as it stands in a path: the name of its catalogue."""

    __slots__ = ()

    @property
    def tag(self) -> str:
        """The BCP 47 tag for `lang` and `hreflang`."""
        return catalogue(self).tag

    @property
    def own_name(self) -> str:
        """The language's name in that language."""
        return translator(self)("locale.name")


ENGLISH: Final = Locale("en")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language by key: one, or one for each plural form, which `form_of` picks by a count."""

    tag: str
    messages: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]


@cache
def locales() -> tuple[Locale, ...]:
    """Return every language that has a catalogue, English first."""
    others = sorted({path.stem for path in FOLDER.glob("*.po")} - {ENGLISH})
    return (ENGLISH, *(Locale(name) for name in others))


@cache
def catalogue(locale: Locale) -> Catalogue:
    """Return the catalogue of a language, read once per process. Raises PoFileError if it cannot be read."""
    with (FOLDER / f"{locale}.po").open("rb") as file:
        content = read_po(file, abort_invalid=True)
    return Catalogue(
        tag=(content.locale_identifier or locale).replace("_", "-"),
        messages={message.context: _texts(message) for message in content if message.context is not None},
        form_of=c2py(content.plural_expr),
    )


def _texts(message: Message) -> tuple[str, ...]:
    """Return the translation, or the English sentence if there is none."""
    text = message.string if any(message.string or ()) else message.id
    return (text,) if isinstance(text, str) else tuple(text or ())


def translator(locale: Locale) -> Translate:
    """Return a function from a key and named values to text; a missing key or value raises KeyError.

    A count named `n` picks the plural form.
    """
    entries = catalogue(locale)

    def translate(key: str, **values: Any) -> str:
        texts = entries.messages[key]
        text = texts[entries.form_of(values["n"]) if len(texts) > 1 else 0]
        return text.format(**values) if values else text

    return translate


def negotiate_locale(accept_language: str) -> Locale:
    """Return the language that an Accept-Language header prefers; English if it names none of ours."""
    best, weight = ENGLISH, 0.0
    for part in accept_language.split(",")[:20]:
        tag, _, parameter = part.strip().partition(";")
        quality = _quality(parameter)
        locale = next((locale for locale in locales() if tag.lower().split("-")[0] == locale), None)
        if locale is not None and quality > weight:
            best, weight = locale, quality
    return best


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
