"""A site's robots.txt as Protego reads it, bounded: how much of it is read, and how long a pause it may ask for."""

from protego import Protego

MAX_BYTES = 512 * 1024
MAX_DELAY_S = 300.0


class RobotsTxt:
    """The rules of one host; an empty file permits everything."""

    def __init__(self, body: bytes = b"") -> None:
        self._rules = Protego.parse(body[:MAX_BYTES].decode("utf-8-sig", "replace"))

    def allows(self, agent: str, path: str) -> bool:
        """Whether `agent` (a product token) may ask for this path with its query."""
        return self._rules.can_fetch(f"https://host{path}", agent)

    def delay_s(self, agent: str) -> float:
        """The pause the site asks for between requests, in seconds; 0 when it asks for none."""
        return min(self._rules.crawl_delay(agent) or 0.0, MAX_DELAY_S)
