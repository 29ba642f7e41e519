"""Models of Stability AI."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Stability AI",
    (
        KnownModel(
            names=(
                "StableCode-3B",
                "stable-code-3b",
            ),
            released_on=date(2024, 1, 9),
            released_source="https://huggingface.co/stabilityai/stable-code-3b",
        ),
    ),
)
