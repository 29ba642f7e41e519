// A pot is told by a level t, a residue i below 2^t and signs s of higher bits: it takes part in the weighings r with r mod 2^t = i
// and bit t of r unset, on the side that the parity of r / 2^(t + 1) & s says; of level -1 in all weighings, by the parity of r & s.
// The pots of the highest level are odd parts of signed sums; they are found first and taken off.
#include <iostream>
#include <string>
#include <vector>

struct Pot {
    int level, residue, signs;

    int place(int r) const {
        int high = r;
        if (level >= 0) {
            if ((r & ((2 << level) - 1)) != residue) return 0;
            high = r >> (level + 1);
        }
        return __builtin_parity(high & signs) ? -1 : 1;
    }
};

int main() {
    int n, w, bits = 0;
    std::cin >> n >> w;
    while (1 << bits < w) ++bits;
    std::vector<Pot> pots;
    for (int level = bits - 1; level >= 0; --level)
        for (int residue = 0; residue < 1 << level; ++residue)
            for (int signs = 0; signs < 1 << (bits - 1 - level); ++signs) pots.push_back({level, residue, signs});
    for (int signs = 0; signs < w; ++signs) pots.push_back({-1, 0, signs});
    std::vector<long long> dials(w);
    for (int r = 0; r < w; ++r) {
        std::cout << "? ";
        for (const Pot& pot : pots) std::cout << "-LR"[pot.place(r) & 1 ? (pot.place(r) > 0 ? 1 : 2) : 0];
        std::cout << std::endl;
        std::cin >> dials[r];
    }
    std::string answer;
    for (const Pot& pot : pots) {
        long long sum = 0;
        if (pot.level < 0) {
            for (int r = 0; r < w; ++r) sum += pot.place(r) * dials[r];
            answer += sum / w ? '1' : '0';
            continue;
        }
        // Both values of bit t; what is left of other pots counts evenly.
        for (int r = 0; r < w; ++r) sum += pot.place(r & ~(1 << pot.level)) * dials[r];
        bool full = (sum >> (bits - 1 - pot.level)) & 1;
        answer += full ? '1' : '0';
        if (full)
            for (int r = 0; r < w; ++r) dials[r] -= pot.place(r);
    }
    std::cout << "! " << answer << std::endl;
}
