# Right, but goes through the multiples of the divisor.
class Solution:
    def repair(self, code: str, divisor: int) -> str:
        for number in range(0, 10 ** len(code), divisor):
            text = str(number).rjust(len(code), "0")
            if all(a in ("?", b) for a, b in zip(code, text)):
                if all(abs(int(a) - int(b)) >= 2 for a, b in zip(text, text[1:])):
                    return text
        return "none"
