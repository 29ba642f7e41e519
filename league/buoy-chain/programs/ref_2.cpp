// Every group is a list of buoys with places of its own; the shorter list moves into the longer one.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

struct Group {
    std::vector<int> buoys;
    long long west = 0, east = 0;
};

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, q;
    std::cin >> n >> q;
    std::vector<Group> groups(n + 1);
    std::vector<int> group(n + 1);
    std::vector<long long> place(n + 1, 0);
    for (int buoy = 1; buoy <= n; ++buoy) {
        group[buoy] = buoy;
        groups[buoy].buoys = {buoy};
    }
    long long longest = 0;
    while (q--) {
        std::string kind;
        int a, b;
        std::cin >> kind >> a >> b;
        const bool together = group[a] == group[b];
        if (kind == "Q") {
            if (together) std::cout << place[b] - place[a] << "\n"; else std::cout << "?\n";
            continue;
        }
        long long d;
        std::cin >> d;
        if (together) {
            if (place[b] - place[a] == d) std::cout << longest << "\n"; else std::cout << "no\n";
            continue;
        }
        if (groups[group[a]].buoys.size() < groups[group[b]].buoys.size()) {
            std::swap(a, b);
            d = -d;
        }
        Group& kept = groups[group[a]];
        Group& moved = groups[group[b]];
        const long long shift = place[a] + d - place[b];
        for (int buoy : moved.buoys) {
            place[buoy] += shift;
            group[buoy] = group[a];
            kept.west = std::min(kept.west, place[buoy]);
            kept.east = std::max(kept.east, place[buoy]);
            kept.buoys.push_back(buoy);
        }
        moved.buoys.clear();
        longest = std::max(longest, kept.east - kept.west);
        std::cout << longest << "\n";
    }
}
