"""The icon of a model's vendor, or a monogram for those without one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from web.assets import ICONS

# An icon is a square of 24 by 24 filled with paths; nothing else of its file is shown.
_ICON: Final = re.compile(
    r'<svg [^>]*viewBox="0 0 24 24"[^>]*>(?:<(title)>[^<]*</\1>)?((?:<path [^>]*></path>)+)</svg>'
)
_PATH: Final = re.compile(r' d="([^"]+)"')

# Spellings of an organisation, in letters and digits alone, to the name of its icon in `web/static/vendor/icons`.
_ICONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        spelling: icon
        for icon, spellings in {
            "alibaba": "alibaba alibabacloud aliyun",
            "anthropic": "anthropic",
            "bytedance": "bytedance bytedanceseed",
            "cohere": "cohere cohereforai coherelabs",
            "dbrx": "databricks",
            "deepseek": "deepseek deepseekai",
            "google": "google googledeepmind deepmind",
            "kimi": "moonshot moonshotai kimi",
            "meta": "meta metaai metallama facebook",
            "microsoft": "microsoft microsoftresearch",
            "minimax": "minimax minimaxai",
            "mistral": "mistral mistralai",
            "nvidia": "nvidia",
            "openai": "openai",
            "qwen": "qwen qwenlm",
            "stability": "stabilityai",
            "tencent": "tencent tencenthunyuan hunyuan",
            "xai": "xai",
            "zai": "zai zhipu zhipuai thudm",
        }.items()
        for spelling in spellings.split()
    }
)


@dataclass(frozen=True, slots=True)
class VendorMark:
    """The mark of a vendor: `icon` names its icon, empty if there is none; `letter` is its monogram."""

    icon: str
    letter: str


def vendor_mark(organisation: str) -> VendorMark:
    """Return the mark of an organisation; names that differ in case, spaces or signs alone are the same."""
    spelling = "".join(character for character in organisation.casefold() if character.isalnum())
    return VendorMark(_ICONS.get(spelling, ""), next((c.upper() for c in organisation if c.isalnum()), "?"))


@cache
def icon_paths(icon: str) -> tuple[str, ...]:
    """Return the outlines of an icon, read once per process. Raises ValueError for a file of another form."""
    path = ICONS / f"{icon}.svg"
    found = _ICON.fullmatch(path.read_text(encoding="utf-8").strip())
    if found is None:
        raise ValueError(f"{path} is no square of paths")
    return tuple(_PATH.findall(found[2]))
