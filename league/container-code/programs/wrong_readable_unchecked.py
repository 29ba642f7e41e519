# Looks at neighbours only where a digit is filled in.
class Solution:
    def repair(self, code: str, divisor: int) -> str:
        """Tries the digits from the left on, the smallest first, and never enters a dead end twice."""
        choices = [range(10) if char == "?" else (int(char),) for char in code]
        dead = set()  # (length, last digit, remainder) of beginnings without a valid end
        digits, remainders = [], [0]
        stack = [iter(choices[0])]
        while stack:
            length, before = len(digits), digits[-1] if digits else -9
            for digit in stack[-1]:
                if -2 < digit - before < 2 and "?" in code[length - (length > 0) : length + 1]:
                    continue
                left = (remainders[-1] * 10 + digit) % divisor
                if length + 1 == len(code):
                    if left == 0:
                        return "".join(map(str, digits)) + str(digit)
                elif (length + 1, digit, left) not in dead:
                    dead.add((length + 1, digit, left))
                    digits.append(digit)
                    remainders.append(left)
                    stack.append(iter(choices[length + 1]))
                    break
            else:
                stack.pop()
                if digits:
                    digits.pop()
                    remainders.pop()
        return "none"
