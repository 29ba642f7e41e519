# Goes through the copies put aside title by title, and stops at the first that its member may still fetch.
from typing import List


class Solution:
    def deskLog(self, copies: List[int], events: List[str]) -> List[str]:
        shelf = [0, *copies]
        queues = [[] for _ in shelf]
        aside = []  # [last day, title, member], in the order in which they were put aside
        loans, fines = {}, {}  # (member, title) -> [due day, renewals]

        def blocked(member, day):
            late = any(who == member and loan[0] < day for (who, _), loan in loans.items())
            return late or fines.get(member, 0) >= 10

        def pass_on(title, day):
            for member in queues[title]:
                if not blocked(member, day):
                    queues[title].remove(member)
                    aside.append((day + 3, title, member))
                    return
            shelf[title] += 1

        def held(member, title):
            return next((hold for hold in aside if hold[1:] == (title, member)), None)

        def reply(day, word, member, title=0):
            loan = loans.get((member, title))
            if word == "pay":
                return f"paid {fines.pop(member, 0)}"
            if word == "return":
                if not loan:
                    return "no"
                del loans[member, title]
                fine = min(20, max(0, day - loan[0]))
                fines[member] = fines.get(member, 0) + fine
                pass_on(title, day)
                return f"fine {fine}" if fine else "ok"
            if word == "renew" and not loan:
                return "no"
            if blocked(member, day):
                return "blocked"
            if word == "renew":
                if queues[title]:
                    return "wanted"
                if loan[1] == 2:
                    return "twice"
                loan[0], loan[1] = day + 14, loan[1] + 1
                return f"due {loan[0]}"
            hold = held(member, title)
            if word == "reserve":
                if loan or hold or member in queues[title]:
                    return "has"
                if shelf[title]:
                    return "free"
                queues[title].append(member)
                return f"queued {len(queues[title])}"
            if sum(who == member for who, _ in loans) == 3:
                return "limit"
            if loan:
                return "has"
            if hold:
                aside.remove(hold)
            elif shelf[title]:
                shelf[title] -= 1
            else:
                return "none"
            if member in queues[title]:
                queues[title].remove(member)
            loans[member, title] = [day + 14, 0]
            return f"due {day + 14}"

        replies = []
        for event in events:
            day, word, *numbers = event.split()
            day = int(day)
            while True:
                aside.sort(key=lambda hold: hold[1])
                if not aside or aside[0][0] >= day:
                    break
                last, title, _ = aside.pop(0)
                pass_on(title, last + 1)
            replies.append(reply(day, word, *map(int, numbers)))
        return replies
