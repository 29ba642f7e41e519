"""Models of Cohere."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Cohere",
    (
        KnownModel(
            names=("Command-R",),
            released_on=date(2024, 3, 11),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Command-R+",),
            released_on=date(2024, 4, 4),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Command-R-08-2024",
                "Command-R+-08-2024",
            ),
            several=True,
            cutoff_on=date(2024, 6, 30),
            cutoff_source="https://github.com/cohere-ai/cohere-developer-experience/blob/main/fern/pages/models/the-command-family-of-models/command-r-plus.mdx",
            released_on=date(2024, 8, 30),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Command-A",),
            cutoff_on=date(2024, 6, 30),
            cutoff_source="https://github.com/cohere-ai/cohere-developer-experience/blob/main/fern/pages/models/the-command-family-of-models/command-a.mdx",
            released_on=date(2025, 3, 13),
            released_source="https://github.com/anomalyco/models.dev",
        ),
    ),
)
