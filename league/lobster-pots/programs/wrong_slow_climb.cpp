// Weighs pots at random and improves a guess, one or two pots at a time, until all dials fit, which takes too long.
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

int main() {
    int n, w;
    std::cin >> n >> w;
    std::mt19937 rng(3);
    std::vector<std::vector<int>> row(w, std::vector<int>(n));
    std::vector<int> off(w);
    for (int r = 0; r < w; ++r) {
        std::string word;
        for (int i = 0; i < n; ++i) {
            row[r][i] = r ? (int)(rng() % 3) - 1 : 1;
            word += "R-L"[row[r][i] + 1];
        }
        std::cout << "? " << word << std::endl;
        std::cin >> off[r];
    }
    std::vector<int> full(n);
    auto cost = [&]() {
        long long sum = 0;
        for (int value : off) sum += (long long)value * value;
        return sum;
    };
    auto flip = [&](int i) {
        for (int r = 0; r < w; ++r) off[r] += full[i] ? row[r][i] : -row[r][i];
        full[i] ^= 1;
    };
    long long best = cost();
    while (best) {
        int a = rng() % n, b = rng() % 2 ? (int)(rng() % n) : a;
        flip(a);
        if (b != a) flip(b);
        long long now = cost();
        if (now <= best || rng() % 4000 == 0) {
            best = now;
        } else {
            flip(a);
            if (b != a) flip(b);
        }
    }
    std::cout << "! ";
    for (int pot : full) std::cout << pot;
    std::cout << std::endl;
}
