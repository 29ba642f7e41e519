"""LeetCode's problems: statements, signatures, starter code, flags, old pages, refusals."""

import json
from typing import Any

import pytest

from app.domain.problems import Entry, Method, Param
from app.domain.sources.records import Classification, DifficultyRating, ScrapedExample, ScrapedProblem, record_to_json
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("leetcode")
CONTENT = (
    "<p>Given <code>lamps</code>, count the <strong>lit</strong> ones.&nbsp;</p>\r\n\r\n<p>&nbsp;</p>\r\n"
    '<p><strong class="example">Example 1:</strong></p>\r\n<img alt="lamps" src="/uploads/lamps.png" />\r\n'
    "<pre>\r\n<strong>Input:</strong> lamps = [1,0], limit = 2\r\n<strong>Output:</strong> 1\r\n</pre>\r\n"
    "<p><strong>Constraints:</strong></p>\r\n<ul>\r\n"
    "\t<li><code>1 &lt;= lamps.length &lt;= 10<sup>4</sup></code></li>\r\n"
    "\t<li><code>lamps[i<sub>1</sub>]</code> is 0 or 1.</li>\r\n</ul>"
)
META = {
    "name": "countLamps",
    "params": [{"name": "lamps", "type": "integer[]"}, {"name": "limit", "type": "integer"}],
    "return": {"type": "integer"},
}
QUESTION: dict[str, Any] = {
    "questionId": "9001",
    "questionFrontendId": "8001",
    "title": "Count the Lamps",
    "titleSlug": "count-the-lamps",
    "content": CONTENT,
    "translatedTitle": None,
    "translatedContent": None,
    "isPaidOnly": False,
    "difficulty": "Medium",
    "topicTags": [{"name": "Array", "slug": "array"}, {"name": "Two Pointers", "slug": "two-pointers"}, None],
    "codeSnippets": [
        {"lang": "C++", "langSlug": "cpp", "code": "class Solution {\r\n};"},
        {"lang": "Python3", "langSlug": "python3", "code": "class Solution:\n    "},
    ],
    "exampleTestcases": "[1,0]\n2",
    "metaData": json.dumps(META),
}


def answer(**changes: Any) -> bytes:
    return json.dumps({"data": {"question": QUESTION | changes}}).encode()


def read(url: str = "", **changes: Any) -> ParsedPage:
    return parse_page(SITE, "question", answer(**changes), url)


def one(**changes: Any) -> ScrapedProblem:
    parsed = read(**changes)
    assert parsed.classification is Classification.OK, parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    return problem


def codes(parsed: ParsedPage) -> set[str]:
    return {finding.code for finding in parsed.findings}


def test_a_problem_carries_its_facts() -> None:
    problem = one()
    assert not read().findings
    assert problem.external_id == "count-the-lamps"
    assert problem.url == "https://leetcode.com/problems/count-the-lamps/"
    assert (problem.title, problem.form, problem.locales) == ("Count the Lamps", "function", ("en",))
    assert problem.difficulty == DifficultyRating("leetcode", "Medium")
    assert problem.tags == ("array", "two-pointers")
    assert problem.samples == (ScrapedExample("[1,0]\n2\n", "1\n"),)
    assert problem.starter_code == {"cpp": "class Solution {\n};", "python3": "class Solution:\n    "}
    assert problem.flags == ("image",)
    assert problem.signature == Entry(
        "countLamps", "Solution", (Param("lamps", "integer[]"), Param("limit", "integer")), "integer"
    )
    assert record_to_json(problem)["starts_at"] is None, "a problem of LeetCode has no date of its own"


def test_a_statement_is_clean_text() -> None:
    text = one().statements["en"]
    assert text.startswith("Given `lamps`, count the **lit** ones.\n\n**Example 1:**")
    assert "![lamps](https://leetcode.com/uploads/lamps.png)" in text
    assert "```\nInput: lamps = [1,0], limit = 2\nOutput: 1\n```" in text
    assert "- `1 <= lamps.length <= 10^4`\n- `lamps[i_1]` is 0 or 1." in text
    assert "\r" not in text
    assert "\u00a0" not in text


