"""robots.txt as RFC 9309 reads it: groups by agent, the longest matching rule wins, `*` and `$`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

MAX_BYTES = 512 * 1024
_LINE = re.compile(r"^\s*([A-Za-z\-]{1,40})\s*:\s*(.*?)\s*(?:#.*)?$")


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[tuple[bool, str]] = field(default_factory=list)
    delay_s: float | None = None


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules of one host."""

    groups: tuple[_Group, ...] = ()

    def allows(self, agent: str, path: str) -> bool:
        """Whether `agent` (a product token) may ask for this path with its query."""
        if path.partition("?")[0] == "/robots.txt":
            return True
        best_length, allowed = -1, True
        for group in self._for(agent):
            for allow, pattern in group.rules:
                if len(pattern) >= best_length and _matches(pattern, path):
                    # Equally long rules: the permission wins.
                    allowed = allow or (allowed and len(pattern) == best_length)
                    best_length = len(pattern)
        return allowed

    def delay_s(self, agent: str) -> float:
        """The pause the site asks for between requests, in seconds; 0 when it asks for none."""
        return max((group.delay_s or 0.0 for group in self._for(agent)), default=0.0)

    def _for(self, agent: str) -> list[_Group]:
        named = [group for group in self.groups if any(each and each in agent.lower() for each in group.agents)]
        return named or [group for group in self.groups if "*" in group.agents]


def parse_robots(body: bytes) -> RobotsTxt:
    """Read a robots.txt; lines that say nothing we know are skipped, as the RFC asks."""
    groups: list[_Group] = []
    naming = False  # consecutive user-agent lines share the rules below them
    for name, value in _lines(body):
        if name == "user-agent":
            if not naming:
                groups.append(_Group())
            groups[-1].agents.append("*" if value == "*" else value.lower().split("/")[0].strip())
            naming = True
            continue
        naming = False
        if not groups:
            continue
        if name in ("allow", "disallow") and value:
            groups[-1].rules.append((name == "allow", value))
        elif name == "crawl-delay":
            groups[-1].delay_s = _seconds(value)
    return RobotsTxt(tuple(groups))


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    for line in body[:MAX_BYTES].decode("utf-8", "replace").lstrip("\ufeff").splitlines():
        found = _LINE.match(line)
        if found:
            yield found[1].lower(), found[2]


def _seconds(value: str) -> float | None:
    return min(float(value), 300.0) if re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", value) else None


def _matches(pattern: str, path: str) -> bool:
    """Whether the path begins with the pattern, `*` standing for anything and a last `$` for the end."""
    ends = pattern.endswith("$")
    parts = [unquote(part) for part in (pattern[:-1] if ends else pattern).split("*")]
    path = unquote(path)
    if not path.startswith(parts[0]):
        return False
    at = len(parts[0])
    for part in parts[1:]:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return not ends or at == len(path) or (len(parts) > 1 and path.endswith(parts[-1]))
