"""A site's robots.txt as Protego reads it, with bounds on its size and on the pause it may ask for."""

from protego import Protego

MAX_BYTES = 512 * 1024
MAX_DELAY_S = 300.0


class RobotsTxt:
    """Rules of one host; an empty file permits everything."""

    def __init__(self, body: bytes = b"") -> None:
        self._rules = Protego.parse(body[:MAX_BYTES].decode("utf-8-sig", "replace"))

    def allows(self, agent: str, path: str) -> bool:
        """Return whether `agent` (a product token) may request this path with its query."""
        return self._rules.can_fetch(f"https://host{path}", agent)

    def delay_s(self, agent: str) -> float:
        """Return the pause between requests that the site asks for, in seconds; 0 if it asks for none."""
        return min(self._rules.crawl_delay(agent) or 0.0, MAX_DELAY_S)
