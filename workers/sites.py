"""The sites under the operator's settings: which edition, address, pace and contact."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.schedule import PollingIntervals
from scrapers.page_fetcher import SiteConnection
from scrapers.site import Site, all_sites, find_site
from workers.context import Context
from workers.pace import host_pace

# A quiet day takes dozens of requests, a year's backfill hundreds: an hour's worth is enough for both.
_DAILY_ASKING_S: Final = 3600
_MIN_PACE_S: Final = 1


class Sites:
    """All sites under one context's settings."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._settings = ctx.settings

    def find(self, name: str) -> Site:
        """Return the site of that name in the edition that the operator chose, by name or by address.

        Raises NotFound for an unknown site, InvalidInput for an unknown edition.
        """
        settings = self._settings.source(name)
        return find_site(name).in_edition(settings.edition, settings.base_url)

    def base_url(self, site: Site) -> str | None:
        """Return the address that replaces every host of a site; None for one of the site's own addresses."""
        base_url = self._settings.source(site.name).base_url
        return None if base_url is None or site.is_at(base_url) else base_url

    def polling_intervals(self) -> list[PollingIntervals]:
        """Return how often each site is visited by schedule: only the bundled one before the operator has named a
        contact."""
        return [
            PollingIntervals(
                name,
                timedelta(seconds=self._settings.source(name).every_s),
                tuple((facts.name, facts.every) for facts in site.facts if facts.requests),
            )
            for name, site in all_sites().items()
            if site.plan is not None
            and self._settings.source(name).enabled
            and (self._settings.contact or name == DEMO_SITE)
        ]

    def pace_s(self, site: Site) -> float:
        """Return the seconds between two requests to a host of the site."""
        pace_s = self._settings.source(site.name).pace_s
        return site.pace_s if pace_s is None else pace_s

    def per_day(self, site: Site) -> int:
        """Return the most requests a day to a host of the site; unless set, an hour's worth at the site's pace."""
        per_day = self._settings.source(site.name).per_day
        return round(_DAILY_ASKING_S / max(site.pace_s, _MIN_PACE_S)) if per_day is None else per_day

    def connection(self, site: Site) -> SiteConnection:
        """Return how a site is requested: at which pace and address, and under which contact and key."""
        return SiteConnection(
            pace=host_pace(self._ctx.redis, self.pace_s(site), self.per_day(site)),
            contact=self._settings.contact or self._settings.public_url,
            base_url=self.base_url(site),
            sign=self._signer(site),
        )

    def _signer(self, site: Site) -> Callable[[str], str] | None:
        """Return a function that adds the operator's key to a path of the site; None without a key or a use for it."""
        settings, sign, clock = self._settings.source(site.name), site.sign, self._ctx.clock
        if sign is None or settings.api_key is None or settings.api_secret is None:
            return None
        key, secret = settings.api_key.get_secret_value(), settings.api_secret.get_secret_value()
        return lambda path: sign(path, key, secret, clock())
