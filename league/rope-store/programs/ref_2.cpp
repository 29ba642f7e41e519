#include <iostream>
#include <set>
#include <utility>

int main() {
    int pieces, orders;
    std::cin >> pieces >> orders;
    std::set<std::pair<int, int>> store;  // (length, number)
    for (int number = 1; number <= pieces; ++number) {
        int length;
        std::cin >> length;
        store.emplace(length, number);
    }
    for (int i = 0; i < orders; ++i) {
        int order;
        std::cin >> order;
        auto found = store.lower_bound({order, 0});
        int number = 0;
        if (found != store.end()) {
            number = found->second;
            int rest = found->first - order;
            store.erase(found);
            if (rest > 0) store.emplace(rest, number);
        }
        std::cout << number << (i + 1 < orders ? ' ' : '\n');
    }
}
