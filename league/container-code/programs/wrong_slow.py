# Right, but tries the digits from the left on and remembers nothing.
class Solution:
    def repair(self, code: str, divisor: int) -> str:
        choices = [range(10) if char == "?" else (int(char),) for char in code]
        digits, stack = [], [iter(choices[0])]
        while stack:
            for digit in stack[-1]:
                if not digits or abs(digit - digits[-1]) >= 2:
                    if len(digits) < len(code) - 1:
                        digits.append(digit)
                        stack.append(iter(choices[len(digits)]))
                        break
                    text = "".join(map(str, digits)) + str(digit)
                    if int(text) % divisor == 0:
                        return text
            else:
                stack.pop()
                if digits:
                    digits.pop()
        return "none"
