class Solution:
    def readHoists(self, signal: str) -> str:
        words = []
        for hoist in signal.split(" "):
            letters = []
            for flag in hoist:
                letters.append(letters[int(flag) - 1] if flag.isdigit() else flag)
            words.append("".join(letters))
        return " ".join(words)
