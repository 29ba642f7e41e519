"""Signed calls of the Codeforces API, which answers some methods more fully to the owner of a key."""

import hashlib
import secrets
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

_API = "/api/"


def sign_path(path: str, key: str, secret: str, now: datetime, draw: str | None = None) -> str:
    """Return a path of the API with key, time and signature added; any other path unchanged.

    The signature is six letters and the SHA-512 of letters/method?parameters#secret, the parameters in order of name
    and value (apiHelp, "Authorization"). `draw` fixes the letters.
    """
    method, _, query = path.removeprefix(_API).partition("?")
    if not path.startswith(_API) or not method:
        return path
    parameters = sorted(
        [*parse_qsl(query, keep_blank_values=True), ("apiKey", key), ("time", str(int(now.timestamp())))]
    )
    letters = draw or secrets.token_hex(3)
    plain = "&".join(f"{name}={value}" for name, value in parameters)
    digest = hashlib.sha512(f"{letters}/{method}?{plain}#{secret}".encode()).hexdigest()
    return f"{_API}{method}?{urlencode([*parameters, ('apiSig', letters + digest)])}"
