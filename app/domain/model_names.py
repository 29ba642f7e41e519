"""Canonical spelling of a model's name, to which the spellings of boards, tables and vendors are reduced.

Only what is certain is dropped: the account on a model hub, case and separators, abbreviations, and how often or at
which temperature a model was asked. Sizes, dates, versions, base and instruct, and a reasoning effort distinguish
models.
"""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from app.domain.slugs import model_slug

# Accounts of vendors on model hubs: their model of a name is the original, that of another account may be a fine-tune.
ACCOUNTS: Final[Mapping[str, str]] = {
    "01-ai": "01.AI", "bigcode": "BigCode", "codellama": "Meta", "coherelabs": "Cohere", "cohereforai": "Cohere",
    "deepseek-ai": "DeepSeek", "google": "Google", "huggingfaceh4": "Hugging Face", "m-a-p": "M-A-P",
    "meta-llama": "Meta", "microsoft": "Microsoft", "mistralai": "Mistral", "moonshotai": "Moonshot AI",
    "nvidia": "NVIDIA", "openai": "OpenAI", "qwen": "Alibaba", "wizardlm": "WizardLM",
}  # fmt: skip
_ACCOUNT: Final = re.compile(r"([\w.-]+?)(?:/|--)(?=[^/]+$)")
_BRACKETS: Final = re.compile(r"\s*\(([^()]*)\)\s*$")
_EFFORT: Final = re.compile(
    r"(?:(?:reasoning|effort)\s*=\s*)?(low|med|medium|high|thinking|no[ -]thinking)", re.IGNORECASE
)
_SAMPLING: Final = re.compile(r"(?:n|temperature)\s*=\s*[\d.]+", re.IGNORECASE)
_SPELLINGS: Final = (
    (re.compile(r"^c4ai-"), ""),  # Cohere's models on the hub
    (re.compile(r"^code-llama-"), "codellama-"),
    (re.compile(r"^meta-llama-"), "llama-"),
    (re.compile(r"^(llama|qwen)(?=\d)"), r"\1-"),
    (re.compile(r"-ins(?=-|$)"), "-instruct"),
    (re.compile(r"^((?:code)?gemma-.*)-it$"), r"\1-instruct"),  # Google's own word for instruction-tuned
)
_MIN_SIMILARITY: Final = 0.6


class Spelling(NamedTuple):
    """Canonical spelling of a model's name, and the effort it was asked with; empty if none is named."""

    name: str
    effort: str


def spelling_of(name: str) -> Spelling:
    """Return the canonical spelling of a model's name."""
    effort = ""
    while (bracket := _BRACKETS.search(name)) is not None:
        parts = [part.strip() for part in bracket[1].split(",")]
        efforts = [named[1] for part in parts if (named := _EFFORT.fullmatch(part)) is not None]
        if len(efforts) + sum(_SAMPLING.fullmatch(part) is not None for part in parts) < len(parts):
            break  # keep brackets that describe the model itself
        effort = efforts[0].lower().replace(" ", "-") if efforts else effort
        name = name[: bracket.start()]
    account = _ACCOUNT.match(name)
    if account is not None and account[1].lower() in ACCOUNTS:
        name = name[account.end() :]
    slug = model_slug(name)
    for pattern, word in _SPELLINGS:
        slug = pattern.sub(word, slug)
    return Spelling(slug, "medium" if effort == "med" else effort)


def nearest_names(name: str, known: Collection[str], count: int = 3) -> tuple[str, ...]:
    """Return the known names that are spelt most like a name, the nearest first; none if none is similar."""
    by_spelling = {spelling_of(other).name: other for other in sorted(known)}
    close = get_close_matches(spelling_of(name).name, by_spelling, n=count, cutoff=_MIN_SIMILARITY)
    return tuple(by_spelling[spelling] for spelling in close)
