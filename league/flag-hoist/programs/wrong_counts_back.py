# Counts the letters from the substitute to the left instead of from the beginning of the hoist.
class Solution:
    def readHoists(self, signal: str) -> str:
        words = []
        for hoist in signal.split(" "):
            letters = []
            for flag in hoist:
                letters.append(letters[-int(flag)] if flag.isdigit() else flag)
            words.append("".join(letters))
        return " ".join(words)
