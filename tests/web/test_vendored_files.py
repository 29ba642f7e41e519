"""Files that others made and the site serves: known by digest, with their licences, and no file besides them."""

import hashlib
import tomllib

from web.assets import STATIC, load_assets

LOCK = tomllib.loads((STATIC.parent / "vendor.lock").read_text())


def test_every_vendored_file_and_its_licence_are_locked_with_their_digests() -> None:
    folder = STATIC / "vendor"
    entries = [*LOCK["file"], *LOCK["licence"]]
    for entry in entries:
        assert hashlib.sha256((folder / entry["path"]).read_bytes()).hexdigest() == entry["sha256"], entry["path"]
    assert {entry["licence_text"] for entry in LOCK["file"]} == {entry["path"] for entry in LOCK["licence"]}
    assert {entry["path"] for entry in entries} == {
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()
    }


def test_fonts_stay_within_45_kb() -> None:
    fonts = list(STATIC.rglob("*.woff2"))
    assert len(fonts) == 2
    assert sum(path.stat().st_size for path in fonts) <= 45_000


def test_style_sheet_names_fonts_by_their_served_names() -> None:
    files = load_assets()
    css = files.by_plain["site.css"].body.decode()
    assert "asset:" not in css
    for font in ("source-sans-3.woff2", "ibm-plex-mono.woff2"):
        assert files.by_plain[font].name in css
