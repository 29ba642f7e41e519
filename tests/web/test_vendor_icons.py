"""Vendors of models are known by their icons, and others by a letter."""

import pytest

from app.domain.known_models import known_models
from web.assets import ICONS, load_assets
from web.vendor_icons import icon_paths, vendor_mark

NAMES = sorted(path.stem for path in ICONS.glob("*.svg"))


@pytest.mark.parametrize(
    ("organisation", "icon", "letter"),
    [
        ("OpenAI", "openai", "O"), ("DeepSeek AI", "deepseek", "D"), ("deepseek-ai", "deepseek", "D"),
        ("Mistral AI", "mistral", "M"), ("Databricks", "dbrx", "D"), ("Google DeepMind", "google", "G"),
        ("Saltmarsh Research", "", "S"), ("智谱", "", "智"), ("«Ünï»", "", "Ü"), ("", "", "?"), ("--", "", "?"),
    ],
)  # fmt: skip
def test_a_vendor_has_its_icon_or_its_letter(organisation: str, icon: str, letter: str) -> None:
    mark = vendor_mark(organisation)
    assert (mark.icon, mark.letter) == (icon, letter)


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_is_drawn_from_paths(name: str) -> None:
    paths = icon_paths(name)
    assert paths
    assert sum(map(len, paths)) < 2_500, "a page holds those of all its rows"
    assert all(path[0] in "Mm" for path in paths)


def test_vendors_of_known_models_have_icons() -> None:
    marks = {model.organisation: vendor_mark(model.organisation).icon for model in known_models()}
    assert {name for name, icon in marks.items() if icon} >= {
        "Alibaba", "Anthropic", "Cohere", "Databricks", "DeepSeek", "Google", "Meta", "Mistral AI", "OpenAI",
        "Stability AI", "xAI",
    }  # fmt: skip


def test_icons_are_no_files_of_their_own() -> None:
    assert not {f"{name}.svg" for name in NAMES} & load_assets().by_plain.keys()
