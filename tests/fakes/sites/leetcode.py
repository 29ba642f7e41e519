"""A fake LeetCode in either edition, with Zerotrac's ratings on the same host: GraphQL, the contest API, ratings.

As the real ones, each knows its own names for the lists of contests alone, and answers its own pages alone.
"""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal
from urllib.parse import urlsplit

from fakes.fake_site import Asked, Reply
from fakes.sites import leetcode_cn
from fakes.sites.live import ROBOTS, Cache, not_found
from fakes.world import Clock, FakeContest, FakeProblem, Text

from app.domain.problems import Entry, Param
from app.domain.sources.records import DifficultyRating, ScrapedExample, ScrapedProblem

Edition = Literal["com", "cn"]

_BASES: Mapping[Edition, str] = {"com": "https://leetcode.com", "cn": "https://leetcode.cn"}
_LISTS = {"pastContests": "com", "upcomingContests": "com", "contestHistory": "cn", "contestUpcomingContests": "cn"}
_PARAMS = (("nums", "integer[]"), ("k", "integer"))
_TEX = {r"\leq": "<="}


class LeetCode:
    """Answers as the site would at the time the clock says. It names a contest's problems from the start on, and
    after a lag (`data_after`) only from the end of that on."""

    def __init__(self, contests: Sequence[FakeContest], clock: Clock, edition: Edition = "com") -> None:
        self._contests = {contest.external_id: contest for contest in contests}
        self._newest_first = sorted(contests, key=lambda contest: contest.starts_at, reverse=True)
        self._questions = {
            problem.external_id: (contest, problem) for contest in contests for problem in contest.problems
        }
        self._clock = clock
        self._edition = edition
        self._cache = Cache()

    def __call__(self, asked: Asked) -> Reply:
        """The answer to one request."""
        path = urlsplit(asked.path).path.rstrip("/")
        if path == "/robots.txt":
            return ROBOTS
        if path == "/graphql":
            return self._graphql(asked)
        if path == "/zerotrac/leetcode_problem_rating/main/ratings.txt":
            return self._ratings()
        found = re.fullmatch(r"/contest/api/info/([a-z0-9-]+)", path)
        contest = self._contests.get(found[1]) if found else None
        return self._info(contest) if contest else not_found()

    def _graphql(self, asked: Asked) -> Reply:
        if asked.method != "POST" or not _is_own_page(asked):
            page = b"<html><head><title>403 Forbidden</title></head><body>CSRF verification failed.</body></html>"
            return Reply(page, 403, {"Content-Type": "text/html"})
        query = json.loads(asked.body)
        given: Mapping[str, Any] = query.get("variables") or {}
        field = re.search(r"{\s*(\w+)", query["query"])
        name = field[1] if field else ""
        if _LISTS.get(name, self._edition) != self._edition:
            said = json.dumps({"errors": [{"message": f'Cannot query field "{name}" on type "Query".'}]})
            return Reply(said.encode(), 400, {"Content-Type": "application/json"})
        if name == "pastContests":
            return self._past(int(given.get("pageNo") or 1), int(given.get("numPerPage") or 10))
        if name == "contestHistory":
            return self._history(int(given["pageNum"]), int(given.get("pageSize") or 10))
        if name in _LISTS:
            return self._upcoming(name)
        return self._question(str(given.get("titleSlug")))

    def _over(self) -> list[FakeContest]:
        return [each for each in self._newest_first if each.ends_at <= self._clock()]

    def _past(self, number: int, size: int) -> Reply:
        over = self._over()

        def make() -> str:
            rows = [self._listed(each) for each in over[size * (number - 1) : size * number]]
            return _data({"pastContests": {
                "pageNum": -(-len(over) // size), "currentPage": number, "totalNum": len(over), "numPerPage": size,
                "data": rows,
            }})  # fmt: skip

        return self._cache.reply(("past", number, size, len(over)), make, "application/json")

    def _history(self, number: int, size: int) -> Reply:
        """A page that does not say which it is, nor of how many."""
        over = self._over()

        def make() -> str:
            rows = [self._listed(each) for each in over[size * (number - 1) : size * number]]
            return _data({"contestHistory": {"totalNum": len(over), "contests": rows}})

        return self._cache.reply(("history", number, size, len(over)), make, "application/json")

    def _upcoming(self, name: str) -> Reply:
        """The next contests that have not begun, two at most."""
        coming = [each for each in reversed(self._newest_first) if each.starts_at > self._clock()][:2]
        key = ("upcoming", *(each.external_id for each in coming))

        def make() -> str:
            return _data({name: [self._listed(each) for each in coming]})

        return self._cache.reply(key, make, "application/json")

    def _listed(self, contest: FakeContest) -> dict[str, Any]:
        return _listed(contest, leetcode_cn.title(contest) if self._edition == "cn" else contest.title)

    def _is_shown(self, contest: FakeContest) -> bool:
        return self._clock() >= (contest.opens_at if contest.data_after else contest.starts_at)

    def _info(self, contest: FakeContest) -> Reply:
        shown = self._is_shown(contest)

        def make() -> str:
            questions = [
                {"id": problem.number, "question_id": problem.number + 1000, "credit": problem.points,
                 "title": problem.title, "title_slug": problem.external_id, "category_slug": "algorithms"}
                for problem in contest.problems
            ]  # fmt: skip
            facts = {
                "id": 1, "title": contest.title, "title_slug": contest.external_id, "is_virtual": False,
                "start_time": int(contest.starts_at.timestamp()), "duration": int(contest.duration.total_seconds()),
                "origin_start_time": int(contest.starts_at.timestamp()),
            }  # fmt: skip
            made = {"contest": facts, "questions": questions if shown else [], "user_num": 4}
            return json.dumps(leetcode_cn.info(contest, made) if self._edition == "cn" else made)

        return self._cache.reply(("info", contest.external_id, shown), make, "application/json")

    def _question(self, name: str) -> Reply:
        contest, problem = self._questions.get(name, (None, None))
        if contest is None or problem is None or not self._is_shown(contest):
            return self._cache.reply(("question", None), lambda: _data({"question": None}), "application/json")
        return self._cache.reply(
            ("question", name), lambda: _data({"question": _question(problem, self._edition)}), "application/json"
        )

    def _ratings(self) -> Reply:
        rated = [each for each in self._newest_first if each.rated_at <= self._clock()]

        def make() -> str:
            lines = ["Rating\tID\tTitle\tTitle ZH\tTitle Slug\tContest Slug\tProblem Index"]
            lines += [
                f"{problem.rating}.5\t{problem.number}\t{problem.title}\t\t{problem.external_id}\t{contest.external_id}\t{problem.index}"
                for contest in rated
                for problem in contest.problems
                if problem.rating is not None
            ]
            return "\n".join(lines) + "\n"

        return self._cache.reply(("ratings", len(rated)), make, "text/plain", static=True)


def _is_own_page(asked: Asked) -> bool:
    """Whether a page of the address that is asked would ask so: what a site takes for a stranger's otherwise."""
    came_from = [urlsplit(asked.headers.get(name, "")).netloc for name in ("referer", "origin")]
    return came_from == [asked.headers["host"]] * 2


def truth(contest: FakeContest, problem: FakeProblem, edition: Edition = "com") -> ScrapedProblem:
    """What a reader of a question must find."""
    statements = {"en": _words(problem, problem.statements["en"], _LABELS)}
    if edition == "cn":
        statements["zh"] = _words(problem, leetcode_cn.text(problem), leetcode_cn.LABELS)
    return ScrapedProblem(
        external_id=problem.external_id,
        title=problem.title,
        url=f"{_BASES[edition]}/problems/{problem.external_id}/",
        form="function",
        locales=tuple(statements),
        statements=statements,
        samples=tuple(ScrapedExample(f"{_list(row)}\n{k}\n", f"{answer}\n") for row, k, answer in problem.samples),
        tags=problem.tags,
        difficulty=DifficultyRating("leetcode", problem.level),
        starter_code=_starter(problem),
        signature=Entry(problem.function, "Solution", tuple(Param(name, kind) for name, kind in _PARAMS), "integer"),
    )


_LABELS = ("Example", ":", "Input", "Output", "Constraints")


def _words(problem: FakeProblem, text: Text, labels: Sequence[str]) -> str:
    example, colon, given, result, rules_follow = labels
    parts = [_replaced(each, "`", "`", "_") for each in text.story]
    for number, (row, k, answer) in enumerate(problem.samples, 1):
        parts += [f"**{example} {number}{colon}**", f"**{given}{colon}** nums = {_list(row)}, k = {k}"]
        parts.append(f"**{result}{colon}** {answer}")
    rules = "\n".join(f"- {_replaced(constraint, '`', '`', '_')}" for constraint in text.constraints)
    return "\n\n".join([*parts, f"**{rules_follow}{colon}**", rules])


def _replaced(text: str, before: str, after: str, under: str) -> str:
    """The text with its formulas between other marks, as the site writes them: no TeX, an index by `under`."""
    for tex, plain in _TEX.items():
        text = text.replace(tex, plain)
    return re.sub(r"\$([^$]+)\$", lambda found: before + re.sub(r"_(\w)", under + r"\1", found[1]) + after, text)


def _list(row: Sequence[int]) -> str:
    return json.dumps(row, separators=(",", ":"))


def _data(data: Mapping[str, Any]) -> str:
    return json.dumps({"data": data}, ensure_ascii=False)


def _listed(contest: FakeContest, title: str) -> dict[str, Any]:
    start = int(contest.starts_at.timestamp())
    return {
        "title": title, "titleSlug": contest.external_id, "startTime": start, "originStartTime": start,
        "duration": int(contest.duration.total_seconds()), "isVirtual": False,
    }  # fmt: skip


def _starter(problem: FakeProblem) -> dict[str, str]:
    python = f"class Solution:\n    def {problem.function}(self, nums: List[int], k: int) -> int:\n        "
    cpp = f"class Solution {{\npublic:\n    int {problem.function}(vector<int>& nums, int k) {{\n        \n    }}\n}};"
    return {"cpp": cpp, "python3": python}


def _question(problem: FakeProblem, edition: Edition) -> dict[str, Any]:
    meta = {
        "name": problem.function, "params": [{"name": name, "type": kind} for name, kind in _PARAMS],
        "return": {"type": "integer"},
    }  # fmt: skip
    names = {"cpp": "C++", "python3": "Python3"}
    starter = _starter(problem)
    return {
        "questionId": str(problem.number + 1000), "questionFrontendId": str(problem.number), "title": problem.title,
        "titleSlug": problem.external_id, "content": _content(problem, problem.statements["en"], _LABELS),
        "translatedTitle": f"{problem.number} 号题" if edition == "cn" else None,
        "translatedContent": _content(problem, leetcode_cn.text(problem), leetcode_cn.LABELS) if edition == "cn"
        else None, "isPaidOnly": False, "difficulty": problem.level, "categoryTitle": "Algorithms",
        "topicTags": [{"name": tag.title(), "slug": tag} for tag in problem.tags],
        "codeSnippets": [{"lang": names[each], "langSlug": each, "code": code} for each, code in starter.items()],
        "exampleTestcases": "\n".join(f"{_list(row)}\n{k}" for row, k, _ in problem.samples),
        "sampleTestCase": f"{_list(problem.samples[0][0])}\n{problem.samples[0][1]}", "metaData": json.dumps(meta),
    }  # fmt: skip


def _content(problem: FakeProblem, text: Text, labels: Sequence[str]) -> str:
    example, colon, input_label, output_label, rules_follow = labels
    parts = [f"<p>{_html(each)}</p>" for each in text.story]
    for number, (row, k, answer) in enumerate(problem.samples, 1):
        parts.append(f'<p>&nbsp;</p>\n<p><strong class="example">{example} {number}{colon}</strong></p>')
        given, result = f"nums = {_list(row)}, k = {k}", str(answer)
        rows = "".join(
            f'<p><strong>{label}{colon}</strong> <span class="example-io">{value}</span></p>\n'
            for label, value in ((input_label, given), (output_label, result))
        )
        parts.append(f'<div class="example-block">\n{rows}</div>')
    rules = "\n".join(f"\t<li>{_html(constraint)}</li>" for constraint in text.constraints)
    return "\n\n".join([*parts, f"<p><strong>{rules_follow}{colon}</strong></p>\n\n<ul>\n{rules}\n</ul>\n"])


def _html(text: str) -> str:
    return re.sub(r"_(\w)</code>", r"<sub>\1</sub></code>", _marked(text))


def _marked(text: str) -> str:
    made = re.sub(r"\$([^$]+)\$", lambda found: f"<code>{escape(_replaced(found[1], '', '', '_'))}</code>", text)
    return re.sub(r"(<code>[^<]*?)_(\w)", r"\1<sub>\2</sub>", made)
