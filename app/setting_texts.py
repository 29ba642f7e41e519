"""Values of settings as texts, for the environments of other processes."""

import json
from typing import Any

from pydantic import SecretStr


def plain_names(values: dict[str, Any]) -> dict[str, Any]:
    """Return the names of the values that are no secrets, at any depth, in the form of pydantic's `include`."""
    return {
        name: plain_names(value) if isinstance(value, dict) and value else True
        for name, value in values.items()
        if not isinstance(value, SecretStr)
    }


def spell_value(value: object, *, secret: bool) -> str:
    """Return a setting's value as the text of a variable, empty for a value that is not set or must stay secret."""
    if value is None or (isinstance(value, SecretStr) and not secret):
        return ""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if not isinstance(value, dict):
        return str(value)
    sites = {name: {key: spell_value(part, secret=secret) for key, part in site} for name, site in value.items()}
    return json.dumps({name: {key: part for key, part in site.items() if part} for name, site in sites.items()})
