// The folds from j on crease a layer; `down` says whether it lies face down (its start is then at the right).
#include <cstdint>
#include <iostream>
#include <string>

struct Row {  // a row of creases
    int64_t size = 0, valleys = 0, changes = 0;
    bool first = false, last = false;
};

Row operator+(const Row& a, const Row& b) {
    if (!a.size || !b.size) return a.size ? a : b;
    return {a.size + b.size, a.valleys + b.valleys, a.changes + b.changes + (a.last != b.first), a.first, b.last};
}

std::string folds;
int k;
Row all[64][2];

Row crease(int j, bool down) {
    bool valley = (folds[j] == 'R' || folds[j] == 'L') != down;
    return {1, valley, 0, valley, valley};
}
bool first_half_down(int j) { return folds[j] == 'L' || folds[j] == 'l'; }

Row prefix(int j, bool down, int64_t count) {
    if (count <= 0 || j == k) return {};
    int64_t middle = int64_t(1) << (k - j - 1);  // the number of the crease that fold j makes
    bool first = first_half_down(j);
    if (count < middle) return prefix(j + 1, first, count);
    return all[j + 1][first] + crease(j, down) + prefix(j + 1, !first, count - middle);
}

int main() {
    std::ios::sync_with_stdio(false);
    int q;
    std::cin >> folds >> q;
    k = folds.size();
    for (int j = k - 1; j >= 0; --j)
        for (int down = 0; down < 2; ++down)
            all[j][down] = all[j + 1][first_half_down(j)] + crease(j, down) + all[j + 1][!first_half_down(j)];
    while (q--) {
        int64_t a, b;
        std::cin >> a >> b;
        std::cout << prefix(0, false, b).valleys - prefix(0, false, a - 1).valleys << " "
                  << prefix(0, false, b).changes - prefix(0, false, a).changes << "\n";
    }
}
