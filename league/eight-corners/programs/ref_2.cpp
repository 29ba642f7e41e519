// Products by their definition: a b is the least number that is none of a' b + a b' + a' b' with a' < a and b' < b.
#include <array>
#include <bitset>
#include <iostream>
#include <vector>

int times[256][64];

int main() {
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 64 && b <= a; ++b) {
            std::bitset<512> seen;
            for (int c = 0; c < a; ++c)
                for (int d = 0; d < b; ++d) seen[times[c][b] ^ times[a][d] ^ times[c][d]] = true;
            int value = 0;
            while (seen[value]) ++value;
            times[a][b] = value;
            if (a < 64) times[b][a] = value;
        }
    int k, total = 0;
    std::cin >> k;
    std::vector<std::array<int, 3>> lamps(k);
    for (auto& [x, y, z] : lamps) {
        std::cin >> x >> y >> z;
        total ^= times[times[x][y]][z];
    }
    if (!total) {
        std::cout << "lost\n";
        return 0;
    }
    for (auto& [x, y, z] : lamps)
        for (int u = 0; u < x; ++u)
            for (int v = 0; v < y; ++v)
                for (int w = 0; w < z; ++w)
                    if (times[times[x ^ u][y ^ v]][z ^ w] == total) {
                        std::cout << x << " " << y << " " << z << " " << u << " " << v << " " << w << "\n";
                        return 0;
                    }
}
