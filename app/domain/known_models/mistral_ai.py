"""Models of Mistral AI."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Mistral AI",
    (
        KnownModel(
            names=(
                "Mistral-Large-2411",
                "Mistral-Large-Instruct-2411",
            ),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://huggingface.co/mistralai/Mistral-Large-Instruct-2411/blob/main/SYSTEM_PROMPT.txt",
            released_on=date(2024, 11, 18),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Mixtral-8x7B-Ins", "Mixtral-8x7B-Instruct-v0.1"),
            released_on=date(2023, 12, 11),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Mixtral-8x22B-Ins", "Mixtral-8x22B-Instruct-v0.1"),
            released_on=date(2024, 4, 17),
            released_source="https://github.com/anomalyco/models.dev",
        ),
    ),
)
