"""Words for what machines write down as codes: reasons, kinds, fields, checkers; each in both languages."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    # Why a problem is in quarantine.
    "hold.no_date": ("no release date", "没有发布日期"),
    "hold.no_statement": ("no statement", "没有题面"),
    "hold.no_tests": ("no full tests, {n} public samples only", "没有完整测试，只有 {n} 个公开样例"),
    "hold.no_tests.one": ("no full tests, {n} public sample only", "没有完整测试，只有 {n} 个公开样例"),
    "hold.no_entry": ("what programs must define is not known", "不知道程序必须定义什么"),
    "hold.no_interactor": ("interactive, and no interactor", "交互题，但没有交互程序"),
    "hold.no_checker": (
        "several answers are right, and no checker knows them",
        "有多个正确答案，但没有能判别它们的检查程序",
    ),
    "hold.unproven": ("its tests could not be proven, by our fault:", "因我方故障未能验证其测试："),
    "hold.refuted": ("tests refuted:", "测试被推翻："),
    # Public changes.
    "ledger.problem.added": ("problem published", "题目发布"),
    "ledger.problem.retested": ("new tests for problem", "题目更换测试"),
    "ledger.model.added": ("model added", "新增模型"),
    # What operators and vendors did.
    "audit.alarm.clear": ("alarm cleared", "解除警报"),
    "audit.endpoint.written": ("endpoint written", "写入接口端点"),
    "audit.import": ("import", "导入"),
    "audit.key.issued": ("key issued", "签发密钥"),
    "audit.key.revoked": ("key revoked", "吊销密钥"),
    "audit.login_link.issued": ("sign-in link issued", "签发登录链接"),
    "audit.model.created": ("model created", "创建模型"),
    "audit.session.opened": ("signed in", "登录"),
    "audit.submission.cancelled": ("submission cancelled", "取消提交"),
    "audit.submission.created": ("submission created", "创建提交"),
    # How an answer of a site was classed.
    "capture.ok": ("ok", "正常"),
    "capture.blocked": ("blocked", "被拒绝"),
    "capture.rate_limited": ("rate limited", "请求过频"),
    "capture.login": ("sign-in asked for", "要求登录"),
    "capture.paid_only": ("paid only", "仅限付费"),
    "capture.not_found": ("not found", "未找到"),
    "capture.not_open": ("not open yet", "尚未开放"),
    "capture.format_changed": ("format changed", "格式已变"),
    "capture.unreachable": ("unreachable", "无法连接"),
    "queue.ingest": ("ingest", "采集"),
    "queue.infer": ("infer", "提问"),
    "queue.grade": ("grade", "评判"),
    "owner.us": ("ours", "我方"),
    "owner.vendor": ("the endpoint's", "接口端点方"),
    "source.house": ("House league", "自建联赛"),
    # How an output is compared with the expected one.
    "checker.interactor": ("by a dialogue with the judge's program", "由评测程序与其对话"),
    "checker.tokens": ("word by word", "逐词比较"),
    "checker.lines": ("line by line", "逐行比较"),
    "checker.exact": ("byte by byte", "逐字节比较"),
    "checker.float": ("numbers within a tolerance", "数值允许误差"),
    "checker.unordered": ("lines in any order", "各行不计顺序"),
    "checker.testlib": ("by a checker program (testlib)", "由检查程序判别（testlib）"),
    "checker.kattis": ("by a checker program (Kattis)", "由检查程序判别（Kattis）"),
    # Where imported numbers are from.
    "provenance.file": ("file", "文件"),
    "provenance.kind": ("kind", "类别"),
    "provenance.sha256": ("SHA-256", "SHA-256 摘要"),
    "provenance.name_in_file": ("name in the file", "文件中的名称"),
    # Filters of a model's cells, and fields of an address that may be unreadable.
    "filter.protocol": ("protocol", "评测协议"),
    "filter.configuration": ("configuration", "配置"),
    "filter.from": ("from", "从"),
    "filter.to": ("until", "到（不含）"),
    "filter.platform": ("platform", "平台"),
    "filter.difficulty": ("difficulty", "难度"),
    "filter.none": ("none", "无"),
    "error.hint.day": ("A day is written as 2026-01-31.", "日期须写成 2026-01-31 的形式。"),
    "error.hint.difficulty": (
        "A difficulty is one of easy, medium, hard, expert and extreme.",
        "难度须为 easy、medium、hard、expert、extreme 之一（简单、中等、困难、专家、极难）。",
    ),
    "error.hint.exposure": (
        "Exposure is one of unrank, hide and split.",
        "此项须为 unrank、hide、split 之一（不排名、隐藏、只计未见部分）。",
    ),
}

EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
