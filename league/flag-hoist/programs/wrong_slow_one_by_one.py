# Right, but looks for the first substitute that is left, from the beginning of the signal, for each of them.
class Solution:
    def readHoists(self, signal: str) -> str:
        flags = list(signal)
        while True:
            for place, flag in enumerate(flags):
                if flag in "123456789":
                    break
            else:
                return "".join(flags)
            start = place
            while start and flags[start - 1] != " ":
                start -= 1
            flags[place] = flags[start + int(flag) - 1]
