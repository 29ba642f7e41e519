"""Passwords of members: Argon2id at rest, and a check that takes as long without an account as with one."""

import unicodedata
from functools import cache
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain.errors import InvalidInput

MIN_PASSWORD_CHARS: Final = 12
MAX_PASSWORD_CHARS: Final = 1024
# The second of the two strengths that OWASP gives for Argon2id: 19 MiB, two passes, one lane.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Hashes that are computed at once in a process: many attempts must not take all memory and cores.
_SLOTS: Final = BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """Return what is stored of a password. Raises InvalidInput for one that is too short or too long."""
    if not MIN_PASSWORD_CHARS <= len(password) <= MAX_PASSWORD_CHARS:
        raise InvalidInput(
            f"a password must have {MIN_PASSWORD_CHARS} to {MAX_PASSWORD_CHARS} characters, and any will do; "
            f"this one has {len(password)}",
            pointer="/password",
        )
    with _SLOTS:
        return _HASHER.hash(_normalize(password))


def is_right(password: str, password_hash: str | None) -> bool:
    """Return whether a password is the stored one; without a stored one it is compared with nobody's."""
    try:
        with _SLOTS:
            good = _HASHER.verify(password_hash or _nobodys_hash(), _normalize(password[: MAX_PASSWORD_CHARS + 1]))
    except (VerificationError, InvalidHashError):
        return False
    return good and password_hash is not None


def _normalize(password: str) -> bytes:
    # One password is typed in different ways on different keyboards.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace")


@cache
def _nobodys_hash() -> str:
    return _HASHER.hash("the password of nobody")
