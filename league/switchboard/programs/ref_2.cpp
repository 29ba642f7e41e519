// Sums of switches: a basis in which each vector alone holds its leading lamp. What is left of the wish gives the proof.
#include <bitset>
#include <iostream>
#include <string>
#include <vector>

typedef std::bitset<300> Lamps;

struct Sum {
    Lamps lamps, switches;
    int lead;
};

int main() {
    int n, m;
    std::string wish;
    std::cin >> n >> m >> wish;
    std::vector<Sum> basis;
    for (int j = 0; j < m; ++j) {
        Sum sum;
        sum.switches[j] = true;
        int c, lamp;
        std::cin >> c;
        while (c--) {
            std::cin >> lamp;
            sum.lamps[lamp - 1] = true;
        }
        for (auto& other : basis)
            if (sum.lamps[other.lead]) sum.lamps ^= other.lamps, sum.switches ^= other.switches;
        if (sum.lamps.none()) continue;
        sum.lead = sum.lamps._Find_first();
        for (auto& other : basis)
            if (other.lamps[sum.lead]) other.lamps ^= sum.lamps, other.switches ^= sum.switches;
        basis.push_back(sum);
    }
    Lamps rest, pressed;
    for (int i = 0; i < n; ++i) rest[i] = wish[i] == '1';
    for (auto& sum : basis)
        if (rest[sum.lead]) rest ^= sum.lamps, pressed ^= sum.switches;
    std::string word = "press";
    Lamps answer = pressed;
    if (rest.any()) {
        word = "stuck";
        size_t lamp = rest._Find_first();
        answer.reset();
        answer[lamp] = true;
        for (auto& sum : basis)
            if (sum.lamps[lamp]) answer[sum.lead] = true;
    }
    std::cout << word << " " << answer.count();
    for (size_t i = 0; i < 300; ++i)
        if (answer[i]) std::cout << " " << i + 1;
    std::cout << "\n";
}
