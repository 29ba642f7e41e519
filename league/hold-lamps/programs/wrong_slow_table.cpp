// Right, but fills a table of the worth of all lamps, each from all its moves.
#include <algorithm>
#include <array>
#include <bitset>
#include <iostream>
#include <vector>

unsigned char worth[64][64][64];

int main() {
    int k, total = 0, most = 0;
    std::cin >> k;
    std::vector<std::array<int, 3>> lamps(k);
    for (auto& lamp : lamps)
        for (int& c : lamp) std::cin >> c, most = std::max(most, c);
    auto column = [&](int x, int y, int u, int v, int z) {
        int change = worth[x][y][z] ^ worth[u][y][z];
        return v < y ? change ^ worth[x][v][z] ^ worth[u][v][z] : change;
    };
    for (int x = 0; x <= most; ++x)
        for (int y = 0; y <= most; ++y)
            for (int z = 0; z <= most; ++z) {
                std::bitset<512> seen;
                for (int u = 0; u < x; ++u)
                    for (int v = 0; v <= y; ++v)
                        for (int w = z, change = 0; w >= 0; --w) {
                            change ^= column(x, y, u, v, w);
                            seen[change] = true;
                        }
                int value = 0;
                while (seen[value]) ++value;
                worth[x][y][z] = value;
            }
    for (auto& [x, y, z] : lamps) total ^= worth[x][y][z];
    if (!total) {
        std::cout << "lost\n";
        return 0;
    }
    for (auto& [x, y, z] : lamps)
        for (int u = 0; u < x; ++u)
            for (int v = 0; v <= y; ++v)
                for (int w = z, change = 0; w >= 0; --w) {
                    change ^= column(x, y, u, v, w);
                    if (change == total) {
                        std::cout << x << " " << y << " " << z << " " << u << " " << v << " " << w << "\n";
                        return 0;
                    }
                }
}
