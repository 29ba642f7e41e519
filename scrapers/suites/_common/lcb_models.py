"""Facts of models in LiveCodeBench's files: maker, whether the weights are public, and the listed cutoff.

The maker follows from the account on the model hub, or from style and name if the two agree. A style only says how a
model is asked, and models of other makers are asked the same way, so alone it names no maker. What a file does not say
stays empty, because with a wrong vendor models would wrongly not be controls of each other.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportedModel
from app.domain.model_names import ACCOUNTS
from scrapers.suite import SourceFile, check_storable
from scrapers.suites._common import fields
from scrapers.suites._common.hubs import is_on_hub

_STYLES: Mapping[str, str] = {
    "AnthropicMessage": "Anthropic",
    "Claude": "Anthropic",
    "Claude3": "Anthropic",
    "Claude3Thinking": "Anthropic",
    "CohereCommand": "Cohere",
    "DeepSeekAPI": "DeepSeek",
    "Gemini": "Google",
    "GeminiThinking": "Google",
    "Google": "Google",
    "Grok": "xAI",
    "MistralWeb": "Mistral",
    "OpenAIChat": "OpenAI",
    "OpenAIReason": "OpenAI",
    "OpenAIReasonPreview": "OpenAI",
}
_NAME_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "Anthropic": ("claude-",),
    "Cohere": ("command-",),
    "DeepSeek": ("deepseek-",),
    "Google": ("gemini-",),
    "Mistral": ("codestral-", "mistral-"),
    "OpenAI": ("chatgpt-", "gpt-", "o1-", "o3-", "o4-"),
    "xAI": ("grok-",),
}


# Beginnings of names under which a vendor only serves models, without publishing weights.
_UNPUBLISHED_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "Anthropic": ("claude-",),
    "Google": ("gemini-",),
    "OpenAI": ("chatgpt-", "gpt-3.5-", "gpt-4", "o1-", "o3-", "o4-"),
}


def _organisation_of(name: str, style: str) -> str:
    """Return the maker of the model that is called `name` where it is served; empty if the file does not say."""
    account, stroke, _ = name.lower().partition("/")
    if stroke:
        return ACCOUNTS.get(account, "")
    vendor = _STYLES.get(style, "")
    return vendor if name.lower().startswith(_NAME_BEGINNINGS.get(vendor, ())) else ""


def read_models(
    file: SourceFile, entries: Sequence[Any], slugs: Mapping[str, str], now: datetime
) -> tuple[tuple[ImportedModel, ...], tuple[BadRow, ...]]:
    """Return the models that have results, by their names in `slugs`, with the facts of the file's list. A bad entry is
    listed, and its model keeps no facts of it."""
    bad: list[BadRow] = []

    def models() -> Iterator[ImportedModel]:
        for name, slug in slugs.items():
            try:
                yield _model(name, slug, _facts(entries, name), now)
            except ValueError as unfit:
                bad.append(BadRow(file.name, _line(file, name), f"the list of models: {name}: {unfit}"))
                yield _model(name, slug, {}, now)

    return tuple(models()), tuple(bad)


def _line(file: SourceFile, model: str) -> int:
    """Return the line on which the list of models names a model, as far as that can be told."""
    match = re.search(rf'"model_repr"\s*:\s*{re.escape(json.dumps(model))}', file.text)
    return 1 if match is None else file.text.count("\n", 0, match.start()) + 1


def _facts(entries: Sequence[Any], model: str) -> Mapping[str, Any]:
    """Return the entry of a model in the file's list."""
    return next((entry for entry in entries if isinstance(entry, dict) and entry.get("model_repr") == model), {})


def _model(name: str, slug: str, facts: Mapping[str, Any], now: datetime) -> ImportedModel:
    check_storable(facts)
    listed_on = fields.epoch(facts, "release_date", now, per_second=1000).date() if facts.get("release_date") else None
    return ImportedModel(
        slug=slug,
        name=name,
        organisation=_organisation(facts),
        link=_link(facts.get("link")),
        n_inferred=True,
        slug_of_name=True,
        listed_on=listed_on,
        open_weights=_weights(facts),
    )


def _weights(facts: Mapping[str, Any]) -> bool | None:
    """Return whether a model's weights are open: on the model hub, by its link or its account there. They are closed if
    it is asked by a name of a vendor that publishes no weights under such names. None if the file does not say."""
    name, style, link = (facts.get(key) for key in ("model_name", "model_style", "link"))
    if not isinstance(name, str):
        return None
    if is_on_hub(_link(link)) or (name.lower().partition("/")[0] in ACCOUNTS and "/" in name):
        return True
    vendor = _organisation_of(name, style) if isinstance(style, str) else ""
    return False if name.lower().startswith(_UNPUBLISHED_BEGINNINGS.get(vendor, ())) else None


def _organisation(facts: Mapping[str, Any]) -> str:
    name, style = facts.get("model_name"), facts.get("model_style")
    return _organisation_of(name, style) if isinstance(name, str) and isinstance(style, str) else ""


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None
