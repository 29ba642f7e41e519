"""Words of the pages, in English and Simplified Chinese: one catalogue each, with the same keys."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from web.i18n import changes, codes, evidence, maintenance, problems, ratings, reasons, rejudging, uncertainty, usage
from web.i18n.en import MESSAGES as EN
from web.i18n.zh import MESSAGES as ZH

_ROOMS = (changes, codes, evidence, maintenance, problems, ratings, reasons, rejudging, uncertainty, usage)


class Locale(StrEnum):
    """A language of the pages, as it stands in a path."""

    EN = "en"
    ZH = "zh"

    @property
    def tag(self) -> str:
        """The BCP 47 tag for `lang` and `hreflang`."""
        return "zh-Hans" if self is Locale.ZH else "en"


CATALOGUES: Mapping[Locale, Mapping[str, str]] = {
    Locale.EN: {**EN, **{key: text for room in _ROOMS for key, text in room.EN.items()}},
    Locale.ZH: {**ZH, **{key: text for room in _ROOMS for key, text in room.ZH.items()}},
}
Translate = Callable[..., str]


def translator(locale: Locale) -> Translate:
    """A function from a key and named values to text; a missing key raises KeyError.

    A count named `n` picks the entry `key.one` where there is one and n is 1.
    """
    catalogue = CATALOGUES[locale]

    def translate(key: str, **values: object) -> str:
        if values.get("n") == 1 and f"{key}.one" in catalogue:
            key = f"{key}.one"
        return catalogue[key].format(**values) if values else catalogue[key]

    return translate


def negotiate(accept_language: str) -> Locale:
    """The locale an Accept-Language header prefers most; English when it names neither."""
    best, weight = Locale.EN, 0.0
    for part in accept_language.split(",")[:20]:
        tag, _, parameter = part.strip().partition(";")
        quality = _quality(parameter)
        found = next((each for each in Locale if tag.lower().split("-")[0] == each), None)
        if found is not None and quality > weight:
            best, weight = found, quality
    return best


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
