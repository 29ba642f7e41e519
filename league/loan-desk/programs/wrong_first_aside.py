# Looks only at the copy of a title that was put aside first for whoever borrows it.
from collections import deque
from typing import List


class Member:
    def __init__(self):
        self.loans, self.fines = {}, 0

    def blocked(self, day):
        return self.fines >= 10 or min((due for due, _ in self.loans.values()), default=day) < day


class Title:
    def __init__(self, members, copies):
        self.members, self.shelf, self.queue, self.aside = members, copies, [], deque()

    def pass_on(self, day):
        for place, member in enumerate(self.queue):
            if not self.members[member].blocked(day):
                self.aside.append((day + 3, self.queue.pop(place)))
                return
        self.shelf += 1

    def morning(self, day):
        """Passes on what nobody came for before this day. Titles have nothing to do with each other in that."""
        while self.aside and self.aside[0][0] < day:
            last, _ = self.aside.popleft()
            self.pass_on(last + 1)

    def take(self, member):
        """Whether there was a copy for the member."""
        for place, (_, other) in enumerate(self.aside):
            if other == member:
                del self.aside[place]
                return True
            break
        self.shelf -= 1
        return self.shelf >= 0 or self.put_back()

    def put_back(self):
        self.shelf += 1
        return False


class Solution:
    def deskLog(self, copies: List[int], events: List[str]) -> List[str]:
        members = [Member() for _ in range(31)]
        titles = [Title(members, count) for count in [0, *copies]]

        def borrow(day, member, number):
            who, title = members[member], titles[number]
            if who.blocked(day):
                return "blocked"
            if len(who.loans) == 3:
                return "limit"
            if number in who.loans:
                return "has"
            if not title.take(member):
                return "none"
            title.queue = [other for other in title.queue if other != member]
            who.loans[number] = (day + 14, 0)
            return f"due {day + 14}"

        def reserve(day, member, number):
            who, title = members[member], titles[number]
            if who.blocked(day):
                return "blocked"
            if number in who.loans or member in title.queue or any(other == member for _, other in title.aside):
                return "has"
            if title.shelf:
                return "free"
            title.queue.append(member)
            return f"queued {len(title.queue)}"

        def renew(day, member, number):
            who = members[member]
            if number not in who.loans:
                return "no"
            if who.blocked(day):
                return "blocked"
            if titles[number].queue:
                return "wanted"
            renewals = who.loans[number][1]
            if renewals == 2:
                return "twice"
            who.loans[number] = (day + 14, renewals + 1)
            return f"due {day + 14}"

        def give_back(day, member, number):
            who = members[member]
            if number not in who.loans:
                return "no"
            late = day - who.loans.pop(number)[0]
            who.fines += max(0, min(late, 20))
            titles[number].pass_on(day)
            return f"fine {min(late, 20)}" if late > 0 else "ok"

        def pay(_, member):
            fines, members[member].fines = members[member].fines, 0
            return f"paid {fines}"

        desk = {"borrow": borrow, "reserve": reserve, "renew": renew, "return": give_back, "pay": pay}
        replies = []
        for event in events:
            words = event.split()
            day = int(words[0])
            for title in titles:
                title.morning(day)
            replies.append(desk[words[1]](day, *map(int, words[2:])))
        return replies
