"""Models of Alibaba."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Alibaba",
    (
        KnownModel(
            names=("Qwen-1.5-72B-Chat",),
            released_on=date(2024, 2, 5),
            released_source="https://github.com/QwenLM/Qwen3",
        ),
        KnownModel(
            names=(
                "CodeQwen15-7B",
                "CodeQwen1.5-7B",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/QwenLM/Qwen3-Coder/issues/78",
            released_on=date(2024, 4, 16),
            released_source="https://github.com/QwenLM/CodeQwen1.5",
        ),
        KnownModel(
            names=(
                "CodeQwen15-7B-Chat",
                "CodeQwen1.5-7B-Chat",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/QwenLM/Qwen3-Coder/issues/78",
            released_on=date(2024, 4, 16),
            released_source="https://github.com/QwenLM/CodeQwen1.5",
        ),
        KnownModel(
            names=(
                "Qwen2-Ins-72B",
                "Qwen2-72B-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/QwenLM/Qwen3/issues/525",
            released_on=date(2024, 6, 6),
            released_source="https://github.com/QwenLM/Qwen3",
        ),
        KnownModel(
            names=(
                "Qwen2.5-Ins-32B",
                "Qwen2.5-32B-Instruct",
            ),
            released_on=date(2024, 9, 19),
            released_source="https://github.com/QwenLM/Qwen3",
        ),
        KnownModel(
            names=("QwQ-32B-Preview",),
            released_on=date(2024, 11, 28),
            released_source="https://github.com/QwenLM/Qwen3/issues/1112",
        ),
        KnownModel(
            names=("Qwen3-235B-A22B",),
            released_on=date(2025, 4, 29),
            released_source="https://github.com/QwenLM/Qwen3",
        ),
    ),
)
