# Right, but keeps all sums that some of the crates have.
n = int(input())
total, squares = n * (n + 1) // 2, n * (n + 1) * (2 * n + 1) // 6
if total % 2 or squares % 2:
    print("none")
else:
    goal, seen, steps = (total // 2, squares // 2), {(0, 0): 0}, {}
    for crate in range(1, n + 1):
        for a, b in list(seen):
            more = (a + crate, b + crate * crate)
            if more not in seen and more[0] <= goal[0] and more[1] <= goal[1]:
                seen[more] = crate
        if goal in seen:
            break
    if goal not in seen:
        print("none")
    else:
        side, (a, b) = [], goal
        while a:
            crate = seen[a, b]
            side.append(crate)
            a, b = a - crate, b - crate * crate
        print(len(side))
        print(*side)
