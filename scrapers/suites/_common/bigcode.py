"""Common facts of BigCodeBench's tasks and boards."""

from datetime import UTC, datetime
from typing import Final

from app.domain.imports import ImportedSource

SOURCE: Final = ImportedSource(
    "bigcodebench", "BigCodeBench", kind="suite", base_url="https://github.com/bigcode-project/bigcodebench"
)
# No task has a date of its own: all were out on the day of the set's first release.
RELEASED: Final = datetime(2024, 6, 18, tzinfo=UTC)
