// Counts settings of each period by walks from every start; then rings by their smallest period.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

const int64_t MOD = 998244353;

int64_t power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % MOD)
        if (exponent & 1) result = result * base % MOD;
    return result;
}

int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<std::string> patterns(m);
    for (auto& pattern : patterns) std::cin >> pattern;
    bool allowed[16];
    for (int four = 0; four < 16; ++four) {
        std::string text;
        for (int bit = 3; bit >= 0; --bit) text += four >> bit & 1 ? 'o' : '.';
        allowed[four] = true;
        for (auto& pattern : patterns) allowed[four] = allowed[four] && text.find(pattern) == std::string::npos;
    }
    std::vector<int64_t> closed(n + 1);
    for (int start = 0; start < 8; ++start) {
        std::vector<int64_t> now(8);
        now[start] = 1;
        for (int length = 1; length <= n; ++length) {
            std::vector<int64_t> next(8);
            for (int four = 0; four < 16; ++four)
                if (allowed[four]) next[four & 7] = (next[four & 7] + now[four >> 1]) % MOD;
            now = next;
            closed[length] = (closed[length] + now[start]) % MOD;
        }
    }
    int64_t rings = 0;
    std::vector<int64_t> primitive(n + 1);  // settings whose smallest period this is
    for (int d = 1; d <= n; ++d) {
        if (n % d) continue;
        primitive[d] = closed[d];
        for (int c = 1; c < d; ++c)
            if (d % c == 0) primitive[d] = (primitive[d] + MOD - primitive[c]) % MOD;
        rings = (rings + primitive[d] * power(d, MOD - 2)) % MOD;
    }
    std::cout << rings << "\n";
}
