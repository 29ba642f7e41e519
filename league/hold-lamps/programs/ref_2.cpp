// The values of each direction from its own game, by the least value that no move reaches; products below 16 by their
// definition, and above as polynomials in 16 over these.
#include <array>
#include <iostream>
#include <set>
#include <vector>
using namespace std;

int small[16][16];

int times(int a, int b) {
    int a1 = a >> 4, a0 = a & 15, b1 = b >> 4, b0 = b & 15, high = small[a1][b1];
    return (high ^ small[a1][b0] ^ small[a0][b1]) << 4 ^ small[a0][b0] ^ small[high][8];  // 16 * 16 = 16 + 8
}

int least(const set<int>& seen) {
    int value = 0;
    while (seen.count(value)) ++value;
    return value;
}

int main() {
    for (int a = 0; a < 16; ++a)
        for (int b = 0; b < 16; ++b) {
            set<int> seen;
            for (int c = 0; c < a; ++c)
                for (int d = 0; d < b; ++d) seen.insert(small[c][b] ^ small[a][d] ^ small[c][d]);
            small[a][b] = least(seen);
        }
    int two[64], most_two[64], row[64];
    for (int at = 0; at < 64; ++at) {
        set<int> pairs, singles{0}, rows;
        for (int u = 0; u < at; ++u) pairs.insert(two[u]), singles.insert(most_two[u]);
        for (int w = at, rest = 0; w >= 0; --w) {
            if (w < at) rest ^= row[w];
            rows.insert(rest);
        }
        two[at] = least(pairs), most_two[at] = least(singles), row[at] = least(rows);
    }
    int k, total = 0;
    cin >> k;
    vector<array<int, 3>> lamps(k);
    for (auto& [x, y, z] : lamps) {
        cin >> x >> y >> z;
        total ^= times(times(two[x], most_two[y]), row[z]);
    }
    if (!total) {
        cout << "lost\n";
        return 0;
    }
    for (auto& [x, y, z] : lamps)
        for (int u = 0; u < x; ++u)
            for (int v = 0; v <= y; ++v) {
                int area = times(two[x] ^ two[u], most_two[y] ^ (v < y ? most_two[v] : 0));
                for (int w = z, added = 0; w >= 0; --w) {
                    added ^= row[w];
                    if (times(area, added) == total) {
                        cout << x << " " << y << " " << z << " " << u << " " << v << " " << w << "\n";
                        return 0;
                    }
                }
            }
}
