"""The sites as this installation's operator wants them asked: which edition, where, how often and as whom."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from app.domain.sources.schedule import Rounds
from scrapers.site import Site, all_sites, find_site
from workers.context import Context
from workers.pace import host_pace

# A quiet day takes some dozens of requests, a year's backfill some hundreds: an hour of asking is enough for both.
_ASKING_S: Final = 3600
_LEAST_PACE_S: Final = 1


class Sites:
    """Every site under one context's settings."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._settings = ctx.settings

    def find(self, name: str) -> Site:
        """The site of that name in the edition the operator chose, by its name or by its address.

        Raises NotFound for a site that there is not, InvalidInput for an edition.
        """
        settings = self._settings.source(name)
        return find_site(name).in_edition(settings.edition, settings.base_url)

    def base_url(self, site: Site) -> str | None:
        """What takes the place of every host of a site; an address of its own takes none's, and ratings stay theirs."""
        base_url = self._settings.source(site.name).base_url
        return None if base_url is None or site.is_at(base_url) else base_url

    def rounds(self) -> list[Rounds]:
        """How often each site is visited by itself: none before an operator has said whom its owner may write to."""
        if not self._settings.contact:
            return []
        return [
            Rounds(
                name,
                timedelta(seconds=self._settings.source(name).every_s),
                tuple((facts.name, facts.every) for facts in site.facts if facts.requests),
            )
            for name, site in all_sites().items()
            if site.plan is not None and self._settings.source(name).enabled
        ]

    def pace_s(self, site: Site) -> float:
        """Seconds between two requests to a host of the site."""
        pace_s = self._settings.source(site.name).pace_s
        return site.pace_s if pace_s is None else pace_s

    def per_day(self, site: Site) -> int:
        """How many requests a host of the site gets a day at most; unless set, an hour's worth at the site's pace."""
        per_day = self._settings.source(site.name).per_day
        return round(_ASKING_S / max(site.pace_s, _LEAST_PACE_S)) if per_day is None else per_day

    def crawl_settings(self, site: Site) -> dict[str, Any]:
        """The keyword arguments of a crawl: pace, contact, and where the site is."""
        return {
            "pace": host_pace(self._ctx.redis, self.pace_s(site), self.per_day(site)),
            "contact": self._settings.contact or self._settings.public_url,
            "base_url": self.base_url(site),
            "sign": self._signer(site),
        }

    def _signer(self, site: Site) -> Callable[[str], str] | None:
        """What adds the operator's key of a site to a path; None without one, or where none is of use."""
        settings, sign, clock = self._settings.source(site.name), site.sign, self._ctx.clock
        if sign is None or settings.api_key is None or settings.api_secret is None:
            return None
        key, secret = settings.api_key.get_secret_value(), settings.api_secret.get_secret_value()
        return lambda path: sign(path, key, secret, clock())
