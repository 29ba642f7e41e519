"""A statement in a real Chromium: formulas are set as mathematics under the site's policy, and it is accessible."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from factories import World, web_app
from playwright.sync_api import Browser, expect
from served import served
from support.browser import AXE
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker

pytestmark = pytest.mark.browser

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
STATEMENT = """Given $N$ numbers, find $\\frac{a_1 + a_2}{N^{2}}$, or \\$5. See [the page](https://example.org/).

$$\\sum_{i=1}^{N} a_i + b_i + c_i + d_i + e_i + f_i + g_i + h_i + a_i b_i c_i d_i e_i f_i g_i h_i + 10000000000$$

## Constraints

- $1 \\le N \\le 2 \\cdot 10^{5}$
- $\\frobnicate{x}$ is `$5`

#### Input

```
N
a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8 a_9 a_10 a_11 a_12 a_13 a_14 a_15 a_16 a_17 a_18 a_19 a_20 a_21 a_22 a_23 a_24
```

| a column | another column | a third column | a fourth column | a fifth column | a sixth column |
| --- | --- | --- | --- | --- | --- |
| $x$ | 2 | 3 | 4 | 5 | 6 |

![a ship](https://example.org/ship.png)

<script>document.title = "taken"</script>
"""


@pytest.fixture(scope="module")
def base(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served site with one problem."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            world.problem("a", statement=STATEMENT, tags=["dp", "*special"], topics=["dynamic-programming"])
            world.workers()
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as address:
            yield address
        engine.dispose()


@pytest.mark.parametrize(("locale", "look"), [("en", "light"), ("en", "dark"), ("zh", "phone")])
def test_a_formula_shows_as_mathematics(chromium: Browser, base: str, locale: str, look: str) -> None:
    context = chromium.new_context(**LOOKS[look], bypass_csp=False)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{base}/{locale}/problems/house/a")
    page.locator(".statement summary").click()
    fraction = page.locator(".statement-text mfrac")
    expect(fraction).to_be_visible()
    assert fraction.evaluate("each => each.namespaceURI") == "http://www.w3.org/1998/Math/MathML"
    # Set, not merely written: the numerator stands above the denominator, an exponent higher than its base.
    above, below = (fraction.locator("> *").nth(place).bounding_box() for place in (0, 1))
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1
    assert page.locator(".statement-text math[display=block]").evaluate("each => getComputedStyle(each).display") == (
        "block math"
    )
    assert page.locator(".statement-text code.tex").inner_text() == "\\frobnicate{x}"
    assert page.title() != "taken"
    assert said == []
    assert all(each.startswith(base) for each in asked), asked
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    found = Axe().run(page, options=AXE)
    assert found.violations_count == 0, found.generate_report()
    context.close()
