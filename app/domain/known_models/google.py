"""Models of Google."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Google",
    (
        KnownModel(
            names=(
                "Gemini-Pro",
                "Gemini-1.0-Pro",
            ),
            cutoff_on=date(2023, 11, 30),
            cutoff_source="https://ai.google.dev/gemini-api/docs/models/gemini",
        ),
        KnownModel(
            names=(
                "Gemini-Pro-1.5",
                "Gemini-1.5-Pro",
            ),
            cutoff_on=date(2024, 5, 31),
            cutoff_source="https://cloud.google.com/vertex-ai/docs/generative-ai/learn/models",
        ),
        KnownModel(
            names=(
                "Gemini-Pro-1.5-May",
                "Gemini-1.5-Pro-001",
            ),
            cutoff_on=date(2024, 5, 31),
            cutoff_source="https://cloud.google.com/vertex-ai/docs/generative-ai/learn/models",
        ),
        KnownModel(
            names=(
                "Gemini-Flash-1.5-May",
                "Gemini-1.5-Flash-001",
            ),
            cutoff_on=date(2024, 5, 31),
            cutoff_source="https://cloud.google.com/vertex-ai/docs/generative-ai/learn/models",
            released_on=date(2024, 5, 24),
            released_source="https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions",
        ),
        KnownModel(
            names=(
                "Gemini-Pro-1.5-002",
                "Gemini-1.5-Pro-002",
            ),
            cutoff_on=date(2024, 5, 31),
            cutoff_source="https://cloud.google.com/vertex-ai/docs/generative-ai/learn/models",
        ),
        KnownModel(
            names=(
                "Gemini-Flash-1.5-002",
                "Gemini-1.5-Flash-002",
            ),
            cutoff_on=date(2024, 5, 31),
            cutoff_source="https://cloud.google.com/vertex-ai/docs/generative-ai/learn/models",
        ),
        KnownModel(
            names=("Gemini-2.0-Flash",),
            cutoff_on=date(2024, 8, 31),
            cutoff_source="https://ai.google.dev/gemini-api/docs/models",
            released_on=date(2025, 2, 5),
            released_source="https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/2-0-flash",
        ),
        KnownModel(
            names=(
                "Gemini-Flash-2.0-Thinking",
                "Gemini-2.0-Flash-Thinking-Exp-1219",
            ),
            several=True,
            released_on=date(2024, 12, 19),
            released_source="https://ai.google.dev/gemini-api/docs/models",
        ),
        KnownModel(
            names=(
                "Gemini-2.5-Pro",
                "Gemini-2.5-Pro-Exp-03-25",
            ),
            several=True,
            cutoff_on=date(2025, 1, 31),
            cutoff_source="https://ai.google.dev/gemini-api/docs/models",
            released_on=date(2025, 3, 25),
            released_source="https://ai.google.dev/gemini-api/docs/models",
        ),
        KnownModel(
            names=(
                "Gemini-2.5-Flash-Preview",
                "Gemini-2.5-Flash-Preview-04-17",
            ),
            several=True,
            cutoff_on=date(2025, 1, 31),
            cutoff_source="https://ai.google.dev/gemini-api/docs/models",
            released_on=date(2025, 4, 17),
            released_source="https://ai.google.dev/gemini-api/docs/models",
        ),
        KnownModel(
            names=("Gemini-2.5-Flash",),
            cutoff_on=date(2025, 1, 31),
            cutoff_source="https://ai.google.dev/gemini-api/docs/models",
            released_on=date(2025, 6, 17),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Gemini-3-Pro",
                "Gemini-3-Pro-Preview",
            ),
            several=True,
            released_on=date(2025, 11, 18),
            released_source="https://github.com/anomalyco/models.dev",
        ),
    ),
)
