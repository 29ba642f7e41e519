// Top trading cycles: every ship points at its best berth; a berth points at its holder, or at the first ship if it has none.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<std::vector<int>> lists(n + 1);
    std::vector<int> holder(m + 1), got(n + 1);
    std::vector<size_t> at(n + 1);
    std::vector<bool> left(n + 1), gone(m + 1);
    for (int ship = 1; ship <= n; ++ship) {
        int own, count;
        std::cin >> own >> count;
        lists[ship].resize(count);
        for (int& berth : lists[ship]) std::cin >> berth;
        if (own) {
            holder[own] = ship;
            auto& list = lists[ship];
            list.erase(std::find(list.begin(), list.end(), own), list.end());
            list.push_back(own);
        }
    }
    while (true) {
        int first = 0;
        for (int ship = n; ship >= 1; --ship) {
            if (left[ship]) continue;
            while (at[ship] < lists[ship].size() && gone[lists[ship][at[ship]]]) ++at[ship];
            if (at[ship] == lists[ship].size()) left[ship] = true;
            else first = ship;
        }
        if (!first) break;
        std::vector<int> next(n + 1), seen(n + 1);
        for (int ship = 1; ship <= n; ++ship) {
            if (left[ship]) continue;
            int other = holder[lists[ship][at[ship]]];
            next[ship] = other && !left[other] ? other : first;
        }
        std::vector<int> leaving;
        for (int start = 1; start <= n; ++start) {
            int ship = start;
            while (!left[ship] && !seen[ship]) seen[ship] = start, ship = next[ship];
            if (left[ship] || seen[ship] != start) continue;
            int last = ship;
            do leaving.push_back(ship), ship = next[ship];
            while (ship != last);
        }
        for (int ship : leaving) {
            left[ship] = true;
            got[ship] = lists[ship][at[ship]];
            gone[got[ship]] = true;
        }
    }
    for (int ship = 1; ship <= n; ++ship) std::cout << got[ship] << (ship < n ? " " : "\n");
}
