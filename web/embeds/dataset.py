"""A board as a schema.org Dataset, for search engines (https://schema.org/Dataset)."""

from collections.abc import Mapping
from typing import Any

from web.context import PageRequest

_FORMATS = {"csv": "text/csv", "json": "application/json", "parquet": "application/vnd.apache.parquet"}


def dataset_json(page: PageRequest, title: str, caption: str, href: str, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the description of a board: its address, its date, and the files of the same view.

    `files` are paths by format: csv, json and parquet; others are left out.
    """
    site = page.state.public_url
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Tidemark: {title}",
        "description": f"{page.t('site.description')} {caption}",
        "url": f"{site}{href}",
        "inLanguage": page.locale.tag,
        "isAccessibleForFree": True,
        "dateModified": page.now.date().isoformat(),
        "creator": {"@type": "Organization", "name": "Tidemark", "url": site},
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": f"{site}{files[name]}"}
            for name, kind in _FORMATS.items()
        ],
    }
