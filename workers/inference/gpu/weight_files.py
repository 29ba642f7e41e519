"""Facts from the files of weights, in a folder or in the cache of the operator's hub."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.domain.asking.weights import Weights


@dataclass(frozen=True, slots=True)
class WeightFileFacts:
    """The facts in the files of weights; None for missing ones.

    `revision` is the hub's name of what was loaded, `template_sha256` the digest of the chat template's text.
    """

    revision: str | None = None
    dtype: str | None = None
    quantisation: str | None = None
    length: int | None = None
    template_sha256: str | None = None


_RANKS = (8, 16, 32, 64, 128, 256, 512)  # for which engines reserve memory


def adapter_rank(weights: Weights) -> int | None:
    """Return the rank that an engine must allow for the adapter of these weights; None without one, or if unknown."""
    rank = _read_json(Path(weights.adapter) / "adapter_config.json").get("r") if weights.adapter else None
    return next((allowed for allowed in _RANKS if isinstance(rank, int) and rank <= allowed), None)


def read_weight_facts(weights: Weights, environment: Mapping[str, str]) -> WeightFileFacts:
    """Return the facts in these weights' files; those of a hub are in the cache that `environment` gives the engine."""
    folder = Path(weights.path) if weights.is_folder else _cached_folder(weights.path, environment)
    if folder is None:
        return WeightFileFacts(template_sha256=_digest(weights, None))
    sizes = _read_json(folder / "config.json")
    quantised, length = sizes.get("quantization_config"), sizes.get("max_position_embeddings")
    return WeightFileFacts(
        revision=None if weights.is_folder else folder.name,
        dtype=_short_text(sizes.get("dtype", sizes.get("torch_dtype"))),
        quantisation=_short_text(quantised.get("quant_method")) if isinstance(quantised, dict) else None,
        length=length if isinstance(length, int) else None,
        template_sha256=_digest(weights, folder),
    )


def _cached_folder(name: str, environment: Mapping[str, str]) -> Path | None:
    """Return the folder of a hub's weights in the cache that all engines share; None if it is not there."""
    home = environment.get("HF_HOME")
    default = Path(environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", "/nonexistent")) / ".cache")
    hub = Path(home) if home else default / "huggingface"
    cache = Path(environment.get("HF_HUB_CACHE") or environment.get("HUGGINGFACE_HUB_CACHE") or hub / "hub")
    place = cache / f"models--{name.replace('/', '--')}"
    folder = place / "snapshots" / ((_read_text(place / "refs" / "main") or "").strip() or ".")
    return folder if folder.parent.name == "snapshots" and folder.is_dir() else None


def _digest(weights: Weights, folder: Path | None) -> str | None:
    """Return the digest of the template's text: a file's, else the setting's own text, else the weights' template."""
    template: Any = None
    if weights.template:
        named = _read_text(Path(weights.template))
        template = weights.template if named is None else named
    elif folder is not None:
        template = _read_text(folder / "chat_template.jinja")
        for name in ("chat_template.json", "tokenizer_config.json"):
            template = _read_json(folder / name).get("chat_template") if template is None else template
    text = template if isinstance(template, str) else None if template is None else json.dumps(template)
    return None if text is None else sha256(text.encode()).hexdigest()


def _short_text(value: object) -> str | None:
    return value[:40] if isinstance(value, str) and value.isprintable() else None


def _read_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError, ValueError):
        return None


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(_read_text(path) or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
