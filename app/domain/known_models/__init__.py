"""What is known of models that others serve: until when they were trained and when they came out, each with its source.

Every vendor has a file here. Results that are imported take their dates from these, because their files have none that
can be relied on. Rules for a line:

* `names` are as boards and vendors write the model (`model_names` has what makes no difference, such as case,
  separators and (N=1)). All names of a line are aliases of one model, whatever file names it, unless `several` says
  that they are models that have their dates in common. Other sizes, dates and versions are other models, and so are
  base and instruct.
* `cutoff_on` is only what the vendor itself has said of the model or its family. Where its statements differ, it is the
  latest day; a month is its last day, and a year its last. What third parties report is not taken.
* `released_on` is the day it came out, by its vendor or a catalogue; a month is its last day.

A model without a cutoff counts as trained until it came out; one that is not here, until it was added to Tidemark. Of
fine-tunes of other models no cutoff is given: what the base model has read says nothing of what came after. The pages
were read in stored copies and may have changed since: look again before you rely on a single date.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from app.domain.imports import ImportedModel
from app.domain.model_names import spelling_of
from app.domain.registry import discover


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model with the names that boards have for it, the latest day that its vendor's statements allow for the end of
    its training data, the day it came out, and where each is said."""

    names: tuple[str, ...]
    organisation: str = ""
    cutoff_on: date | None = None
    cutoff_source: str | None = None
    released_on: date | None = None
    released_source: str | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Vendor:
    """Who made models, and these."""

    name: str
    models: tuple[KnownModel, ...] = field(repr=False)


@lru_cache(maxsize=1)
def known_models() -> tuple[KnownModel, ...]:
    """The table, vendors by name."""
    vendors = sorted(discover("app.domain.known_models", "VENDOR", Vendor).values(), key=lambda vendor: vendor.name)
    return tuple(replace(model, organisation=vendor.name) for vendor in vendors for model in vendor.models)


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, KnownModel]:
    return {spelling_of(name).name: model for model in known_models() for name in model.names}


def find(name: str) -> KnownModel | None:
    """Return the model of that name, in any spelling and asked with any effort, which says nothing of what it read."""
    return _by_name().get(spelling_of(name).name)


def identity_of(name: str) -> str:
    """Return what names of one model have in common, and those of two models have not. An effort tells two apart."""
    spelling, effort = spelling_of(name)
    known = _by_name().get(spelling)
    if known is not None and not known.several:
        spelling = spelling_of(known.names[0]).name
    return f"{spelling} ({effort})" if effort else spelling


def with_known(model: ImportedModel) -> ImportedModel:
    """A model of a file with the dates that the table has of it. Of two dates the later one counts: a file makes no
    model older than its vendor says."""
    known = find(model.name)
    if known is None:
        return model
    if known.cutoff_on is not None and (model.cutoff_on is None or model.cutoff_on < known.cutoff_on):
        model = replace(model, cutoff_on=known.cutoff_on, cutoff_evidence=known.cutoff_source)
    if known.released_on is not None and (model.released_on is None or model.released_on < known.released_on):
        model = replace(model, released_on=known.released_on)
    return model