def test_both_languages() -> None:
    chinese = (
        "<p>数一数亮着的灯。</p><pre><strong>输入：</strong>lamps = [1,0], limit = 2\n<strong>输出：</strong>1\n"
        "<strong>解释：</strong>只有一盏。</pre>"
    )
    problem = one(translatedContent=chinese, translatedTitle="数灯")
    assert problem.locales == ("en", "zh")
    assert problem.title == "Count the Lamps"
    assert problem.statements["zh"].startswith("数一数亮着的灯。")
    absent = "<p>English description is not available for the problem. Please switch to Chinese.</p>"
    alone = one(content=absent, translatedContent=chinese, exampleTestcases=None)
    assert (alone.locales, alone.samples) == (("zh",), (ScrapedExample("[1,0]\n2\n", "1\n"),))
    assert one(content=chinese).locales == ("zh",), "problems of the Chinese site alone"
    differing = read(translatedContent=chinese.replace("</strong>1", "</strong>2"))
    assert "samples_differ" in codes(differing)


@pytest.mark.parametrize(
    "wrapped",
    [
        {"data": {"activeDailyCodingChallengeQuestion": {"date": "2026-01-10", "link": "/x/", "question": QUESTION}}},
        {"data": {"todayRecord": [{"date": "2026-01-10", "question": QUESTION}]}},
        {"data": {"question": QUESTION}, "extensions": {}},
        {"question": QUESTION},
    ],
)
def test_answers_that_wrap_a_question(wrapped: dict[str, Any]) -> None:
    assert parse_page(SITE, "question", json.dumps(wrapped).encode()).records == (one(),)


def test_a_class_problem() -> None:
    meta = {
        "classname": "LampBoard",
        "constructor": {"params": [{"type": "integer", "name": "size"}]},
        "methods": [
            {"name": "toggle", "params": [{"type": "integer", "name": "at"}], "return": {"type": "void"}},
            {"name": "count", "params": [], "return": {"type": "integer"}},
        ],
        "systemdesign": True,
        "params": [{"name": "inputs", "type": "integer[]"}, {"name": "inputs", "type": "integer[]"}],
        "return": {"type": "list<String>", "dealloc": True},
    }
    content = (
        "<pre><strong>Input</strong>\n[&quot;LampBoard&quot;, &quot;toggle&quot;, &quot;count&quot;]\n[[3], [1], []]\n"
        "<strong>Output</strong>\n[null, null, 1]\n\n<strong>Explanation</strong>\n"
        "LampBoard board = new LampBoard(3);\n</pre>"
    )
    cases = '["LampBoard","toggle","count"]\n[[3],[1],[]]'
    problem = one(content=content, metaData=json.dumps(meta), exampleTestcases=cases)
    assert problem.form == "class"
    assert problem.samples == (ScrapedExample(f"{cases}\n", "[null, null, 1]\n"),)
    assert problem.signature == Entry(
        "",
        "LampBoard",
        (Param("size", "integer"),),
        methods={"toggle": Method((Param("at", "integer"),), "void"), "count": Method((), "integer")},
    )


def test_a_signature_is_printed_as_a_function_or_a_class() -> None:
    function = one(metaData=json.dumps(META | {"return": {"type": "void"}, "output": {"paramindex": 1}}))
    assert json.dumps(record_to_json(function)["signature"]) == (
        '{"name": "countLamps", "params": [{"name": "lamps", "type": "integer[]"}, {"name": "limit", "type": "integer"}'
        '], "returns": "void", "output_param": 1}'
    )
    called = {"name": "toggle", "params": [{"name": "at", "type": "integer"}], "return": {"type": "void"}}
    made = {"classname": "Board", "constructor": {"params": []}, "methods": [called]}
    assert json.dumps(record_to_json(one(metaData=json.dumps(made)))["signature"]) == (
        '{"class": "Board", "params": [], "methods": '
        '{"toggle": {"params": [{"name": "at", "type": "integer"}], "returns": "void"}}}'
    )


