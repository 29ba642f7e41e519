"""Models of WizardLM."""

from datetime import date

from app.domain.known_models import KnownModel, Vendor

VENDOR = Vendor(
    "WizardLM",
    (
        KnownModel(
            names=(
                "WCoder-34B-V1",
                "WizardCoder-Python-34B-V1.0",
            ),
            released_on=date(2023, 8, 26),
            released_source="https://github.com/nlpxucan/WizardLM",
        ),
        KnownModel(
            names=(
                "WCoder-33B-V1.1",
                "WizardCoder-33B-V1.1",
            ),
            released_on=date(2024, 1, 4),
            released_source="https://github.com/nlpxucan/WizardLM",
        ),
    ),
)
