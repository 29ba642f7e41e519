# Takes the smallest digit that its left neighbour allows, and looks at the divisor only at the end.
class Solution:
    def repair(self, code: str, divisor: int) -> str:
        result = ""
        for char in code:
            if char == "?":
                char = next(digit for digit in "0123456789" if not result or abs(int(digit) - int(result[-1])) >= 2)
            result += char
        while int(result) % divisor:
            last = int(result[-1]) + 1
            if last > 9 or code[-1] != "?":
                return "none"
            result = result[:-1] + str(last)
        return result
