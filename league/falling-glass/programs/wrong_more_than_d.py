# Wants a difference of more than d.
import sys
from bisect import bisect_left
from collections import deque


def main():
    n, d, *readings = map(int, sys.stdin.read().split())
    # With the right end of the stretch fixed, its left ends make runs: the high before the low, or not. The reading at
    # a new right end becomes the low (or the high) of all stretches that reach back to a smaller (a higher) one.
    # Of each run: where it begins, and how many left ends before it have the high first, and their sum. A last run
    # holds the right end alone.
    highs, lows = [], []
    begins, firsts, numbers, sums = [], [], [], []
    tops, bottoms = deque(), deque()  # candidates for the high and the low of the stretch from `left` on
    left = count = length = 0
    for end, reading in enumerate(readings):
        while highs and readings[highs[-1]] < reading:
            highs.pop()
        while lows and readings[lows[-1]] >= reading:
            lows.pop()
        high_from = highs[-1] + 1 if highs else 0
        low_from = lows[-1] + 1 if lows else 0
        highs.append(end)
        lows.append(end)
        start, first = (low_from, True) if low_from < high_from else (high_from, False)
        number = total = 0
        at = len(begins)
        while at and begins[at - 1] >= start:
            at -= 1
        if at:
            number, total = numbers[at - 1], sums[at - 1]
            if firsts[at - 1]:
                number += start - begins[at - 1]
                total += (begins[at - 1] + start - 1) * (start - begins[at - 1]) // 2
        del begins[at:], firsts[at:], numbers[at:], sums[at:]
        for begin, kind in ((start, first), (end, False)):
            if begin == end and kind is not False or begins and begins[-1] == begin:
                continue
            if begin == end and begins:
                if firsts[-1]:
                    number += end - begins[-1]
                    total += (begins[-1] + end - 1) * (end - begins[-1]) // 2
            begins.append(begin)
            firsts.append(kind)
            numbers.append(number)
            sums.append(total)
        # The stretches from before `left` differ by d at least.
        while tops and readings[tops[-1]] <= reading:
            tops.pop()
        tops.append(end)
        while bottoms and readings[bottoms[-1]] >= reading:
            bottoms.pop()
        bottoms.append(end)
        while readings[tops[0]] - readings[bottoms[0]] > d:
            left += 1
            if tops[0] < left:
                tops.popleft()
            if bottoms[0] < left:
                bottoms.popleft()
        if left:
            at = bisect_left(begins, left) - 1
            number, total = numbers[at], sums[at]
            if firsts[at]:
                number += left - begins[at]
                total += (begins[at] + left - 1) * (left - begins[at]) // 2
            count += number
            length += number * (end + 1) - total
    print(count, length)


main()
