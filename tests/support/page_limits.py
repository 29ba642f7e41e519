"""What any page of the site holds to: sizes of text and targets, height, and the language of its words."""

from playwright.sync_api import Page

LEAST_TEXT_PX = 13
LEAST_TARGET_PX = 24

_SMALL_TEXT = """least => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const owner = node.parentElement;
        if (!node.data.trim() || !owner.checkVisibility({ visibilityProperty: true })) continue;
        if (owner.closest("script, style, math, sub, sup, .hidden-text, title, desc")) continue;
        const drawn = owner.ownerSVGElement ? owner.getScreenCTM().a : 1;
        const size = parseFloat(getComputedStyle(owner).fontSize) * drawn;
        if (size < least - 0.05) found.push(`${size.toFixed(1)} px: ${node.data.trim().slice(0, 40)}`);
    }
    return [...new Set(found)].slice(0, 10);
}"""

# A link inside a sentence is as high as its line (WCAG 2.5.8 leaves it out); every other target has its size.
_SMALL_TARGETS = """least => {
    const inSentence = each => {
        if (getComputedStyle(each).display !== "inline") return false;
        let block = each.parentElement;
        while (getComputedStyle(block).display === "inline") block = block.parentElement;
        const links = [...block.querySelectorAll("a, button")].map(one => one.textContent).join("");
        return block.textContent.replace(/\\s+/g, "").length > links.replace(/\\s+/g, "").length + 2;
    };
    return [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
        .filter(each => each.checkVisibility({ visibilityProperty: true }) && each.type !== "hidden")
        .filter(each => !each.closest(".skip, label, .hidden-text"))
        .map(each => [each, each.getBoundingClientRect()])
        .filter(([each, box]) => box.width && Math.min(box.height, box.width) < least - 0.5 && !inSentence(each))
        .map(([each, box]) => `${box.width.toFixed(0)}x${box.height.toFixed(0)} ${each.outerHTML.slice(0, 90)}`)
        .slice(0, 10);
}"""

# Names, code and text that says its own language do not count.
_LATIN_SHARE = """() => {
    const left = "code, pre, kbd, math, svg, script, style, [lang]:not(html), th[scope=row], .wordmark, option, " +
        "a[href*='/models/'], a[href*='/problems/'], [translate=no]";
    let latin = 0, chinese = 0;
    const words = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.checkVisibility() || node.parentElement.closest(left)) continue;
        const found = node.data.match(/[A-Za-z]{3,}/g) ?? [];
        latin += found.length;
        words.push(...found);
        chinese += (node.data.match(/[\\u4e00-\\u9fff]/g) ?? []).length;
    }
    return { share: latin / Math.max(1, latin + chinese / 2), words: words.slice(0, 30) };
}"""


def small_text(page: Page) -> list[str]:
    """Visible text below 13 px, as it is drawn."""
    return list(page.evaluate(_SMALL_TEXT, LEAST_TEXT_PX))


def small_targets(page: Page) -> list[str]:
    """Visible targets below 24 px in either direction, without links inside sentences."""
    return list(page.evaluate(_SMALL_TARGETS, LEAST_TARGET_PX))


def latin_share(page: Page) -> tuple[float, list[str]]:
    """The share of Latin words among the visible words, two Chinese characters as one word; and some of them."""
    found = page.evaluate(_LATIN_SHARE)
    return float(found["share"]), list(found["words"])


def height(page: Page) -> int:
    """The height of the whole page in pixels."""
    return int(page.evaluate("document.documentElement.scrollHeight"))


_BEYOND_THE_EDGE = """() => {
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= edge) return [];
    return [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > edge + 1)
        .map(each => `${each.tagName} ${each.className} ${Math.round(each.getBoundingClientRect().right)}`).slice(0, 6);
}"""


def beyond_the_edge(page: Page) -> list[str]:
    """Elements that make the page wider than its window; empty if it is not."""
    return list(page.evaluate(_BEYOND_THE_EDGE))


_OVERLAPS = """() => [...document.querySelectorAll(".tabs, .segments, .links, .site-nav, .counts, .act-row")]
    .flatMap(row => [...row.children].filter(each => each.checkVisibility() && !each.matches(".hidden-text"))
        .map(each => [each, each.scrollWidth > each.clientWidth + 1 && each.clientWidth, each.getBoundingClientRect()])
        .map(([each, cut, box], place, all) => [each, cut, box, all[place + 1]?.[2]]))
    .filter(([each, cut, box, next]) =>
        cut || (next && next.top < box.bottom && next.left < box.right - 1 && next.left > box.left))
    .map(([each]) => each.outerHTML.slice(0, 90)).slice(0, 6)"""


def overlaps(page: Page) -> list[str]:
    """Links and buttons in a row that lie over the next one, or hold more than they are wide."""
    return list(page.evaluate(_OVERLAPS))
