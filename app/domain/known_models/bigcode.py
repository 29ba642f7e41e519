"""Models of BigCode."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "BigCode",
    (
        KnownModel(
            names=("StarCoder2-3b",),
            cutoff_on=date(2023, 9, 6),
            cutoff_source="https://arxiv.org/abs/2402.19173",
            released_on=date(2024, 2, 28),
            released_source="https://huggingface.co/blog/starcoder2",
        ),
        KnownModel(
            names=("StarCoder2-7b",),
            cutoff_on=date(2023, 9, 6),
            cutoff_source="https://arxiv.org/abs/2402.19173",
            released_on=date(2024, 2, 28),
            released_source="https://huggingface.co/blog/starcoder2",
        ),
        KnownModel(
            names=("StarCoder2-15b",),
            cutoff_on=date(2023, 9, 6),
            cutoff_source="https://arxiv.org/abs/2402.19173",
            released_on=date(2024, 2, 28),
            released_source="https://huggingface.co/blog/starcoder2",
        ),
    ),
)
