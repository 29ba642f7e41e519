"""Models of OpenBMB."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "OpenBMB",
    (
        KnownModel(
            names=("Eurux-8x22b-NCA",),
            released_on=date(2024, 4, 29),
            released_source="https://github.com/OpenBMB/Eurus",
        ),
    ),
)
