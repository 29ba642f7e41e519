# Repeats the flag as it was hoisted, so a substitute of a substitute stays a digit.
class Solution:
    def readHoists(self, signal: str) -> str:
        return " ".join(
            "".join(hoist[int(flag) - 1] if flag.isdigit() else flag for flag in hoist) for hoist in signal.split(" ")
        )
