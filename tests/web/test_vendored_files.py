"""Files that others made and the site serves: known by digest, with their licences, and no file besides them."""

import hashlib
import tomllib

from web.assets import STATIC, load_assets

LOCK = tomllib.loads((STATIC.parent / "vendor.lock").read_text())["file"]


def test_every_vendored_file_is_locked_with_its_digest_and_licence() -> None:
    folder = STATIC / "vendor"
    assert LOCK
    for entry in LOCK:
        assert hashlib.sha256((folder / entry["path"]).read_bytes()).hexdigest() == entry["sha256"], entry["path"]
        assert (folder / entry["licence_text"]).stat().st_size > 0
    named = {entry["path"] for entry in LOCK} | {entry["licence_text"] for entry in LOCK}
    assert named == {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


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
