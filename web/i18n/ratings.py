"""Words about ratings by tasks and against people, scores by topic, and a model's months, in both languages."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    "nav.ratings": ("Ratings", "等级分"),
    "ratings.link": ("Ratings by tasks, against people, and scores by topic", "任务等级分、与人类的比较以及各主题得分"),
    "ratings.lede": (
        "The rows of a board once more: rated by battles on its tasks, by composite scores, beside people, and by "
        "topic.",
        "以另外的方式看同一榜单：按任务对战定级、综合得分、与人类比较，以及按主题分列。",
    ),
    "ratings.to_board": ("To the board", "返回榜单"),
    "ratings.too_much": (
        "That is more than one page may compute: take a shorter window, or name models.",
        "超出单个页面可计算的范围：请缩短时间窗口，或指定模型。",
    ),
    "ratings.elo": ("Task Elo", "任务 Elo"),
    "ratings.elo.lede": (
        "On every problem each row battles with each other; whoever solves it beats whoever does not. The mean is "
        "1000, and 400 points are odds of ten to one. The interval (95 %) is over contests drawn anew, not over "
        "battles.",
        "在每道题上，各行两两对战，解出者胜未解出者。均值为 1000，400 分对应十比一的胜率比。区间（95%）来自对比赛"
        "的重抽样，而非对战局的重抽样。",
    ),
    "ratings.ties": ("Battles that both win or both lose", "双方同胜或同负的对局"),
    "ratings.ties.drop": ("ties dropped", "平局不计"),
    "ratings.ties.half": ("ties count half", "平局各计一半"),
    "ratings.rating": ("rating", "等级分"),
    "ratings.interval": ("95 % interval", "95% 区间"),
    "ratings.not_identifiable": ("not identifiable", "无法确定"),
    "ratings.identifiable": (
        "“Not identifiable” means that a row won or lost every battle against the rest, or that its battles do not "
        "link it with the others: any high (or low) number would then fit as well. An open end of an interval says the "
        "same of some of the draws.",
        "“无法确定”是指某一行对其余各行全胜或全负，或其对局未能与其他行相连：此时任何足够高（或低）的数值都同样吻合。"
        "区间的一端缺失表示部分重抽样中出现这种情况。",
    ),
    "ratings.not_refitted": (
        "There are too many rows to fit every draw anew, so each draw is one step from the fit of all contests.",
        "行数过多，无法对每次重抽样重新拟合，因此每次只从全部比赛的拟合结果出发走一步。",
    ),
    "ratings.nobody": ("There is nobody to battle: no row has a rank here.", "没有可对战的行：此处没有任何行有名次。"),
    "ratings.idle": ("{n} rows battle with nobody, and why", "{n} 行不参与对战及其原因"),
    "ratings.idle.one": ("1 row battles with nobody, and why", "1 行不参与对战及其原因"),
    "ratings.composites": ("Composite scores", "综合得分"),
    "ratings.dapr.lede": (
        "DAPR is the mean pass rate with hard problems weighing more: each by the inverse of its ease. Its interval "
        "(95 %) is clustered by contest, and the plain mean over the same problems stands beside it.",
        "DAPR 为加权平均通过率，难题权重更大：每题的权重为其容易度的倒数。其区间（95%）按比赛聚类；旁边列出相同题目上的"
        "简单平均。",
    ),
    "ratings.weighted.lede": (
        "The level score is (1 × easy + 2 × medium + 3 × hard) / 6 of the pass rates by difficulty, as in "
        "SuperCLUE-Code3; it is missing where a level has no judged problem.",
        "分级得分为（1 × 简单 + 2 × 中等 + 3 × 困难）/ 6，取自各难度的通过率，与 SuperCLUE-Code3 相同；某一难度没有"
        "已评测题目时不给出。",
    ),
    "ratings.frozen": (
        "A problem’s ease is measured once, when five models have tried it, and then frozen: a new model changes no "
        "old score.",
        "每题的容易度只在五个模型做过之后测定一次，随即冻结：新模型不会改变旧得分。",
    ),
    "ratings.with_ease": ("{n} of {all} problems have a frozen ease.", "{all} 道题中有 {n} 道已有冻结的容易度。"),
    "ratings.with_ease.one": ("1 of {all} problems has a frozen ease.", "{all} 道题中有 1 道已有冻结的容易度。"),
    "ratings.dapr": ("DAPR", "难度加权通过率（DAPR）"),
    "ratings.plain": ("plain mean", "简单平均"),
    "ratings.dapr.n": ("problems", "题数"),
    "ratings.weighted": ("level score", "分级得分"),
    "ratings.lacking": ("no judged problem: {levels}", "没有已评测题目：{levels}"),
    "ratings.incomplete": ("not all judged: {levels}", "尚未全部评测：{levels}"),
    "ratings.composites.none": ("No row has a judged answer here.", "此处没有任何行有已评测的答案。"),
    "problem.ease": ("Ease, measured here", "容易度（本站测定）"),
    "ease.of.codegen": ("code generation", "代码生成"),
    "ease.of.self_repair": ("self-repair", "自我修复"),
    "ratings.people": ("Beside people", "与人类比较"),
    "ratings.people.lede": (
        "What each row would be rated as one more participant of real contests, where all problems of a contest are "
        "judged here and its standings are known. The rating is the mean over contests, its interval too; “joint” is "
        "the one rating that fits all places best.",
        "若作为真实比赛的又一名参赛者，各行将获得的等级分；仅计入全部题目已在此评测且榜单已知的比赛。等级分及其区间"
        "为各场比赛的均值；“联合”为与全部名次最吻合的单一等级分。",
    ),
    "ratings.people.aided": (
        "People who took part from {since} on may have been aided by models themselves.",
        "自 {since} 起的参赛者本身可能已借助模型。",
    ),
    "ratings.people.window": (
        "All contests of the protocol count here, whatever the filters above.",
        "此处计入该协议的全部比赛，不受上方筛选影响。",
    ),
    "ratings.people.none": (
        "No row has all problems of a contest judged ({counted} of {contests} contests could count).",
        "尚无任何行完成一场比赛的全部题目（{contests} 场中有 {counted} 场可计入）。",
    ),
    "ratings.people.all": (
        "The percentile is the share of {total} rated people who are rated strictly below, as of the file of {day}.",
        "百分位为 {total} 名有等级分的人中严格低于该分者的比例，依据 {day} 导入的文件。",
    ),
    "ratings.people.unknown": (
        "There is no percentile: how all people are rated was not imported.",
        "无百分位：尚未导入全体人类的等级分分布。",
    ),
    "ratings.joint": ("joint", "联合"),
    "ratings.percentile": ("people below, %", "低于此分的人（%）"),
    "ratings.contests": ("contests", "比赛数"),
    "ratings.censored": ("of them bounds", "其中为界值"),
    "ratings.by_contest": ("By contest", "各场比赛"),
    "ratings.details": ("show", "展开"),
    "ratings.bound": ("a bound: better or worse than the contest can tell", "界值：优于或劣于该场比赛所能衡量的范围"),
    "ratings.held": (
        "held {day}, standings of {seen}, {people} people",
        "举行于 {day}，榜单取于 {seen}，{people} 人",
    ),
    "ratings.no_interval": ("none from one contest", "仅一场比赛，无区间"),
    "ratings.topics": ("By topic", "按主题"),
    "ratings.topics.lede": (
        "A problem counts under each of its topics. ▲ and ▼ mark the best and the worst topic of a row, of those with "
        "at least five judged problems; so many comparisons always have a best and a worst one.",
        "一道题计入其每个主题。▲ 与 ▼ 标出一行最好与最差的主题（至少五道已评测题目）；比较如此之多，总会有最好与最差。",
    ),
    "ratings.topics.none": ("No problem here has a topic that we know.", "此处没有带已知主题的题目。"),
    "ratings.topics.more": (
        "The first {shown} of {total} rows; all are in the JSON.",
        "仅显示 {total} 行中的前 {shown} 行；全部见 JSON。",
    ),
    "ratings.topic": ("Topic", "主题"),
    "ratings.mark.best": ("best topic", "最好的主题"),
    "ratings.mark.worst": ("worst topic", "最差的主题"),
    "model.sent": (
        "{n} problems were sent to this model's endpoints, first at {first}.",
        "已向该模型的接口端点发送 {n} 道题，首次于 {first}。",
    ),
    "model.sent.one": (
        "1 problem was sent to this model's endpoints, first at {first}.",
        "已向该模型的接口端点发送 1 道题，首次于 {first}。",
    ),
    "model.sent_ledger": ("Which ones, as JSON", "详见 JSON"),
    "model.curve": ("Score by month of release, {first} to {last}.", "按发布月份的得分，{first} 至 {last}。"),
    "model.curve_cutoff": (
        "The dashed rule is the cutoff, {day}; months before it are hollow.",
        "虚线为训练截止日期 {day}；此前的月份为空心。",
    ),
    "model.tested": ("Tested for contamination:", "数据污染检验："),
    "model.tested_how": ("How, and what that means (made {at})", "方法与含义（作于 {at}）"),
    "probes.title": ("Private and rewritten problems", "私有题目与改写题目"),
    "probes.private": (
        "Private problems are an operator's own and in no public place. A higher score on public problems from after "
        "the cutoff is not adjusted for difficulty: the two kinds may differ in how hard they are. And whoever was "
        "sent a private problem may have kept it.",
        "私有题目归运营者所有，不在任何公开之处。截止日期之后的公开题目得分更高这一差距未按难度校正：两类题目的难度"
        "可能不同。此外，收到过私有题目的一方可能已将其保留。",
    ),
    "probes.rewritten": (
        "A rewritten problem asks the same task in other words. A positive gap, original minus rewritten, is "
        "consistent with recall of the original, nothing more.",
        "改写题目以另外的措辞提出同一任务。原题减改写题的差距为正，与记得原题相符，仅此而已。",
    ),
    "probes.none": (
        "No private problem and no rewritten one is among the problems tested.",
        "所检验的题目中没有私有题目，也没有改写题目。",
    ),
    "probes.public": ("public, after cutoff", "公开（截止后）"),
    "probes.hidden": ("private", "私有"),
    "probes.gap": ("public − private", "公开减私有"),
    "probes.unadjusted": ("not adjusted for difficulty", "未按难度校正"),
    "probes.difference": ("original − rewritten", "原题减改写题"),
    "probes.few_pairs": ("{pairs} pairs, 10 are needed", "{pairs} 对，需要 10 对"),
    "probes.why.no_cutoff": ("no cutoff is known", "截止日期未知"),
    "probes.why.few_private": ("30 private ones are needed", "需要 30 道私有题目"),
    "probes.why.few_public": ("30 public ones after the cutoff are needed", "需要 30 道截止后的公开题目"),
}

EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
