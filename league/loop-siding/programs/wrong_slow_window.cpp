// Right, but looks through all wagons in reach for every wagon that leaves.
#include <algorithm>
#include <deque>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, c;
    std::cin >> n >> c;
    std::vector<int> wagons(n);
    for (int& each : wagons) std::cin >> each;
    std::deque<int> loop;
    for (int first = 0; first < n || !loop.empty();) {
        int last = std::min<int>(n, first + c - (int)loop.size() + 1);
        int best = std::min_element(wagons.begin() + first, wagons.begin() + last) - wagons.begin();
        if (!loop.empty() && (first == last || loop.front() < wagons[best])) {
            std::cout << loop.front() << " ";
            loop.pop_front();
            continue;
        }
        loop.insert(loop.end(), wagons.begin() + first, wagons.begin() + best);
        std::cout << wagons[best] << " ";
        first = best + 1;
    }
}
