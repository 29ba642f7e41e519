// Sorts four times, by the least important wish first; each time what is equal keeps its order.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

struct Lantern {
    std::string name, colour;
    int light;
};

int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<Lantern> row(n);
    for (Lantern& each : row) std::cin >> each.name >> each.colour >> each.light;
    auto by = [&](auto key) {
        std::stable_sort(row.begin(), row.end(), [&](const Lantern& a, const Lantern& b) { return key(a) < key(b); });
    };
    by([](const Lantern& each) { return each.name; });
    by([](const Lantern& each) { return each.name.size(); });
    by([](const Lantern& each) { return -each.light; });
    by([](const Lantern& each) { return each.colour == "white" ? 0 : each.colour == "green" ? 1 : 2; });
    for (const Lantern& each : row) std::cout << each.name << "\n";
}
