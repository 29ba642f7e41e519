"""Known facts of models that others serve: their training cutoffs and release days, each with its source.

Every vendor has a file here. Imported results take their dates from these files, because their own files have no
reliable ones. Rules for a line:

* `names` are as boards and vendors write the model (`model_names` lists what makes no difference, such as case,
  separators and (N=1)). All names of a line are aliases of one model, whatever file names it, unless `several` says
  that they are models with the same dates. Other sizes, dates and versions are other models, and so are base and
  instruct.
* `cutoff_on` is only what the vendor itself has said of the model or its family. If its statements differ, it is the
  latest day; a month is its last day, and a year its last. Reports of third parties are not taken.
* `released_on` is the release day according to its vendor or a catalogue; a month is its last day.

A model without a cutoff counts as trained until its release; one that is not listed here, until it was added to
Tidemark. Fine-tunes of other models have no cutoff here: what the base model has read says nothing of what came after.
The pages were read in stored copies and may have changed since: check again before you rely on a single date.
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
    """Model with its names on boards, its cutoff and its release day, each with a source.

    The cutoff is the latest day that its vendor's statements allow for the end of its training data.
    """

    names: tuple[str, ...]
    organisation: str = ""
    cutoff_on: date | None = None
    cutoff_source: str | None = None
    released_on: date | None = None
    released_source: str | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Vendor:
    """Vendor and its models."""

    name: str
    models: tuple[KnownModel, ...] = field(repr=False)


@lru_cache(maxsize=1)
def known_models() -> tuple[KnownModel, ...]:
    """Return all known models, vendors by name."""
    vendors = sorted(discover("app.domain.known_models", "VENDOR", Vendor).values(), key=lambda vendor: vendor.name)
    return tuple(replace(model, organisation=vendor.name) for vendor in vendors for model in vendor.models)


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, KnownModel]:
    return {spelling_of(name).name: model for model in known_models() for name in model.names}


def find_known_model(name: str) -> KnownModel | None:
    """Return the model of that name, in any spelling and with any effort, which says nothing of what it read."""
    return _by_name().get(spelling_of(name).name)


def identity_of(name: str) -> str:
    """Return a key that names of one model share and those of two models do not. An effort makes a difference."""
    spelling, effort = spelling_of(name)
    known = _by_name().get(spelling)
    if known is not None and not known.several:
        spelling = spelling_of(known.names[0]).name
    return f"{spelling} ({effort})" if effort else spelling


def with_known_dates(model: ImportedModel) -> ImportedModel:
    """Return a model of a file with the dates of its known model.

    Of two dates the later one counts: a file makes no model older than its vendor says.
    """
    known = find_known_model(model.name)
    if known is None:
        return model
    if known.cutoff_on is not None and (model.cutoff_on is None or model.cutoff_on < known.cutoff_on):
        model = replace(model, cutoff_on=known.cutoff_on, cutoff_evidence=known.cutoff_source)
    if known.released_on is not None and (model.released_on is None or model.released_on < known.released_on):
        model = replace(model, released_on=known.released_on)
    return model
