# Counts only the flags that show letters, not the letters that substitutes brought in.
class Solution:
    def readHoists(self, signal: str) -> str:
        words = []
        for hoist in signal.split(" "):
            shown = [flag for flag in hoist if not flag.isdigit()]
            words.append("".join(shown[(int(flag) - 1) % len(shown)] if flag.isdigit() else flag for flag in hoist))
        return " ".join(words)
