class Solution:
    def readHoists(self, signal: str) -> str:
        read = list(signal)
        start = 0  # where the present hoist begins
        for place, flag in enumerate(signal):
            if flag == " ":
                start = place + 1
            elif "1" <= flag <= "9":
                read[place] = read[start + ord(flag) - ord("1")]
        return "".join(read)
