"""What weights say of themselves: their own files, in a folder or in the cache of the operator's hub."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.domain.asking.weights import Weights


@dataclass(frozen=True, slots=True)
class About:
    """What stands in the files of weights; None where nothing does.

    `revision` is the hub's name of what was loaded, `template_sha256` the digest of the chat template's text.
    """

    revision: str | None = None
    dtype: str | None = None
    quantisation: str | None = None
    length: int | None = None
    template_sha256: str | None = None


_RANKS = (8, 16, 32, 64, 128, 256, 512)  # that engines set memory aside for


def adapter_rank(weights: Weights) -> int | None:
    """The rank that an engine must allow for the adapter of these weights; None without one, or where it is unsaid."""
    rank = _json(Path(weights.adapter) / "adapter_config.json").get("r") if weights.adapter else None
    return next((each for each in _RANKS if isinstance(rank, int) and rank <= each), None)


def about(weights: Weights, environment: Mapping[str, str]) -> About:
    """What these weights' files say; those of a hub lie where the engine's `environment` has it keep them."""
    folder = Path(weights.path) if weights.is_folder else _kept(weights.path, environment)
    if folder is None:
        return About(template_sha256=_digest(weights, None))
    sizes = _json(folder / "config.json")
    quantised, length = sizes.get("quantization_config"), sizes.get("max_position_embeddings")
    return About(
        revision=None if weights.is_folder else folder.name,
        dtype=_word(sizes.get("dtype", sizes.get("torch_dtype"))),
        quantisation=_word(quantised.get("quant_method")) if isinstance(quantised, dict) else None,
        length=length if isinstance(length, int) else None,
        template_sha256=_digest(weights, folder),
    )


def _kept(name: str, environment: Mapping[str, str]) -> Path | None:
    """The folder of a hub's weights in the cache that all engines share; None where it is not there."""
    home = environment.get("HF_HOME")
    default = Path(environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", "/nonexistent")) / ".cache")
    hub = Path(home) if home else default / "huggingface"
    cache = Path(environment.get("HF_HUB_CACHE") or environment.get("HUGGINGFACE_HUB_CACHE") or hub / "hub")
    place = cache / f"models--{name.replace('/', '--')}"
    folder = place / "snapshots" / ((_text(place / "refs" / "main") or "").strip() or ".")
    return folder if folder.parent.name == "snapshots" and folder.is_dir() else None


def _digest(weights: Weights, folder: Path | None) -> str | None:
    """The digest of the template's text: a file's, else the words themselves, else what the weights bring."""
    template: Any = None
    if weights.template:
        named = _text(Path(weights.template))
        template = weights.template if named is None else named
    elif folder is not None:
        template = _text(folder / "chat_template.jinja")
        for name in ("chat_template.json", "tokenizer_config.json"):
            template = _json(folder / name).get("chat_template") if template is None else template
    text = template if isinstance(template, str) else None if template is None else json.dumps(template)
    return None if text is None else sha256(text.encode()).hexdigest()


def _word(value: object) -> str | None:
    return value[:40] if isinstance(value, str) and value.isprintable() else None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError, ValueError):
        return None


def _json(path: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(_text(path) or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
