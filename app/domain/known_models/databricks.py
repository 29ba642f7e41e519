"""Models of Databricks."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "Databricks",
    (
        KnownModel(
            names=(
                "DBRX-Ins",
                "DBRX-Instruct",
            ),
            cutoff_on=date(2023, 12, 31),
            cutoff_source="https://github.com/databricks/dbrx/blob/main/MODEL_CARD_dbrx_instruct.md",
            released_on=date(2024, 3, 27),
            released_source="https://github.com/databricks/dbrx",
        ),
    ),
)
