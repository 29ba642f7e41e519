// Counts the coverings of a terrace: by Kasteleyn, the determinant of the signed matrix of black and white cells, which has no
// holes since rows are unbroken. Two primes tell the count, as 200 cells have fewer than 24^25 coverings (Bregman).
// Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

typedef unsigned __int128 Wide;

void end(int code, const std::string& words) {
    std::fputs(words.c_str(), stderr);
    std::exit(code);
}

uint64_t power(uint64_t a, uint64_t e, uint64_t p) {
    uint64_t r = 1;
    for (; e; e >>= 1, a = (Wide)a * a % p)
        if (e & 1) r = (Wide)r * a % p;
    return r;
}

uint64_t determinant(std::vector<std::vector<uint64_t>> m, uint64_t p) {
    uint64_t d = 1;
    int n = m.size();
    for (int c = 0; c < n; ++c) {
        int at = c;
        while (at < n && !m[at][c]) ++at;
        if (at == n) return 0;
        if (at != c) std::swap(m[at], m[c]), d = (p - d) % p;
        d = (Wide)d * m[c][c] % p;
        uint64_t inverse = power(m[c][c], p - 2, p);
        for (int i = c + 1; i < n; ++i) {
            uint64_t f = (Wide)m[i][c] * inverse % p;
            if (f)
                for (int j = c; j < n; ++j) m[i][j] = (m[i][j] + p - (uint64_t)((Wide)f * m[c][j] % p)) % p;
        }
    }
    return d;
}

int main(int, char** paths) {
    std::ifstream given(paths[1]), printed(paths[2]);
    uint64_t k;
    given >> k;
    auto number = [&](int most) {
        std::string word;
        if (!(printed >> word) || word.size() > 4 || word.find_first_not_of("0123456789") != std::string::npos) end(2, "not a number");
        int value = std::stoi(word);
        if (value < 1 || value > most) end(2, "a number out of range");
        return value;
    };
    int h = number(200), cells = 0;
    std::map<std::pair<int, int>, int> place[2];
    for (int row = 0; row < h; ++row) {
        int l = number(1000), r = number(1000);
        if (l > r) end(2, "a row that ends before it begins");
        cells += r - l + 1;
        if (cells > 200) end(1, "more than 200 cells");
        for (int column = l; column <= r; ++column) {
            auto& kind = place[(row + column) % 2];
            int next = kind.size();
            kind[{row, column}] = next;
        }
    }
    std::string more;
    if (printed >> more) end(2, "more than the rows");
    if (place[0].size() != place[1].size()) end(1, "no covering");
    const uint64_t primes[] = {2305843009213693951ull, 4611686018427387847ull};
    bool plus = true, minus = true;
    for (uint64_t p : primes) {
        int n = place[0].size();
        std::vector<std::vector<uint64_t>> m(n, std::vector<uint64_t>(n));
        for (auto& [cell, i] : place[0])
            for (auto [down, right] : {std::pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
                auto it = place[1].find({cell.first + down, cell.second + right});
                if (it != place[1].end()) m[i][it->second] = down && cell.second % 2 ? p - 1 : 1;
            }
        uint64_t d = determinant(m, p);
        plus = plus && d == k % p;
        minus = minus && d == (p - k % p) % p;
    }
    end(!plus && !minus, plus || minus ? "as many coverings as wanted" : "another number of coverings");
}
