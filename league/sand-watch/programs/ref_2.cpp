// Every state has one that follows a second later; 2^k seconds at once by doubling, with how often glasses run out.
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n;
    int64_t end;
    std::cin >> n >> end;
    std::vector<int> size(n), top(n);
    std::vector<std::string> sets(n);
    for (int i = 0; i < n; ++i) std::cin >> size[i] >> top[i] >> sets[i];
    int states = 1;
    for (int i = 0; i < n; ++i) states *= 10;
    std::vector<int> next(states);
    std::vector<std::array<int64_t, 4>> outs(states);
    for (int state = 0; state < states; ++state) {
        std::vector<int> grains(n), out(n);
        for (int i = 0, rest = state; i < n; ++i, rest /= 10) grains[i] = rest % 10;
        outs[state] = {0, 0, 0, 0};
        for (int i = 0; i < n; ++i) {
            if (grains[i] > size[i]) grains[i] = 0;  // no such state
            out[i] = grains[i] == 1;
            outs[state][i] = out[i];
            if (grains[i]) --grains[i];
        }
        int code = 0;
        for (int j = n - 1; j >= 0; --j) {
            int turns = 0;
            for (int i = 0; i < n; ++i) turns += out[i] && sets[i][j] == '1';
            code = code * 10 + (turns % 2 ? size[j] - grains[j] : grains[j]);
        }
        next[state] = code;
    }
    int state = 0;
    for (int i = n - 1; i >= 0; --i) state = state * 10 + top[i];
    std::array<int64_t, 4> total{};
    for (; end; end >>= 1) {
        if (end & 1) {
            for (int i = 0; i < n; ++i) total[i] += outs[state][i];
            state = next[state];
        }
        std::vector<int> twice(states);
        auto sums = outs;
        for (int each = 0; each < states; ++each) {
            twice[each] = next[next[each]];
            for (int i = 0; i < n; ++i) sums[each][i] += outs[next[each]][i];
        }
        next = twice;
        outs = sums;
    }
    for (int i = 0; i < n; ++i, state /= 10) std::cout << state % 10 << " " << total[i] << "\n";
}
