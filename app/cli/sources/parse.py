"""`tidemark parse`: reads one saved page or API response and prints its records as JSON."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from app.cli.files import unreadable_error
from app.domain.errors import NotFound
from app.domain.sources.records import Classification, record_to_json
from scrapers.replay import parse_page as parse_body
from scrapers.site import ParsedPage, all_sites, find_site

_NOT_OK_EXIT = 3
_USAGE_EXIT = 2


def parse(
    site: Annotated[str | None, typer.Argument(metavar="SITE", help="A site, such as atcoder.")] = None,
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="A kind of page of that site; --kinds lists them.")
    ] = None,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The saved response body.")] = None,
    url: Annotated[
        str, typer.Option(metavar="URL", help="Where it came from; some pages do not name their own problem.")
    ] = "",
    state: Annotated[Path | None, typer.Option(metavar="DIR", help="The state folder, for --keep.")] = None,
    *,
    kinds: Annotated[bool, typer.Option("--kinds", help="List every site and its kinds as JSON.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Store the page and its records as a visit would.")] = False,
) -> None:
    """Parse one saved page or API response and print it as JSON.

    The JSON has "class", "records" and "findings". The exit code is 0 when the class is ok, 3 for any other class
    (nothing is stored then), and 2 for a usage error.

    Examples:
      ./tidemark parse --kinds
      ./tidemark parse atcoder task FILE
    """
    if kinds:
        _print({name: list(site.kinds) for name, site in all_sites().items()})
        return
    if site is None or kind is None or file is None:
        _fail("parse needs SITE KIND FILE, or --kinds")
    try:
        source = find_site(site)
        source.kind(kind)
    except NotFound as unknown:
        _fail(str(unknown))
    try:
        body = file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a file name with a NUL
        _fail(str(unreadable_error(file, error)))
    parsed = parse_body(source, kind, body, url)
    _print(parsed_json(parsed))
    if parsed.classification is not Classification.OK:
        raise typer.Exit(_NOT_OK_EXIT)
    if keep:
        from app.cli.sources.scrape import keep_page  # slow, and needs the database

        keep_page(source, kind, body, url, parsed, state)


def parsed_json(parsed: ParsedPage) -> dict[str, Any]:
    """Return a parsed body as it is printed."""
    return {
        "class": parsed.classification.value,
        "records": [record_to_json(record) for record in parsed.records],
        "findings": [
            {"code": finding.code, "message": finding.message, "subject": finding.subject}
            for finding in parsed.findings
        ],
    }


def _print(value: Any) -> None:
    # As bytes: the terminal's encoding may lack characters of the statement.
    sys.stdout.flush()
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")
    sys.stdout.buffer.flush()


def _fail(reason: str) -> NoReturn:
    print(f"tidemark parse: {reason}", file=sys.stderr)
    raise typer.Exit(_USAGE_EXIT)
