// Keeps the wagons in reach in an ordered set.
#include <algorithm>
#include <iostream>
#include <queue>
#include <set>
#include <utility>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, c;
    std::cin >> n >> c;
    std::vector<int> wagons(n);
    for (int& each : wagons) std::cin >> each;
    std::set<std::pair<int, int>> reach;
    std::queue<int> loop;
    int first = 0, seen = 0;
    for (int left = n; left > 0; --left) {
        int last = std::min<int>(n - 1, first + c - (int)loop.size());
        for (; seen <= last; ++seen) reach.emplace(wagons[seen], seen);
        int number;
        if (!loop.empty() && (reach.empty() || loop.front() < reach.begin()->first)) {
            number = loop.front();
            loop.pop();
        } else {
            int at = reach.begin()->second;
            number = wagons[at];
            for (; first <= at; ++first) {
                reach.erase({wagons[first], first});
                if (first < at) loop.push(wagons[first]);
            }
        }
        std::cout << number << (left > 1 ? " " : "\n");
    }
}
