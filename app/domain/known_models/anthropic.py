"""Models of Anthropic."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Anthropic",
    (
        KnownModel(
            names=(
                "Claude-3-Opus",
                "Claude-3-Opus-20240229",
            ),
            cutoff_on=date(2023, 8, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2024, 2, 29),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Claude-3-Sonnet",
                "Claude-3-Sonnet-20240229",
            ),
            cutoff_on=date(2023, 8, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/models-overview",
            released_on=date(2024, 3, 4),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Claude-3-Haiku",
                "Claude-3-Haiku-20240307",
            ),
            cutoff_on=date(2023, 8, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2024, 3, 13),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Claude-3.5-Sonnet-20240620",),
            cutoff_on=date(2024, 4, 30),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2024, 6, 20),
            released_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
        ),
        KnownModel(
            names=("Claude-3.5-Sonnet-20241022",),
            cutoff_on=date(2024, 4, 30),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2024, 10, 22),
            released_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
        ),
        KnownModel(
            names=(
                "Claude-3.5-Haiku",
                "Claude-3.5-Haiku-20241022",
            ),
            cutoff_on=date(2024, 7, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2024, 10, 22),
            released_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
        ),
        KnownModel(
            names=(
                "Claude-3.7-Sonnet",
                "Claude-3.7-Sonnet-20250219",
            ),
            cutoff_on=date(2024, 11, 30),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2025, 2, 24),
            released_source="https://aimodelratings.com/Claude_3_7_Sonnet/report",
        ),
        KnownModel(
            names=(
                "Claude-Opus-4",
                "Claude-Opus-4-20250514",
            ),
            cutoff_on=date(2025, 3, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2025, 5, 22),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Claude-Sonnet-4",
                "Claude-Sonnet-4-20250514",
            ),
            cutoff_on=date(2025, 3, 31),
            cutoff_source="https://docs.anthropic.com/en/docs/about-claude/models/overview",
            released_on=date(2025, 5, 22),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "Claude-Opus-4.1",
                "Claude-Opus-4-1-20250805",
            ),
            cutoff_on=date(2025, 3, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2025, 8, 5),
            released_source="https://platform.claude.com/docs/en/about-claude/models/overview",
        ),
        KnownModel(
            names=(
                "Claude-Sonnet-4.5",
                "Claude-Sonnet-4-5-20250929",
            ),
            cutoff_on=date(2025, 7, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2025, 9, 29),
            released_source="https://platform.claude.com/docs/en/about-claude/models/overview",
        ),
        KnownModel(
            names=("Claude-Haiku-4.5",),
            cutoff_on=date(2025, 7, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2025, 10, 15),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Claude-Opus-4.5",),
            cutoff_on=date(2025, 8, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2025, 11, 24),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Claude-Opus-4.6",),
            cutoff_on=date(2025, 8, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2026, 2, 5),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Claude-Sonnet-4.6",),
            cutoff_on=date(2026, 1, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2026, 2, 17),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("Claude-Sonnet-5",),
            cutoff_on=date(2026, 1, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
            released_on=date(2026, 6, 30),
            released_source="https://platform.claude.com/docs/zh-CN/models/sonnet-5/overview.md",
        ),
        KnownModel(
            names=("Claude-Opus-5",),
            cutoff_on=date(2026, 5, 31),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
        ),
        KnownModel(
            names=("Claude-Fable-5.1",),
            cutoff_on=date(2026, 6, 30),
            cutoff_source="https://platform.claude.com/docs/en/about-claude/models/overview",
        ),
    ),
)
