// Who can force a win in at most 0, 1, 2, ... moves, for all positions at once, until nothing changes.
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n, m, p, s, c, e;
    std::cin >> n >> m >> p >> s >> c >> e;
    std::vector<bool> is_exit(n + 1);
    for (int i = 0; i < e; ++i) {
        int island;
        std::cin >> island;
        is_exit[island] = true;
    }
    std::vector<std::vector<std::vector<int>>> ways(p, std::vector<std::vector<int>>(n + 1));
    for (int r = 0; r < p; ++r)
        for (int i = 1; i <= n; ++i) ways[r][i].push_back(i);
    while (m--) {
        int u, v;
        std::string pattern;
        std::cin >> u >> v >> pattern;
        for (int r = 0; r < p; ++r)
            if (pattern[r] == '1') ways[r][u].push_back(v), ways[r][v].push_back(u);
    }
    const int OPEN = -1;
    auto at = [&](int a, int b, int r, int turn) { return (((a * (n + 1)) + b) * p + r) * 2 + turn; };
    std::vector<int> winner((n + 1) * (n + 1) * p * 2, OPEN), moves(winner.size());
    for (int a = 1; a <= n; ++a)
        for (int b = 1; b <= n; ++b)
            for (int r = 0; r < p; ++r)
                for (int turn = 0; turn < 2; ++turn)
                    if (a == b || is_exit[a]) winner[at(a, b, r, turn)] = a == b;
    bool changed = true;
    for (int length = 1; changed; ++length) {
        changed = false;
        std::vector<int> after = winner;
        for (int a = 1; a <= n; ++a)
            for (int b = 1; b <= n; ++b)
                for (int r = 0; r < p; ++r)
                    for (int turn = 0; turn < 2; ++turn) {
                        int here = at(a, b, r, turn);
                        if (winner[here] != OPEN) continue;
                        bool wins = false, loses = true;
                        for (int to : ways[r][turn ? b : a]) {
                            int there = turn ? at(a, to, (r + 1) % p, 0) : at(to, b, r, 1);
                            wins = wins || winner[there] == turn;
                            loses = loses && winner[there] == 1 - turn;
                        }
                        if (wins || loses) {
                            after[here] = wins ? turn : 1 - turn;
                            moves[here] = length;
                            changed = true;
                        }
                    }
        winner = after;
    }
    int start = at(s, c, 0, 0);
    if (winner[start] == OPEN) std::cout << "forever\n";
    else std::cout << (winner[start] ? "pilot " : "smuggler ") << moves[start] << "\n";
}
