"""Types of a configuration's settings: each value has one spelling, otherwise each spelling would be its own row."""

import re
from collections.abc import Mapping
from enum import Flag, auto
from typing import Any, Final

from app.domain.characters import normalize_visible
from app.domain.errors import InvalidInput


class SettingType(Flag):
    """A type that a setting may have."""

    WHOLE = auto()
    SWITCH = auto()
    TEXT = auto()
    OBJECT = auto()


_TYPE_NAMES: Final = {
    SettingType.WHOLE: "a whole number",
    SettingType.SWITCH: "true or false",
    SettingType.TEXT: "text",
    SettingType.OBJECT: "an object",
}

# Every setting that a back end supports, by our name; providers' own settings are passed as objects.
SETTING_TYPES: Final[Mapping[str, SettingType]] = {
    "chat_template_kwargs": SettingType.OBJECT,
    "effort": SettingType.TEXT,
    "enable_thinking": SettingType.SWITCH,
    "include_thoughts": SettingType.SWITCH,
    "reasoning": SettingType.OBJECT | SettingType.SWITCH | SettingType.TEXT,
    "reasoning_effort": SettingType.TEXT,
    "reasoning_summary": SettingType.TEXT,
    "thinking": SettingType.OBJECT | SettingType.SWITCH | SettingType.TEXT,
    "thinking_budget": SettingType.WHOLE,
    "thinking_level": SettingType.TEXT,
    "verbosity": SettingType.TEXT,
}

_NUMBER: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_BOOLEANS: Final = {"true": True, "false": False}


def convert_configuration(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with each setting in its own type: `"1024"` and 1024.0 are 1024, `"True"` and 1 are true.

    Raises InvalidInput for a value of the wrong type. Settings without a type stay as they are; back ends refuse them.
    """
    return {name: _convert_setting(name, value) for name, value in configuration.items()}


def _convert_setting(name: str, value: Any) -> Any:
    kind = SETTING_TYPES.get(name)
    if kind is None:
        return value
    if SettingType.WHOLE in kind or SettingType.SWITCH in kind:
        read = normalise_setting(name, value)
        if _is_whole(read) if SettingType.WHOLE in kind else isinstance(read, bool):
            return read
    if (SettingType.TEXT in kind and isinstance(value, str)) or (
        SettingType.OBJECT in kind and isinstance(value, Mapping)
    ):
        return value
    takes = " or ".join(words for setting_type, words in _TYPE_NAMES.items() if setting_type in kind)
    raise InvalidInput(f"{name} must be {takes}, not {value!r}", pointer=f"/configuration/{name}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _parse_number(text: str) -> Any:
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


def normalise_value(value: Any) -> Any:
    """Return a value with normalised texts and names, whole numbers without a fraction, and sorted names."""
    if isinstance(value, str):
        return normalize_visible(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {normalise_value(name): normalise_value(part) for name, part in sorted(value.items())}
    return [normalise_value(part) for part in value] if isinstance(value, list | tuple) else value


def normalise_setting(name: str, value: Any) -> Any:
    """Return a setting as providers accept it: words in any case, texts such as `true` or `1`, 1 and 0 as switches.

    Texts of several words, and prompts, stay as they are.
    """
    if isinstance(value, Mapping):
        return {key: normalise_setting(key, part) for key, part in value.items()}
    if isinstance(value, list):
        return [normalise_setting(name, part) for part in value]
    if isinstance(value, str) and len(value.split()) == 1 and "prompt" not in name:
        value = value.strip().casefold()
        value = _BOOLEANS.get(value, _parse_number(value))
    value = normalise_value(value)
    return bool(value) if SettingType.SWITCH in SETTING_TYPES.get(name, SettingType(0)) and value in (0, 1) else value
