// Right, but goes from minute to minute.
#include <cstdint>
#include <iostream>

int main() {
    int q;
    std::cin >> q;
    while (q--) {
        int64_t p, a, r, b, s, t, total = 0;
        std::cin >> p >> a >> r >> b >> s >> t;
        for (int64_t x = s; x <= t; ++x)
            total += x >= p && (x < r || (x - p) % a < (x - r) % b);
        std::cout << total << "\n";
    }
}
