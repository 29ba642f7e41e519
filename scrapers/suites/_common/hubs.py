"""Model hubs, from which everyone may download weights."""

import re
from typing import Final

_MODEL: Final = re.compile(
    r"https?://(?:www\.)?(?:huggingface\.co|hf\.co|modelscope\.cn/models)/(?!(?:blog|collections|datasets|docs|papers|spaces)/)"
    r"[\w.-]+/[\w.-]+/?",
    re.IGNORECASE,
)


def is_on_hub(link: str | None) -> bool:
    """Return whether a link leads to one model on a hub."""
    return link is not None and _MODEL.fullmatch(link.strip()) is not None
