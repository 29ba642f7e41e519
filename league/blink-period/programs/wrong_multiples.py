# Takes only the multiples of the smallest possible length for possible.
def main() -> None:
    notes = input()
    size = len(notes)
    lights = [place for place, sign in enumerate(notes) if sign == "1"]
    dark = [place for place, sign in enumerate(notes) if sign == "0"]
    for period in range(1, size + 1):
        if not {place % period for place in lights} & {place % period for place in dark}:
            print(period, size // period)
            return


main()
