# Gives up where the divisor and 10 have a divisor in common and the last digit is readable.
class Solution:
    def repair(self, code: str, divisor: int) -> str:
        # Bit r of ends[d]: some end of the code that begins with the digit d leaves the remainder r.
        if code[-1] != "?" and (divisor % 2 == 0 or divisor % 5 == 0):
            return "none"
        full = (1 << divisor) - 1
        ends, power, layers = None, 1 % divisor, []
        for char in reversed(code):
            here = [0] * 10
            for digit in range(10) if char == "?" else (int(char),):
                if ends is None:
                    rests = 1
                else:
                    rests = 0
                    for other in range(10):
                        if abs(other - digit) >= 2:
                            rests |= ends[other]
                turn = digit * power % divisor
                here[digit] = (rests << turn | rests >> (divisor - turn)) & full
            layers.append((power, here))
            ends = here
            power = power * 10 % divisor
        result, before, wanted = "", -9, 0
        for power, here in reversed(layers):
            for digit in range(10):
                if abs(digit - before) >= 2 and here[digit] >> wanted & 1:
                    break
            else:
                return "none"
            result += str(digit)
            before, wanted = digit, (wanted - digit * power) % divisor
        return result
