"""Words for reasons that our own rules write down, in both languages; `{what}` is a name inside one."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    # Of the public ledger.
    "reason.published": ("published", "已公开"),
    "reason.imported": ("imported: {what}", "导入：{what}"),
    "reason.imported_from": ("imported from {what}", "导入自 {what}"),
    "reason.bundled": ("bundled to show how it works", "随附，用于演示"),
    "reason.submission": ("submission {what}", "提交 {what}"),
    "reason.earlier": ("its contest began earlier", "其比赛开始得更早"),
    "reason.source_changed": ("its source changed what is asked", "来源更改了题目要求"),
    "reason.made": ("made from its references", "由参考程序生成"),
    "reason.proven": ("its proof succeeded", "验证成功"),
    "reason.other_tests": ("other tests ({what}):", "其他测试（{what}）："),
    "reason.toolchain": (
        "a new toolchain, policy or sandbox judges now",
        "现由新的工具链、策略或沙箱评测",
    ),
    "reason.week": ("the week's default view", "本周的默认视图"),
    # Of models.
    "reason.lcb_cutoff": (
        "the board file's release_date, an estimate by its makers",
        "榜单文件中的 release_date，为其作者的估计",
    ),
    "reason.run_cancelled": ("its submission was cancelled", "其提交已取消"),
    "reason.run_done": ("its window was ordered and is done", "所订时间窗口已完成"),
    # Of the judge.
    "reason.no_self_test": ("the sandbox's self-test has not passed", "沙箱自检未通过"),
    "reason.ended_worker": ("judging ended its worker {n} times", "评测使其工作进程终止 {n} 次"),
    # Of visits and contests.
    "reason.worker_died": ("its worker died", "其工作进程已终止"),
    "reason.findings": ("{n} findings:", "{n} 项发现："),
    "reason.our_fault": ("our fault:", "我方故障："),
    "reason.not_there": ("it is not there yet", "尚未出现"),
    "reason.not_listed": ("the site's lists do not show it", "站点列表中未显示"),
    "reason.odd": ("looks incomplete:", "看起来不完整："),
    "reason.given_up": ("given up:", "已放弃："),
    # Of the audit log.
    "reason.asked_for": ("asked for on the command line", "在命令行中请求"),
    "reason.one_time": ("one-time link", "一次性链接"),
    "reason.vendor_api": ("vendor API", "厂商 API"),
    "reason.saved_file": ("a saved file", "保存的文件"),
}
EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
