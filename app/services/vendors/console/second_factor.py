"""The second factor: codes of an authenticator app (RFC 6238), each used once, and recovery codes."""

import hashlib
import hmac
import re
import secrets
from datetime import datetime
from typing import Final

import pyotp
import segno

RECOVERY_CODES: Final = 8
STEP_S: Final = 30
_DRIFT_STEPS: Final = 1  # codes of the step before and after count, too: clocks differ
_CODE: Final = re.compile(r"[0-9]{6}")
_RECOVERY_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike
_RECOVERY_CHARS: Final = 12


def make_secret() -> str:
    """Return a new secret for an authenticator app: 160 random bits in base 32."""
    return pyotp.random_base32()


def provisioning_uri(secret: str, email: str, organisation: str) -> str:
    """Return the address that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=f"{email} ({organisation})", issuer_name="Tidemark")


def qr_code(text: str) -> str:
    """Return a QR code as a `data:` address of an SVG image."""
    return segno.make(text, error="m").svg_data_uri(scale=4, border=3, dark="#000", light="#fff")


def matching_step(secret: str, code: str, now: datetime) -> int | None:
    """Return the time step whose code this is, of the present one and its neighbours; None if it is none of them."""
    digits = re.sub(r"\s", "", code)
    totp, found = pyotp.TOTP(secret), None
    step = int(now.timestamp()) // STEP_S
    for near in range(step - _DRIFT_STEPS, step + _DRIFT_STEPS + 1):
        # Compared with all three, so that timing reveals nothing.
        if hmac.compare_digest(totp.generate_otp(near), digits if _CODE.fullmatch(digits) else "------"):
            found = near
    return found


def make_recovery_codes() -> tuple[str, ...]:
    """Return new recovery codes; each signs in once in place of an app's code."""
    return tuple(
        "-".join("".join(secrets.choice(_RECOVERY_LETTERS) for _ in range(4)) for _ in range(_RECOVERY_CHARS // 4))
        for _ in range(RECOVERY_CODES)
    )


def recovery_digest(code: str) -> str:
    """Return what is stored of a recovery code; case, spaces and dashes do not matter."""
    # A code has 59 random bits and is tried over the network only: a plain hash will do.
    return hashlib.sha256(re.sub(r"[\s-]", "", code).lower().encode("utf-8", "replace")).hexdigest()
