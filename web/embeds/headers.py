"""Headers of what other sites may show: images and the embedded board."""

from collections.abc import Mapping
from typing import Final

# Another site may load these.
EMBED_HEADERS: Final[Mapping[str, str]] = {"Cross-Origin-Resource-Policy": "cross-origin"}
# Another site may frame this page: it runs no script, sends no form and asks only this site.
FRAME_HEADERS: Final[Mapping[str, str]] = {
    **EMBED_HEADERS,
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors *"
    ),
}
