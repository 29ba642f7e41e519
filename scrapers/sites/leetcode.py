"""LeetCode (leetcode.com, leetcode.cn): contests by GraphQL and the contest API, problems by GraphQL.

A problem has no date of its own: it is dated by the first contest that showed it, whose start is in the list of
contests. Its limits are not published. Expected results stand only in the statement's examples. The site mostly demands
a browser (Cloudflare) and its terms forbid republishing, so statements are off by default: a crawl brings dates, titles
and ratings, and a person can parse answers they have saved.

Kinds read the answers of both sites; `_leetcode/plan.py` says how each is requested. Ratings come from Zerotrac's files
(another host), which cover the problems of both.
"""

import re
from typing import Final

from scrapers.site import Edition, FactPages, Media, PageKind, Request, Site, kinds
from scrapers.sites._leetcode.contests import parse_contest, parse_contest_list
from scrapers.sites._leetcode.pages import classify
from scrapers.sites._leetcode.plan import CN_PLAN, PLAN
from scrapers.sites._leetcode.questions import parse_question
from scrapers.sites._leetcode.ratings import parse_ratings

_ID: Final = r"[A-Za-z0-9_\-]{1,200}"
# Two sites with the same problems under the same slugs. The Chinese one adds translations, and contests of its own.
_EDITIONS: Final = {"com": Edition("https://leetcode.com", PLAN), "cn": Edition("https://leetcode.cn", CN_PLAN)}


SITE: Final = Site(
    name="leetcode",
    title="LeetCode",
    base_url=_EDITIONS["com"].base_url,
    kinds=kinds(
        PageKind(
            "contest_list",
            parse_contest_list,
            re.compile(r"^/graphql/?#contests(?:/\d+)?$|^/contest/api/list/?(?:\?|$)"),
            Media.JSON,
        ),
        PageKind("contest", parse_contest, re.compile(rf"^/contest/api/(?:ranking/)?info/{_ID}/?(?:\?|$)"), Media.JSON),
        PageKind(
            "question",
            parse_question,
            re.compile(rf"^/graphql/?#question/{_ID}$|^/problems/{_ID}(?:/(?:description/?)?)?(?:\?|$)"),
            Media.TEXT,
            statement=True,
        ),
        PageKind(
            "ratings",
            parse_ratings,
            re.compile(r"^/zerotrac/leetcode_problem_rating/(?:refs/heads/)?\w+/(?:ratings\.txt|data\.json)$"),
            Media.TEXT,
        ),
    ),
    facts=(
        FactPages(
            "ratings",
            (
                Request(
                    "ratings",
                    "/zerotrac/leetcode_problem_rating/main/ratings.txt",
                    origin="https://raw.githubusercontent.com",
                ),
            ),
        ),
    ),
    missing_facts=frozenset({"limits", "dates"}),
    plan=_EDITIONS["com"].plan,
    editions=_EDITIONS,
    pace_s=3,
    fetch_statements=False,
    show_statements=False,
    classify=classify,
    login_path=re.compile(r"^/accounts/login\b"),
)
