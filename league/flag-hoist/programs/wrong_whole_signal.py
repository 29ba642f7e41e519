# Counts the letters of the whole signal instead of those of the hoist.
class Solution:
    def readHoists(self, signal: str) -> str:
        letters = []
        text = []
        for flag in signal:
            if flag == " ":
                text.append(flag)
                continue
            letter = letters[int(flag) - 1] if flag.isdigit() else flag
            letters.append(letter)
            text.append(letter)
        return "".join(text)
