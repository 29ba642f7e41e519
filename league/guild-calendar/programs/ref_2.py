from bisect import bisect_left
from typing import List


def is_leap(year):
    return year % 4 == 0 and year % 128 != 0


class Solution:
    def workingDays(self, dates: List[str], counts: List[int]) -> List[str]:
        """Years are of few kinds; a table holds the kinds of 4480 years, after which they come again."""
        kinds = {}

        def kind(start, long, fair):
            """The dates (month, day) of the working days of a year that begins on weekday `start`."""
            key = (start, long, fair)
            if key in kinds:
                return kinds[key]
            found, weekday, closed = [], start, False
            for month in range(1, 13):
                for day in range(1, 31 + (long and month == 12)):
                    founders = day == 15 and month % 3 == 0
                    if founders and weekday >= 6:
                        closed = True
                    free = weekday >= 6 and not (fair and month == 7 and day <= 10)
                    if weekday == 1 and closed:
                        closed, free = False, True
                    if not (free or founders):
                        found.append((month, day))
                    weekday = weekday % 7 + 1
            kinds[key] = found, weekday
            return kinds[key]

        table, sums, start = [], [0], 1
        for year in range(1, 4481):
            days, after = kind(start, is_leap(year), year % 10 == 0)
            table.append(days)
            sums.append(sums[-1] + len(days))
            start = after
        whole = sums[-1]
        answers = []
        for date, count in zip(dates, counts):
            year, month, day = date.split("-")
            rounds, place = divmod(int(year) - 1, 4480)
            when = (13 if month == "F" else int(month), int(day))
            at = bisect_left(table[place], when)
            total = rounds * whole + sums[place] + at  # the working days before the date
            if count < 0:
                total += count
            else:
                total += count - 1 + (at < len(table[place]) and table[place][at] == when)
            if total < 0:
                answers.append("none")
                continue
            rounds, rest = divmod(total, whole)
            place = bisect_left(sums, rest + 1) - 1
            month, day = table[place][rest - sums[place]]
            answers.append(f"{rounds * 4480 + place + 1}-{month}-{day}")
        return answers
