# Gives every 512th year a day 31 in month 12, but only where it looks at the days of one year.
from typing import List


def leap(year):
    return year % 4 == 0 and (year % 128 != 0 or year % 512 == 0)


def weekdays_before(year):
    """The days with a weekday before a year."""
    past = year - 1
    return 360 * past + past // 4 - past // 128


def extra(year):
    """Working days more because of the fair of this year."""
    first = (weekdays_before(year) + 180) % 7
    return sum((first + day) % 7 >= 5 for day in range(10))


FAIRS = [0]  # sums over the fairs of 4480 years, after which everything comes again
for fair in range(10, 4481, 10):
    FAIRS.append(FAIRS[-1] + extra(fair))


def worked_before(year):
    days = weekdays_before(year)
    rounds, rest = divmod((year - 1) // 10, 448)
    return 5 * (days // 7) + min(days % 7, 5) - 4 * (year - 1) + rounds * FAIRS[-1] + FAIRS[rest]


def working(year):
    """For each weekday of the year, in order, whether it is a working day."""
    start = weekdays_before(year) % 7
    days = [(start + day) % 7 < 5 for day in range(360 + leap(year))]
    if year % 10 == 0:
        days[180:190] = [True] * 10
    for month in (3, 6, 9, 12):
        day = 30 * month - 16
        days[day] = False
        weekday = (start + day) % 7
        if weekday >= 5:
            days[day + 7 - weekday] = False
    return days


class Solution:
    def workingDays(self, dates: List[str], counts: List[int]) -> List[str]:
        answers = []
        for date, count in zip(dates, counts):
            year, month, day = date.split("-")
            year, day = int(year), int(day)
            at = 360 + leap(year) if month == "F" else 30 * int(month) + day - 31
            days = working(year)
            before = worked_before(year) + sum(days[:at])  # working days before the date
            if count > 0:
                wanted = before + (month != "F" and days[at]) + count
            else:
                wanted = before + count + 1
            if wanted < 1:
                answers.append("none")
                continue
            low, high = 1, wanted // 240 + 2
            while high - low > 1:
                middle = (low + high) // 2
                if worked_before(middle) < wanted:
                    low = middle
                else:
                    high = middle
            left = wanted - worked_before(low)
            for at, works in enumerate(working(low)):
                left -= works
                if left == 0:
                    break
            month = min(at // 30, 11)
            answers.append(f"{low}-{month + 1}-{at - 30 * month + 1}")
        return answers
