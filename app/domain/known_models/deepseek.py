"""Models of DeepSeek."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "DeepSeek",
    (
        KnownModel(
            names=("DeepSeek-V3",),
            released_on=date(2024, 12, 26),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=("DeepSeek-R1",),
            released_on=date(2025, 1, 20),
            released_source="https://github.com/anomalyco/models.dev",
        ),
        KnownModel(
            names=(
                "DeepSeek-Coder-V2-Lite",
                "DeepSeek-Coder-V2-Lite-Instruct",
            ),
            several=True,
            cutoff_on=date(2023, 11, 30),
            cutoff_source="https://github.com/deepseek-ai/DeepSeek-Coder-V2/issues/1",
        ),
        KnownModel(
            names=(
                "DSCoder-33b-Ins",
                "DeepSeek-Coder-33b-Instruct",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
        KnownModel(
            names=(
                "DSCoder-33b-Base",
                "DeepSeek-Coder-33b-Base",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
        KnownModel(
            names=(
                "DSCoder-6.7b-Ins",
                "DeepSeek-Coder-6.7b-Instruct",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
        KnownModel(
            names=(
                "DSCoder-6.7b-Base",
                "DeepSeek-Coder-6.7b-Base",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
        KnownModel(
            names=(
                "DSCoder-1.3b-Ins",
                "DeepSeek-Coder-1.3b-Instruct",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
        KnownModel(
            names=(
                "DSCoder-1.3b-Base",
                "DeepSeek-Coder-1.3b-Base",
            ),
            released_on=date(2023, 11, 2),
            released_source="https://github.com/deepseek-ai/DeepSeek-Coder",
        ),
    ),
)
