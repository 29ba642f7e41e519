"""Models of xAI."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "xAI",
    (
        KnownModel(
            names=("Grok-3",),
            cutoff_on=date(2024, 11, 30),
            cutoff_source="https://docs.x.ai/developers/models",
        ),
        KnownModel(
            names=(
                "Grok-3-Mini",
                "Grok-3-Mini-Beta",
            ),
            several=True,
            cutoff_on=date(2024, 11, 30),
            cutoff_source="https://docs.x.ai/developers/models",
            released_on=date(2025, 4, 30),
            released_source="https://raw.githubusercontent.com/jakemanger/whatmodel/main/pages/model/grok-3-mini-beta.md",
        ),
        KnownModel(
            names=("Grok-4",),
            cutoff_on=date(2024, 11, 30),
            cutoff_source="https://docs.x.ai/developers/models",
        ),
        KnownModel(
            names=("Grok-2-1212",),
            cutoff_on=date(2024, 7, 17),
            cutoff_source="https://docs.x.ai/docs/models",
            released_on=date(2024, 12, 12),
            released_source="https://docs.x.ai/docs/models",
        ),
    ),
)
