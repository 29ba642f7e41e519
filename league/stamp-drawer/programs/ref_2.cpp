// Looks the dearest stamp that fits up in a map of what the drawer still holds.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <map>

int main() {
    int m, n;
    std::cin >> m >> n;
    std::map<int64_t, int64_t> drawer;
    while (m--) {
        int64_t v, c;
        std::cin >> v >> c;
        if (c) drawer[v] = c;
    }
    while (n--) {
        int64_t missing, stamps = 0;
        std::cin >> missing;
        std::map<int64_t, int64_t> taken;
        auto take = [&](int64_t value, int64_t count) {
            taken[value] += count;
            stamps += count;
            missing -= value * count;
            if (!(drawer[value] -= count)) drawer.erase(value);
        };
        while (missing > 0) {
            auto dearer = drawer.upper_bound(missing);
            if (dearer == drawer.begin()) break;
            auto kind = std::prev(dearer);
            take(kind->first, std::min(kind->second, missing / kind->first));
        }
        if (missing > 0 && !drawer.empty()) take(drawer.begin()->first, 1);
        if (missing > 0) {
            for (auto [value, count] : taken) drawer[value] += count;
            std::cout << "refused\n";
        } else {
            std::cout << stamps << " " << -missing << "\n";
        }
    }
}
