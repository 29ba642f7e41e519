// Right, but goes round the rose from wind to wind until it is at the angle.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    const std::string winds[] = {"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
                                 "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"};
    int n, calms = 0;
    std::cin >> n;
    std::vector<int> counts(16), sums(16), order;
    for (long long angle, strength; std::cin >> angle >> strength;) {
        if (strength == 0) {
            ++calms;
            continue;
        }
        int wind = 0;
        long long from = -45;  // the first angle of the wind
        for (; angle >= from + 90; from += 90) wind = wind == 15 ? 0 : wind + 1;
        for (; angle < from; from -= 90) wind = wind == 0 ? 15 : wind - 1;
        ++counts[wind];
        sums[wind] += strength;
    }
    for (int wind = 0; wind < 16; ++wind) order.push_back(wind);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : sums[a] > sums[b];
    });
    std::cout << calms << "\n";
    for (int wind : order)
        if (counts[wind]) std::cout << winds[wind] << " " << counts[wind] << " " << sums[wind] << "\n";
}
