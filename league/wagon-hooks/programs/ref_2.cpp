#include <iostream>
#include <string>
#include <vector>

// Couples one wagon after the other: first those that can be coupled without a change of the free hook, then one that
// changes it; wagons are turned only when nothing else is left.
int main() {
    char hook;
    int n;
    std::cin >> hook >> n;
    std::vector<int> stock[2][2];
    for (int i = 1; i <= n; i++) {
        std::string wagon;
        std::cin >> wagon;
        stock[wagon[0] - 'A'][wagon[1] - 'A'].push_back(i);
    }
    std::vector<int> train;
    int wanted = hook == 'A' ? 1 : 0;  // the front hook of the next wagon
    while ((int)train.size() < n) {
        auto& through = stock[wanted][1 - wanted];
        auto& changing = stock[wanted][wanted];
        auto& against = stock[1 - wanted][wanted];
        if (!through.empty()) {
            train.push_back(through.back());
            through.pop_back();
        } else if (!changing.empty()) {
            train.push_back(changing.back());
            changing.pop_back();
            wanted = 1 - wanted;
        } else if (!against.empty() && stock[1 - wanted][1 - wanted].empty()) {
            train.push_back(-against.back());
            against.pop_back();
        } else {
            std::cout << "none\n";
            return 0;
        }
    }
    for (int i = 0; i < n; i++) std::cout << train[i] << (i + 1 < n ? ' ' : '\n');
}
