// Moves cars from the heavier ferry to the lighter one: from both ends of the allowed cuts towards each other.
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, room;
    std::cin >> n >> room;
    std::vector<long long> weights(n);
    for (auto& weight : weights) std::cin >> weight;
    int first = std::max(1, n - room), last = std::min(n - 1, room);
    if (first > last) {
        std::cout << "-1\n";
        return 0;
    }
    long long ahead = 0, behind = 0;
    for (int car = 0; car < first; ++car) ahead += weights[car];
    for (int car = last; car < n; ++car) behind += weights[car];
    // Between two cuts the cars from `low` to `high` - 1 are on no ferry yet; the lighter one takes the next of them.
    int low = first, high = last;
    while (low < high) {
        if (ahead < behind) ahead += weights[low++];
        else behind += weights[--high];
    }
    long long gap = std::abs(ahead - behind);
    int best = low;
    auto look = [&](int cut) {
        if (cut < first || cut > last) return;
        long long one = 0, two = 0;
        for (int car = 0; car < n; ++car) (car < cut ? one : two) += weights[car];
        if (std::abs(one - two) < gap || (std::abs(one - two) == gap && cut < best)) gap = std::abs(one - two), best = cut;
    };
    look(best + 1);
    look(low - 1);
    std::cout << best << " " << gap << "\n";
}
