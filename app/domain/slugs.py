"""Slugs of names. Models of different names get different slugs; a slug that a model has already stays."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

_CHARACTER_WORDS = {"+": " plus ", "#": " sharp "}
_SEPARATORS = frozenset(" -_./\\()[]{}:;,@=|")


def slugify(name: str) -> str:
    """Return a name as lower-case letters, digits and single dashes; a name without any gets a digest."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return slug or f"unnamed-{_digest(name)}"


def model_slug(name: str) -> str:
    """Return the slug of a model: like `slugify`, with words for + and #, and a digest if it would lose other
    characters.

    Names that differ only in case, accents and separators have one slug.
    """
    letters = "".join(
        character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character)
    )
    words = "".join(_CHARACTER_WORDS.get(character, character) for character in letters)
    if not re.search("[A-Za-z0-9]", words):
        return slugify(name)
    return slugify(words) if all(map(_is_preserved, words)) else _add_digest(slugify(words), name)


def _is_preserved(character: str) -> bool:
    """Return whether a slug shows the character, or the character separates words."""
    if character.isascii() and character.isalnum():
        return True
    return character in _SEPARATORS or unicodedata.category(character) in ("Pd", "Zs")


def model_slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a slug for each name in one file, no two of them equal."""
    names_by_slug: dict[str, set[str]] = defaultdict(set)
    for name in names:
        names_by_slug[model_slug(name)].add(name)
    slugs: dict[str, str] = {}
    for slug, group in names_by_slug.items():
        first, *others = sorted(group, key=lambda name: (name.lower() != slug, name))
        slugs |= {first: slug, **{name: _add_digest(slug, name) for name in others}}
    return slugs


def assign_slugs(names: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the slug that each model of a file gets here, by the file's slug.

    `names` maps the file's slugs to names, `known` the slugs here to names. A model whose slug is from an earlier
    version, which dropped more characters, keeps it and shares it with no other model.
    """
    slugs: dict[str, str] = {}
    for slug, name in names.items():
        own_slugs = [candidate for candidate in candidate_slugs(slug, name) if known.get(candidate) == name]
        slugs |= {slug: own_slugs[0]} if own_slugs else {}
    for slug, name in names.items():
        if slug not in slugs:
            taken = slug in slugs.values() or (slug in known and _is_lossy(slug, known[slug]))
            slugs[slug] = _add_digest(slug, name) if taken else slug
    return slugs


def candidate_slugs(slug: str, name: str) -> tuple[str, str, str]:
    """Return the slugs under which a model of this name may be stored here."""
    return slug, slugify(name), _add_digest(slug, name)


def _is_lossy(slug: str, name: str) -> bool:
    """Return whether a model's slug is from an earlier version and today's rules would give another."""
    return slug == slugify(name) != model_slug(name)


def _add_digest(slug: str, name: str) -> str:
    return f"{slug}-{_digest(name)}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
