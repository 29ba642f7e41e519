"""What LiveCodeBench's files say of a model: who makes it, whether its weights are public, and the cutoff they list.

Who makes it is told by its account on the model hub, or where its style and its name agree. A style is how a model is
asked, and other people's models are asked the same way: alone it names nobody. What is not said stays empty, for
models of one wrong vendor would be no controls of each other that should be.
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
from scrapers.suites._shared import fields
from scrapers.suites._shared.hubs import is_on_hub

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
_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "Anthropic": ("claude-",),
    "Cohere": ("command-",),
    "DeepSeek": ("deepseek-",),
    "Google": ("gemini-",),
    "Mistral": ("codestral-", "mistral-"),
    "OpenAI": ("chatgpt-", "gpt-", "o1-", "o3-", "o4-"),
    "xAI": ("grok-",),
}


# The names under which a vendor serves models and publishes no weights.
_SERVED_ALONE: Mapping[str, tuple[str, ...]] = {
    "Anthropic": ("claude-",),
    "Google": ("gemini-",),
    "OpenAI": ("chatgpt-", "gpt-3.5-", "gpt-4", "o1-", "o3-", "o4-"),
}


def _organisation_of(name: str, style: str) -> str:
    """Who makes the model that is called `name` where it is asked; empty where the file does not say."""
    account, stroke, _ = name.lower().partition("/")
    if stroke:
        return ACCOUNTS.get(account, "")
    vendor = _STYLES.get(style, "")
    return vendor if name.lower().startswith(_BEGINNINGS.get(vendor, ())) else ""


def read_models(
    file: SourceFile, entries: Sequence[Any], slugs: Mapping[str, str], now: datetime
) -> tuple[tuple[ImportedModel, ...], tuple[BadRow, ...]]:
    """Return the models that have results, by their names in `slugs`, with what the file's list has of them; an entry
    that is unfit is listed, and costs its model those facts alone."""
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
    found = re.search(rf'"model_repr"\s*:\s*{re.escape(json.dumps(model))}', file.text)
    return 1 if found is None else file.text.count("\n", 0, found.start()) + 1


def _facts(entries: Sequence[Any], model: str) -> Mapping[str, Any]:
    """Return what the file's list of models has of one."""
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
    it is asked by a name of a vendor that publishes no weights under such names. Else the file does not say."""
    name, style, link = (facts.get(key) for key in ("model_name", "model_style", "link"))
    if not isinstance(name, str):
        return None
    if is_on_hub(_link(link)) or (name.lower().partition("/")[0] in ACCOUNTS and "/" in name):
        return True
    vendor = _organisation_of(name, style) if isinstance(style, str) else ""
    return False if name.lower().startswith(_SERVED_ALONE.get(vendor, ())) else None


def _organisation(facts: Mapping[str, Any]) -> str:
    name, style = facts.get("model_name"), facts.get("model_style")
    return _organisation_of(name, style) if isinstance(name, str) and isinstance(style, str) else ""


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None
