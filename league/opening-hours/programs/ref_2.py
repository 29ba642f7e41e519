import re
from typing import List


class Solution:
    def notice(self, hours: List[str]) -> str:
        """Marks every minute in which the museum is open, and finds the borders between groups."""

        def minutes(text):
            mask = 0
            for a, b, c, d in re.findall(r"(..):(..)-(..):(..)", text):
                first, last = int(a) * 60 + int(b), int(c) * 60 + int(d)
                mask |= (1 << last) - (1 << first)
            return mask

        def spelled(mask):
            if not mask:
                return "closed"
            if mask == (1 << 1440) - 1:
                return "all day"
            edges = mask ^ mask << 1
            times = [at for at in range(1441) if edges >> at & 1]
            words = ["%02d:%02d" % divmod(at, 60) for at in times]
            return ",".join(map("-".join, zip(words[::2], words[1::2])))

        masks = [minutes(text) for text in hours]
        starts = [day for day in range(7) if masks[day] != masks[day - 1]]
        if not starts:
            return "daily " + spelled(masks[0])
        if starts[0] > 0:
            starts = [starts[-1] - 7] + starts[:-1]
        parts = []
        for begin, end in zip(starts, starts[1:] + [starts[0] + 7]):
            first, last = ("MoTuWeThFrSaSu"[day % 7 * 2 :][:2] for day in (begin, end - 1))
            join = [first, f"{first},{last}", f"{first}-{last}"][min(end - begin, 3) - 1]
            parts.append(f"{join} {spelled(masks[begin])}")
        return "; ".join(parts)
