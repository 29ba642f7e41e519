"""Names as addresses. Models of different names get different slugs; one that a model has already stays."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

_WORDS = {"+": " plus ", "#": " sharp "}
_SEPARATORS = frozenset(" -_./\\()[]{}:;,@=|")


def slugify(name: str) -> str:
    """A name as an address: lower-case letters, digits and single dashes; a name without any gets a digest."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return slug or f"unnamed-{_digest(name)}"


def model_slug(name: str) -> str:
    """The slug of a model: as `slugify`, with words for + and #, and a digest where other signs would be lost.

    Names that differ in case, accents and separators alone have one slug.
    """
    letters = "".join(
        character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character)
    )
    words = "".join(_WORDS.get(character, character) for character in letters)
    if not re.search("[A-Za-z0-9]", words):
        return slugify(name)
    return slugify(words) if all(map(_is_kept, words)) else _apart(slugify(words), name)


def _is_kept(character: str) -> bool:
    """Whether a slug shows the character, or that it separates."""
    if character.isascii() and character.isalnum():
        return True
    return character in _SEPARATORS or unicodedata.category(character) in ("Pd", "Zs")


def model_slugs(names: Iterable[str]) -> dict[str, str]:
    """A slug for each of the names in one file, no two of them alike."""
    alike: dict[str, set[str]] = defaultdict(set)
    for name in names:
        alike[model_slug(name)].add(name)
    slugs: dict[str, str] = {}
    for slug, group in alike.items():
        first, *others = sorted(group, key=lambda name: (name.lower() != slug, name))
        slugs |= {first: slug, **{name: _apart(slug, name) for name in others}}
    return slugs


def settled(names: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """The slug that each model of a file has here; `names` are theirs by the slug of the file, `known` of models here.

    A model that has its slug from an earlier version, which lost more signs, keeps it and shares it with no other.
    """
    slugs: dict[str, str] = {}
    for slug, name in names.items():
        mine = [candidate for candidate in candidates(slug, name) if known.get(candidate) == name]
        slugs |= {slug: mine[0]} if mine else {}
    for slug, name in names.items():
        if slug not in slugs:
            taken = slug in slugs.values() or (slug in known and _is_lossy(slug, known[slug]))
            slugs[slug] = _apart(slug, name) if taken else slug
    return slugs


def candidates(slug: str, name: str) -> tuple[str, str, str]:
    """The slugs under which a model of this name may be here."""
    return slug, slugify(name), _apart(slug, name)


def _is_lossy(slug: str, name: str) -> bool:
    """Whether a model has its slug from an earlier version, which today's names would not get."""
    return slug == slugify(name) != model_slug(name)


def _apart(slug: str, name: str) -> str:
    return f"{slug}-{_digest(name)}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
