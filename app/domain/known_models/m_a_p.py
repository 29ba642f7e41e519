"""Models of M-A-P."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "M-A-P",
    (
        KnownModel(
            names=(
                "OC-DS-33B",
                "OpenCodeInterpreter-DS-33B",
            ),
            released_on=date(2024, 2, 19),
            released_source="https://github.com/OpenCodeInterpreter/OpenCodeInterpreter",
        ),
        KnownModel(
            names=(
                "OC-DS-6.7B",
                "OpenCodeInterpreter-DS-6.7B",
            ),
            released_on=date(2024, 2, 19),
            released_source="https://github.com/OpenCodeInterpreter/OpenCodeInterpreter",
        ),
        KnownModel(
            names=(
                "OC-DS-1.3B",
                "OpenCodeInterpreter-DS-1.3B",
            ),
            released_on=date(2024, 2, 26),
            released_source="https://github.com/OpenCodeInterpreter/OpenCodeInterpreter",
        ),
    ),
)
