"""`tidemark shots` finds every kind of page, and names their pictures apart."""

from datetime import date, timedelta

from factories import World
from httpx import Client

from app.cli.operations.shots import LANGUAGES, THEMES, WIDTHS, Look, find_pages, first_of_each_kind
from app.domain.judging.verdicts import Verdict


def test_one_page_of_each_kind_is_found(world: World, client: Client) -> None:
    for name in ("orion", "vega"):
        run = world.run(name, cutoff_on=date(2026, 1, 1))
        for index in range(3):
            problem = world.problem(
                f"{name}{index}", day=date(2026, 3, 1) + timedelta(weeks=index), contest=f"c{index}"
            )
            world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    found = find_pages(str(client.base_url))
    kinds = [path.split("?")[0].strip("/").split("/")[0] for path in found]
    assert {"", "boards", "models", "problems", "samples", "compare", "method", "docs"} <= set(kinds)
    assert len(found) == len(set(found))
    assert {path for path in found if client.get(f"/en{path}", follow_redirects=True).status_code != 200} == {
        "/nothing"
    }


def test_lists_and_boards_are_all_taken_and_other_kinds_once() -> None:
    paths = ["/", "/models", "/models/a", "/models/b", "/boards/x", "/boards/y", "/problems/s/1", "/problems/s/2"]
    assert first_of_each_kind(paths) == ["/", "/models", "/models/a", "/boards/x", "/boards/y", "/problems/s/1"]


def test_every_picture_has_a_name_of_its_own() -> None:
    looks = [Look(language, theme, width) for language in LANGUAGES for theme in THEMES for width in WIDTHS]
    names = {look.file_name(path) for look in looks for path in ("/", "/?tab=cost", "/models/a", "/models")}
    assert len(names) == 4 * len(looks)
