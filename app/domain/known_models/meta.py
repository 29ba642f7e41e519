"""Models of Meta."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Meta",
    (
        KnownModel(
            names=("Llama-2",),
            cutoff_on=date(2023, 7, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama2/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3-8b-Ins",
                "Meta-Llama-3-8B-Instruct",
            ),
            cutoff_on=date(2023, 3, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3/MODEL_CARD.md",
            released_on=date(2024, 4, 18),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3-70b-Ins",
                "Meta-Llama-3-70B-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3/MODEL_CARD.md",
            released_on=date(2024, 4, 18),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3.1-8b-Ins",
                "Llama-3.1-8B-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
            released_on=date(2024, 7, 23),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3.1-70b-Ins",
                "Llama-3.1-70B-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
            released_on=date(2024, 7, 23),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3.1-405b-Ins-FP8",
                "Llama-3.1-405B-Instruct-FP8",
                "Llama-3.1-405B-Instruct",
            ),
            several=True,
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
            released_on=date(2024, 7, 23),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "Llama-3.2-1B-Instruct",
                "Llama-3.2-3B-Instruct",
            ),
            several=True,
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_2/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "LLama3.3-70b-Ins",
                "Llama-3.3-70B-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_3/MODEL_CARD.md",
            released_on=date(2024, 12, 6),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama3_3/MODEL_CARD.md",
        ),
        KnownModel(
            names=(
                "Llama-4-Scout",
                "Llama-4-Maverick",
            ),
            several=True,
            cutoff_on=date(2024, 8, 31),
            cutoff_source="https://github.com/meta-llama/llama-models/blob/main/models/llama4/MODEL_CARD.md",
            released_on=date(2025, 4, 5),
            released_source="https://github.com/meta-llama/llama-models/blob/main/models/llama4/MODEL_CARD.md",
        ),
        KnownModel(
            names=("CodeLlama-7b-Base",),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=("CodeLlama-13b-Base",),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=("CodeLlama-34b-Base",),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=(
                "CodeLlama-7b-Ins",
                "Cllama-7b-Ins",
            ),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=(
                "CodeLlama-13b-Ins",
                "Cllama-13b-Ins",
            ),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=(
                "CodeLlama-34b-Ins",
                "Cllama-34b-Ins",
            ),
            released_on=date(2023, 8, 24),
            released_source="https://github.com/meta-llama/codellama",
        ),
        KnownModel(
            names=("CodeLlama-70b-Ins",),
            released_on=date(2024, 1, 29),
            released_source="https://github.com/meta-llama/codellama",
        ),
    ),
)