def test_without_metadata_the_starter_code_tells() -> None:
    code = (
        "# class ListNode:\n#     def __init__(self, x):\nclass Solution:\n"
        "    def countLamps(self, lamps: Dict[str, List[int]], limit: int = 3) -> Optional[ListNode]:\n        "
    )
    problem = one(metaData=None, codeSnippets=[{"langSlug": "python3", "code": code}], exampleTestcases=None)
    assert problem.signature == Entry(
        "countLamps",
        "Solution",
        (Param("lamps", "Dict[str, List[int]]"), Param("limit", "int")),
        "Optional[ListNode]",
    )
    board = (
        "class LampBoard:\n\n    def __init__(self, size: int):\n        \n    def toggle(self, at: int) -> None:\n"
        "        \n    def count(self) -> int:\n        \n\n# Your LampBoard object will be used as such:"
    )
    made = one(metaData=None, codeSnippets=[{"langSlug": "python3", "code": board}])
    assert made.form == "class"
    assert made.signature is not None
    assert made.signature.methods["toggle"] == Method((Param("at", "int"),), "void")
    nothing = read(metaData=None, codeSnippets=None)
    assert {"missing_signature"} <= codes(nothing)
    assert isinstance(nothing.records[0], ScrapedProblem)
    assert nothing.records[0].form is None


@pytest.mark.parametrize(
    "broken", ["{", '"text"', "[]", '{"name": 3}', '{"name": "f", "params": ["x"], "return": {"type": "integer"}}', 7]
)
def test_broken_metadata_is_a_finding(broken: Any) -> None:
    parsed = read(metaData=broken)
    assert parsed.classification is Classification.OK
    assert {"broken_metadata", "missing_signature"} <= codes(parsed)


def test_a_changed_argument_is_the_answer() -> None:
    meta = META | {"return": {"type": "void"}, "output": {"paramindex": 0}}
    content = CONTENT.replace("</strong> 1", "</strong> [0,0]")
    problem = one(metaData=json.dumps(meta), content=content)
    assert problem.signature is not None
    assert problem.signature.output_param == 0
    assert problem.samples[0].output == "[0,0]\n"
    kept = json.dumps(META | {"output": {"paramindex": 0, "size": "ret"}})
    problem = one(metaData=kept, content=CONTENT.replace("</strong> 1", "</strong> 1, lamps = [1,_]"))
    assert problem.samples[0].output == "[1]\n"
    assert "custom_driver" in problem.flags
    assert problem.signature is not None
    assert problem.signature.output_param is None


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({"content": "<p>Return the lamps in <strong>any order</strong>.</p>"}, ()),
        ({"content": "<p>You may return the answer in <b>any order</b>.</p>", "returns": "list<integer>"}, "order"),
        ({"content": "<p>可以按任意顺序返回答案。</p>", "returns": "integer[]"}, "order"),
        ({"content": "<p>The tasks may be done in any order. Count them.</p>"}, ()),
        ({"content": "<p>If there are multiple answers, return any of them.</p>"}, ("multiple_answers",)),
        ({"content": "<p>如果有多个答案，返回任意一个。</p>"}, ("multiple_answers",)),
        ({"content": "<p>You may flip any of the lamps.</p>"}, ()),
        ({"content": "<p>Answers within 10<sup>-5</sup> of the actual answer are accepted.</p>"}, ("float_tolerance",)),
        ({"content": "<p>The mean.</p>", "returns": "double"}, ("float_tolerance",)),
        ({"content": "<p>This is an <strong>interactive problem</strong>.</p>"}, ("interactive",)),
        ({"content": "<p>You call a pre-defined API <code>int guess(int num)</code>.</p>"}, ("interactive",)),
        (
            {
                "content": "<p>x</p>",
                "codeSnippets": [{"langSlug": "cpp", "code": "// The API isLit is defined for you."}],
            },
            ("interactive",),
        ),
        (
            {
                "content": "<p>x</p>",
                "codeSnippets": [{"langSlug": "java", "code": "// This is LampArray's API interface.\n"}],
            },
            ("interactive",),
        ),
        (
            {
                "content": "<p>x</p>",
                "codeSnippets": [{"langSlug": "java", "code": "// This is the lamp’s own interface"}],
            },
            ("interactive",),
        ),
        ({"content": "<p>Use the 3 given APIs only.</p>"}, ("interactive",)),
        ({"content": "<p>x</p>", "isPaidOnly": True}, ("paid_only",)),
        ({"content": "<p>x</p>", "manual": True}, ("custom_driver",)),
    ],
)
def test_flags(changes: dict[str, Any], flags: Any) -> None:
    meta: dict[str, Any] = META | {"return": {"type": changes.pop("returns", "integer")}}
    meta |= {"manual": changes.pop("manual")} if "manual" in changes else {}
    expected = ("multiple_answers", "any_order") if flags == "order" else flags
    assert one(metaData=json.dumps(meta), **changes).flags == expected


