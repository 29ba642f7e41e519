# Right, but reads the hoist from its start again for every flag.
class Solution:
    def readHoists(self, signal: str) -> str:
        def last_letter(flags):
            letters = []
            for flag in flags:
                letters.append(letters[int(flag) - 1] if flag.isdigit() else flag)
            return letters[-1]

        return " ".join(
            "".join(last_letter(hoist[: end + 1]) for end in range(len(hoist))) for hoist in signal.split(" ")
        )
