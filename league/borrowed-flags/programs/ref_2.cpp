// Gaussian elimination on the band of equations, from the unknowns f(1) = 0, f(2) to f(total).
#include <cstdint>
#include <iostream>
#include <map>
#include <vector>
using namespace std;

typedef int64_t Int;
const Int MOD = 998244353;

Int power(Int a, Int e) {
    Int r = 1;
    for (a %= MOD; e; e >>= 1, a = a * a % MOD)
        if (e & 1) r = r * a % MOD;
    return r;
}

int main() {
    int k, r, total = 0;
    cin >> k >> r;
    vector<int> fleets(k);
    for (int& c : fleets) cin >> c, total += c;
    vector<vector<Int>> choose(total + 1, vector<Int>(r + 1));
    for (int c = 0; c <= total; ++c)
        for (int h = 0; h <= r; ++h) choose[c][h] = h == 0 ? 1 : c == 0 ? 0 : (choose[c - 1][h - 1] + choose[c - 1][h]) % MOD;
    Int all = power(choose[total][r], MOD - 2), share = power(total, MOD - 2), each = power(r, MOD - 2);
    // Column total + 1 is the right-hand side.
    vector<map<int, Int>> rows;
    for (int c = 1; c < total; ++c) {
        map<int, Int> row;
        row[c] = MOD - 1;
        for (int h = 0; h <= r; ++h) {
            if (h > c || r - h > total - c) continue;
            Int chance = choose[c][h] * choose[total - c][r - h] % MOD * all % MOD, pays = h * each % MOD;
            row[c + r - h] = (row[c + r - h] + chance * pays) % MOD;
            row[c - h] = (row[c - h] + chance * (1 + MOD - pays)) % MOD;
        }
        row[total + 1] = (MOD - c * share % MOD) % MOD;
        row.erase(0);
        row.erase(1);
        rows.push_back(row);
    }
    vector<map<int, Int>> pivots(total + 1);
    for (int column = 2; column <= total; ++column) {
        size_t at = 0;
        while (at < rows.size() && !(rows[at].count(column) && rows[at][column])) ++at;
        if (at == rows.size()) return 1;
        map<int, Int> pivot = rows[at];
        rows.erase(rows.begin() + at);
        Int inverse = power(pivot[column], MOD - 2);
        for (auto& [key, value] : pivot) value = value * inverse % MOD;
        for (auto& row : rows) {
            auto it = row.find(column);
            if (it == row.end() || !it->second) continue;
            Int factor = it->second;
            for (auto& [key, value] : pivot) {
                Int& target = row[key];
                target = (target + (MOD - factor) * value) % MOD;
            }
        }
        pivots[column] = pivot;
    }
    vector<Int> f(total + 1);
    for (int column = total; column >= 2; --column) {
        Int value = 0;
        for (auto& [key, weight] : pivots[column]) {
            if (key == total + 1) value += weight;
            else if (key > column) value += (MOD - weight) * f[key] % MOD;
        }
        f[column] = value % MOD;
    }
    Int answer = MOD - f[total];
    for (int c : fleets) answer += f[c];
    cout << answer % MOD << "\n";
}
