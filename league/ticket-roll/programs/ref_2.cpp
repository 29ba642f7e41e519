#include <cstdint>
#include <iostream>
#include <vector>

// Unrolls the tickets: gives each called ticket its place on an endless roll, and takes what is missing between the ends.
int main() {
    int64_t r, n;
    std::cin >> r >> n;
    std::vector<int64_t> places;
    std::vector<int> times;
    for (int64_t number; std::cin >> number;) {
        if (!places.empty() && places.back() % r == number) {
            ++times.back();
            continue;
        }
        int64_t place = number;
        if (!places.empty()) {
            place = places.back() / r * r + number;
            if (place < places.back()) place += r;
        }
        places.push_back(place);
        times.push_back(1);
    }
    int64_t missing = 0, tickets = places.size();
    for (int calls : times) missing += calls == 3;
    int64_t dropped = places.back() - places.front() + 1 - tickets;
    std::cout << tickets - missing << " " << missing << " " << dropped << "\n";
}
