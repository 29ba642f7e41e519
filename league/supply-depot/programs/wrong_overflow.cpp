// Adds the effort up in 32 bits.
#include <iostream>
#include <utility>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> needs(n + 1), above(n + 1), far(n + 1), order{1};
    std::vector<unsigned> effort(n + 1);
    for (int i = 1; i <= n; ++i) std::cin >> needs[i];
    std::vector<std::vector<std::pair<int, int>>> joined(n + 1);
    for (int i = 1; i < n; ++i) {
        int a, b, length;
        std::cin >> a >> b >> length;
        joined[a].emplace_back(b, length);
        joined[b].emplace_back(a, length);
    }
    for (size_t i = 0; i < order.size(); ++i) {
        for (auto [there, length] : joined[order[i]]) {
            if (there == above[order[i]]) continue;
            above[there] = order[i];
            far[there] = length;
            order.push_back(there);
        }
    }
    std::vector<int> below = needs;
    for (int i = n - 1; i > 0; --i) {
        below[above[order[i]]] += below[order[i]];
        effort[1] += static_cast<unsigned>(below[order[i]]) * far[order[i]];
    }
    int best = 1;
    for (int i = 1; i < n; ++i) {
        int here = order[i];
        effort[here] = effort[above[here]] + static_cast<unsigned>((below[1] - 2 * below[here]) * far[here]);
        if (static_cast<int>(effort[here]) < static_cast<int>(effort[best])) best = here;
    }
    for (int i = 1; i <= n; ++i) {
        if (effort[i] == effort[best]) {
            best = i;
            break;
        }
    }
    std::cout << static_cast<int>(effort[best]) << ' ' << best << '\n';
}