@pytest.mark.parametrize(
    ("changes", "flag"),
    [
        ({"categoryTitle": "Database"}, "database"),
        ({"topicTags": [{"slug": "database"}], "metaData": '{"database": true, "mysql": []}'}, "database"),
        ({"codeSnippets": [{"langSlug": "mysql", "code": "#"}, {"langSlug": "pythondata", "code": "#"}]}, "database"),
        ({"topicTags": [{"slug": "shell"}]}, "shell"),
        ({"codeSnippets": [{"langSlug": "bash", "code": "#"}]}, "shell"),
        ({"topicTags": [{"slug": "concurrency"}]}, "concurrency"),
    ],
)
def test_problems_without_a_call_have_no_form(changes: dict[str, Any], flag: str) -> None:
    parsed = read(**changes)
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.form, problem.signature, problem.samples) == (None, None, ())
    assert flag in problem.flags
    assert not parsed.findings


def test_answers_that_hold_no_problem() -> None:
    def classified(body: Any) -> Classification:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return parse_page(SITE, "question", raw).classification

    def refused(message: str) -> Classification:
        return classified({"errors": [{"message": message, "path": ["question"]}], "data": {"question": None}})

    assert read(content=None, isPaidOnly=True).classification is Classification.PAID_ONLY
    assert read(content=None).classification is Classification.FORMAT_CHANGED
    assert read(content="<p> </p>").classification is Classification.FORMAT_CHANGED
    assert classified({"data": {"question": None}}) is Classification.NOT_FOUND
    assert classified({"errors": [{"message": "Question matching query does not exist."}]}) is Classification.NOT_FOUND
    assert classified({"errors": [{}]}) is Classification.NOT_FOUND
    assert refused("You have exceeded the rate limit") is Classification.RATE_LIMITED
    assert refused("超出访问限制，请稍后再试") is Classification.RATE_LIMITED
    assert refused("Please log in first") is Classification.LOGIN
    assert refused('Cannot query field "x" on type "QuestionNode".') is Classification.FORMAT_CHANGED
    assert refused("Internal server error") is Classification.UNREACHABLE
    assert classified({"detail": "Request was throttled."}) is Classification.RATE_LIMITED
    assert classified({"detail": "CSRF Failed: CSRF token missing."}) is Classification.BLOCKED
    assert classified(b"<html><body><h1>CSRF verification failed.</h1></body></html>") is Classification.BLOCKED
    assert classified({"data": {"question": {"titleSlug": "x"}}}) is Classification.FORMAT_CHANGED
    assert classified({"data": {"matchedUser": {}}}) is Classification.FORMAT_CHANGED
    assert classified(b'{"data": {"question": {"titleSlug": "x", "conte') is Classification.FORMAT_CHANGED
    partly = {"errors": [{"message": "companyTagStats is for subscribers"}], "data": {"question": QUESTION}}
    parsed = parse_page(SITE, "question", json.dumps(partly).encode())
    assert (parsed.classification, codes(parsed)) == (Classification.OK, {"graphql_error"})


def test_the_address_names_the_problem_and_must_agree() -> None:
    for url in (
        "https://leetcode.com/problems/count-the-lamps/description/",
        "https://x.test/graphql#question/count-the-lamps",
    ):
        parsed = read(url, titleSlug=None)
        assert isinstance(parsed.records[0], ScrapedProblem)
        assert parsed.records[0].external_id == "count-the-lamps"
        assert codes(read(url.replace("lamps", "stars"))) == {"another_page"}
    assert "missing_id" in codes(read("https://leetcode.com/graphql", titleSlug=None))


