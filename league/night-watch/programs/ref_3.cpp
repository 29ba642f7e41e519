// For every minute the latest end of those who have come by then; then jumps from end to end.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, begin, end;
    std::cin >> n >> begin >> end;
    std::vector<int> latest(1000001);
    for (int come, leave; std::cin >> come >> leave;) latest[come] = std::max(latest[come], leave);
    for (int minute = 1; minute <= 1000000; ++minute) latest[minute] = std::max(latest[minute], latest[minute - 1]);
    int chosen = 0, reached = begin;
    while (reached < end && latest[reached] > reached) {
        reached = latest[reached];
        ++chosen;
    }
    if (reached < end) std::cout << "-1 " << reached << "\n";
    else std::cout << chosen << "\n";
}
