// Numbers the wagons by where they belong, the first of a letter to its first place, and swaps neighbours that are out of order.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string here, wanted;
    std::cin >> here >> wanted;
    int n = here.size();
    std::vector<int> goal(n, -1), turns;
    for (int first = 0; first < 2; ++first)
        for (char letter = 'a'; letter <= 'z'; ++letter) {
            int to = first;
            for (int at = first; at < n; at += 2) {
                if (here[at] != letter) continue;
                while (to < n && wanted[to] != letter) to += 2;
                if (to >= n) {
                    std::cout << "-1\n";
                    return 0;
                }
                goal[at] = to;
                to += 2;
            }
        }
    for (bool moved = true; moved;) {
        moved = false;
        for (int at = 0; at + 2 < n; ++at)
            if (goal[at] > goal[at + 2]) {
                std::swap(goal[at], goal[at + 2]);
                turns.push_back(at + 1);
                moved = true;
            }
    }
    std::cout << turns.size() << "\n";
    for (int at : turns) std::cout << at << " ";
    std::cout << "\n";
}