OLD = """<html><head><title>Count the Lamps | LeetCode OJ</title></head><body>
<div class="question-title clearfix"><h3>801. Count the Lamps</h3></div>
<div class="question-info"><ul><li>Total: <strong>1</strong></li><li>Difficulty: <strong>Hard</strong></li></ul></div>
<div class="question-content"><p>Count <b>s</b>.</p><p><b>Example:</b></p><pre>Input:\ns = "ab"\n\nOutput:\nb\n</pre>
<div><p><a href="/subscribe/">Subscribe</a> to see which companies asked this question</p></div>
<div><div id="tags" class="btn">Show Tags</div>
<span class="hidebutton"><a href="/tag/hash-table/">Hash Table</a></span></div>
</div>
<div ng-init="aceCtrl.init([{'value': 'cpp', 'text': 'C++', 'defaultCode': 'int f() {\\u000D\\u000A}\\u003B' },
{'value': 'python', 'text': 'Python', 'defaultCode': 'it\\'s' },], '801_0', '\\u0022ab\\u0022',
'{\\u0022name\\u0022: \\u0022f\\u0022, \\u0022params\\u0022: [{\\u0022name\\u0022: \\u0022s\\u0022,
\\u0022type\\u0022: \\u0022string\\u0022}], \\u0022return\\u0022: {\\u0022type\\u0022: \\u0022character\\u0022}}',
true);"></div>
<script>var pageData = { questionId: '801', questionTitleSlug: 'count-the-lamps' };</script></body></html>"""


def test_the_server_rendered_page_of_2016() -> None:
    parsed = parse_page(SITE, "question", OLD.encode())
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert not parsed.findings
    assert (problem.external_id, problem.title) == ("count-the-lamps", "Count the Lamps")
    assert (problem.difficulty, problem.tags) == (DifficultyRating("leetcode", "Hard"), ("hash-table",))
    assert problem.starter_code == {"cpp": "int f() {\n};", "python": "it's"}
    assert problem.samples == (ScrapedExample('"ab"\n', '"b"\n'),)
    assert "Subscribe" not in problem.statements["en"]
    assert "Show Tags" not in problem.statements["en"]
    assert problem.signature is not None
    assert problem.signature.returns == "character"
    cut = parse_page(SITE, "question", OLD[:-20].encode())
    assert cut.classification is Classification.FORMAT_CHANGED
    assert parse_page(SITE, "contest_list", OLD.encode()).classification is Classification.FORMAT_CHANGED


def test_the_page_of_today_holds_its_answers() -> None:
    parts = [
        {"state": {"data": {"question": {"titleSlug": "count-the-lamps", "title": "Count the Lamps"}}}},
        {"state": {"data": {"question": {name: QUESTION[name] for name in ("content", "metaData", "difficulty")}}}},
        {"state": {"data": {"question": {"titleSlug": "another", "content": "<p>no</p>"}}}},
        {"state": {"data": {"question": {"topicTags": QUESTION["topicTags"], "content": None}}}},
    ]
    state = {"props": {"pageProps": {"dehydratedState": {"queries": parts}}}}
    script = json.dumps(state).replace("</", "<\\/")
    page = f'<html><body><script id="__NEXT_DATA__" type="application/json">{script}</script></body></html>'
    url = "https://leetcode.com/problems/count-the-lamps/"
    (problem,) = parse_page(SITE, "question", page.encode(), url).records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.statements, problem.tags) == (one().statements, one().tags)
    empty = parse_page(SITE, "question", page.replace("question", "nothing").encode(), url)
    assert codes(empty) == {"unknown_layout"}


def test_a_locked_problem_is_no_sign_in_page() -> None:
    form = (
        '<html><title></title><form class="form-signin" method="POST" action="/accounts/login/"><input name="login">'
        '<input type="password" name="password"><input type="hidden" name="next" value="{}"></form></html>'
    )
    for onward, expected in (
        ("/problems/count-the-lamps/", Classification.PAID_ONLY),
        ("/problems/count-the-lamps/submissions/", Classification.LOGIN),
        ("/", Classification.LOGIN),
    ):
        assert parse_page(SITE, "question", form.format(onward).encode()).classification is expected
        assert parse_page(SITE, "contest", form.format(onward).encode()).classification is Classification.LOGIN


@pytest.mark.parametrize("said", ["Please sign in to view this problem.", "Subscribe to unlock.", "请登录后查看题目。"])
def test_words_in_the_place_of_a_statement_are_none(said: str) -> None:
    question = {"titleSlug": "count-the-lamps", "title": "Count", "content": f"<p>{said}</p>", "metaData": "{}"}
    parsed = parse_page(SITE, "question", json.dumps({"data": {"question": question}}).encode())
    assert (parsed.classification, parsed.records) == (Classification.PAID_ONLY, ())
