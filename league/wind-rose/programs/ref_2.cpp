// Turns each angle into one of the circle and looks for the nearest of the winds.
#include <algorithm>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

int main() {
    const std::string names[] = {"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"};
    int n, calms = 0;
    std::cin >> n;
    std::vector<std::tuple<int, int, int>> winds(16);
    for (int i = 0; i < 16; ++i) std::get<2>(winds[i]) = i;
    while (n--) {
        int angle, strength;
        std::cin >> angle >> strength;
        if (!strength) {
            ++calms;
            continue;
        }
        angle %= 1440;
        if (angle < 0) angle += 1440;
        int best = 0, least = 10000;
        for (int turn = 0; turn <= 16; ++turn) {
            int away = std::abs(turn * 90 - angle);
            if (away <= least) least = away, best = turn % 16;
        }
        --std::get<0>(winds[best]);
        std::get<1>(winds[best]) -= strength;
    }
    std::sort(winds.begin(), winds.end());
    std::cout << calms << "\n";
    for (auto [count, sum, wind] : winds)
        if (count) std::cout << names[wind] << " " << -count << " " << -sum << "\n";
}
