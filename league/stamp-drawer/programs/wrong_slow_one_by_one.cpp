// Right, but takes the stamps out one by one.
#include <cstdint>
#include <iostream>
#include <map>

int main() {
    int m, n;
    std::cin >> m >> n;
    std::map<int64_t, int64_t> left;
    while (m--) {
        int64_t v, c;
        std::cin >> v >> c;
        if (c) left[v] = c;
    }
    while (n--) {
        int64_t missing, stamps = 0;
        std::cin >> missing;
        auto before = left;
        while (missing > 0 && !left.empty()) {
            auto kind = left.upper_bound(missing);
            if (kind != left.begin()) --kind;
            missing -= kind->first;
            ++stamps;
            if (!--kind->second) left.erase(kind);
        }
        if (missing > 0) {
            left = before;
            std::cout << "refused\n";
        } else {
            std::cout << stamps << " " << -missing << "\n";
        }
    }
}
