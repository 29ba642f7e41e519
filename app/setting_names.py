"""Names of settings in an environment: those that are unknown, and those that have a new name."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from dotenv import dotenv_values

from app.config import CONSENSUS_PREFIXES, ENV_FILE, Settings


def unknown_settings(environment: Mapping[str, str]) -> list[str]:
    """Return the TIDEMARK_ variables that are no settings: a misspelt name would otherwise change nothing, silently."""
    names = {"STATE", "PYTHON", "CHROMIUM", "REQUIRE_ALL", "NO_ENV_FILE"}.union(map(str.upper, Settings.model_fields))
    ours = (name for name in environment if name.startswith("TIDEMARK_") and name not in renamed_settings(environment))
    return sorted(name for name in ours if name.removeprefix("TIDEMARK_").split("__")[0] not in names)


def renamed_settings(names: Iterable[str]) -> dict[str, str]:
    """Return the names of settings that are old ones, each with its new one; they work as before."""
    new, old = CONSENSUS_PREFIXES
    pairs = {name: name.replace(old, new) for name in names if name.startswith(old)}
    return {name: now for name, now in pairs.items() if now.removeprefix("TIDEMARK_").lower() in Settings.model_fields}


def setting_warnings(environment: Mapping[str, str], env_file: Path = ENV_FILE) -> list[str]:
    """Return what an operator is told at the start about names: unknown variables, and old names, also of `.env`."""
    given = {*dotenv_values(env_file), *environment}
    return [
        *(
            f"{name} is not a setting of Tidemark; .env.example lists the settings"
            for name in unknown_settings(environment)
        ),
        *(f"{name} is now {new}; the old name still works" for name, new in sorted(renamed_settings(given).items())),
    ]
