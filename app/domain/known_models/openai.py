"""Models of OpenAI."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "OpenAI",
    (
        KnownModel(
            names=("GPT-3.5-Turbo-0301",),
            cutoff_on=date(2021, 9, 30),
            cutoff_source="https://platform.openai.com/docs/models/gpt-3.5-turbo",
            released_on=date(2023, 3, 1),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("GPT-3.5-Turbo-0125",),
            cutoff_on=date(2021, 9, 30),
            cutoff_source="https://platform.openai.com/docs/models/gpt-3.5-turbo",
            released_on=date(2024, 1, 25),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("GPT-4-0613",),
            cutoff_on=date(2021, 9, 30),
            cutoff_source="https://arxiv.org/abs/2303.08774",
            released_on=date(2023, 6, 13),
            released_source="https://developers.openai.com/api/docs/models/gpt-4.md",
        ),
        KnownModel(
            names=(
                "GPT-4-Turbo-1106",
                "GPT-4-1106-Preview",
            ),
            cutoff_on=date(2023, 4, 30),
            cutoff_source="https://openai.com/index/new-models-and-developer-products-announced-at-devday",
            released_on=date(2023, 11, 6),
            released_source="https://openai.com/index/new-models-and-developer-products-announced-at-devday",
        ),
        KnownModel(
            names=("GPT-4-Turbo-2024-04-09",),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-4-turbo.md",
            released_on=date(2024, 4, 9),
            released_source="https://developers.openai.com/api/docs/models/gpt-4-turbo.md",
        ),
        KnownModel(
            names=("GPT-4o-2024-05-13",),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-4o.md",
            released_on=date(2024, 5, 13),
            released_source="https://developers.openai.com/api/docs/models/gpt-4o.md",
        ),
        KnownModel(
            names=("GPT-4o-2024-08-06",),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-4o.md",
            released_on=date(2024, 8, 6),
            released_source="https://developers.openai.com/api/docs/models/gpt-4o.md",
        ),
        KnownModel(
            names=("GPT-4o-mini-2024-07-18",),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-4o-mini.md",
            released_on=date(2024, 7, 18),
            released_source="https://developers.openai.com/api/docs/models/gpt-4o-mini.md",
        ),
        KnownModel(
            names=("o1-preview-2024-09-12",),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/o1-preview.md",
            released_on=date(2024, 9, 12),
            released_source="https://developers.openai.com/api/docs/models/o1-preview.md",
        ),
        KnownModel(
            names=("o1-mini-2024-09-12",),
            released_on=date(2024, 9, 12),
            released_source="https://platform.openai.com/docs/models/o1-mini",
        ),
        KnownModel(
            names=("o1-2024-12-17",),
            released_on=date(2024, 12, 17),
            released_source="https://platform.openai.com/docs/models/o1",
        ),
        KnownModel(
            names=("o3-mini-2025-01-31",),
            cutoff_on=date(2023, 10, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/o3-mini.md",
            released_on=date(2025, 1, 31),
            released_source="https://developers.openai.com/api/docs/models/o3-mini.md",
        ),
        KnownModel(
            names=(
                "o4-mini",
                "o4-mini-2025-04-16",
            ),
            cutoff_on=date(2024, 6, 30),
            cutoff_source="https://developers.openai.com/api/docs/models/o4-mini.md",
            released_on=date(2025, 4, 16),
            released_source="https://vercel.com/ai-gateway/models/o4-mini.md",
        ),
        KnownModel(
            names=(
                "GPT-4.1",
                "GPT-4.1-2025-04-14",
            ),
            cutoff_on=date(2024, 6, 30),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-4.1.md",
            released_on=date(2025, 4, 14),
            released_source="https://developers.openai.com/api/docs/models/gpt-4.1.md",
        ),
        KnownModel(
            names=(
                "o3",
                "o3-2025-04-16",
            ),
            released_on=date(2025, 4, 16),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "gpt-oss-20b",
                "gpt-oss-120b",
            ),
            several=True,
            released_on=date(2025, 8, 5),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "GPT-5",
                "GPT-5-2025-08-07",
            ),
            released_on=date(2025, 8, 7),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "GPT-5 mini",
                "GPT-5-mini-2025-08-07",
            ),
            released_on=date(2025, 8, 7),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("GPT-5.2-Codex",),
            cutoff_on=date(2025, 8, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-5.2-codex.md",
            released_on=date(2025, 12, 11),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "GPT-5.5",
                "GPT-5.5-2026-04-23",
            ),
            cutoff_on=date(2025, 12, 31),
            cutoff_source="https://developers.openai.com/api/docs/models/gpt-5.5.md",
            released_on=date(2026, 4, 23),
            released_source="https://developers.openai.com/api/docs/models/gpt-5.5.md",
        ),
    ),
)
