// Right, but goes through all stretches.
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, d;
    std::cin >> n >> d;
    std::vector<int> readings(n);
    for (int& reading : readings) std::cin >> reading;
    long long count = 0, length = 0;
    for (int start = 0; start < n; ++start) {
        int high = start, low = start;
        for (int end = start; end < n; ++end) {
            if (readings[end] > readings[high]) high = end;
            if (readings[end] <= readings[low]) low = end;
            if (high < low && readings[high] - readings[low] >= d) {
                ++count;
                length += end - start + 1;
            }
        }
    }
    std::cout << count << " " << length << "\n";
}
