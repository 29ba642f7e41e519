"""What is known of models that others serve: until when they were trained and when they came out, each with its source.

The table is `known_models.toml` beside this file. Results that are imported take their dates from here.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any

from app.domain.imports import ImportedModel
from app.domain.slugs import model_slug

# How a model was asked says nothing of what it has read.
_ASKED = re.compile(r"\s*\((?:n\s*=\s*\d+|low|med|medium|high|thinking|no[ -]thinking)\)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model with the names that boards have for it, the latest day that its vendor's statements allow for the end of
    its training data, the day it came out, and where each is said."""

    names: tuple[str, ...]
    organisation: str
    cutoff_on: date | None = None
    cutoff_source: str | None = None
    released_on: date | None = None
    released_source: str | None = None


@lru_cache(maxsize=1)
def known_models() -> tuple[KnownModel, ...]:
    """The table."""
    text = files(__package__).joinpath("known_models.toml").read_text(encoding="utf-8")
    return tuple(_entries(tomllib.loads(text)["vendor"]))


def _entries(vendors: Iterable[Mapping[str, Any]]) -> Iterable[KnownModel]:
    for vendor in vendors:
        for row in vendor["models"]:
            cutoff, released = row.get("cutoff", {}), row.get("released", {})
            yield KnownModel(
                tuple(row["names"]), vendor["name"], cutoff.get("on"), cutoff.get("source"), released.get("on"),
                released.get("source"),
            )  # fmt: skip


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, KnownModel]:
    return {model_slug(name): model for model in known_models() for name in model.names}


def find(name: str) -> KnownModel | None:
    """The model of that name. Names that differ in case and separators alone are one, and so are those of a model that
    is asked with another effort, such as `o3-mini (high)`."""
    while (found := _by_name().get(model_slug(name))) is None and (asked := _ASKED.search(name)) is not None:
        name = name[: asked.start()]
    return found


def with_known(model: ImportedModel) -> ImportedModel:
    """A model of a file with the dates that the table has of it; what the file says with evidence stays."""
    known = find(model.name)
    if known is None:
        return model
    if model.cutoff_on is None:
        model = replace(model, cutoff_on=known.cutoff_on, cutoff_evidence=known.cutoff_source)
    return replace(model, released_on=model.released_on or known.released_on)
