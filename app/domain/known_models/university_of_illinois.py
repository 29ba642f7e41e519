"""Models of University of Illinois."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "University of Illinois",
    (
        KnownModel(
            names=(
                "MagiCoderS-DS-6.7B",
                "Magicoder-S-DS-6.7B",
            ),
            released_on=date(2023, 12, 31),
            released_source="https://github.com/ise-uiuc/magicoder",
        ),
        KnownModel(
            names=(
                "MagiCoderS-CL-7B",
                "Magicoder-S-CL-7B",
            ),
            released_on=date(2023, 12, 31),
            released_source="https://github.com/ise-uiuc/magicoder",
        ),
    ),
)
