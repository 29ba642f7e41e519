// Keeps the sum of lengths in 32 bits.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

std::vector<int64_t> a;
int64_t d;
int32_t stretches = 0, lengths = 0;

void solve(int low, int high) {  // stretches within [low, high)
    if (high - low < 2) return;
    int middle = (low + high) / 2, size = high - middle;
    solve(low, middle);
    solve(middle, high);
    // Per right end: greatest and smallest of the right half up to it, and whether its high lies before its low.
    std::vector<int64_t> most(size), least(size), count(size + 1), sum(size + 1);
    int top = middle, bottom = middle;
    for (int r = middle; r < high; ++r) {
        if (a[r] > a[top]) top = r;
        if (a[r] <= a[bottom]) bottom = r;
        most[r - middle] = a[top];
        least[r - middle] = a[bottom];
        bool falling = top < bottom;
        count[r - middle + 1] = count[r - middle] + falling;
        sum[r - middle + 1] = sum[r - middle] + (falling ? r : 0);
    }
    top = bottom = middle - 1;
    int keeps = 0, stays = 0;  // right ends before these do not take the high (the low) away from the left half
    int deep = size;           // right ends from this one on make stretches that differ by d at least
    for (int l = middle - 1; l >= low; --l) {
        if (a[l] >= a[top]) top = l;
        if (a[l] < a[bottom]) bottom = l;
        while (keeps < size && most[keeps] <= a[top]) ++keeps;
        while (stays < size && least[stays] > a[bottom]) ++stays;
        while (deep > 0 && std::max(most[deep - 1], a[top]) - std::min(least[deep - 1], a[bottom]) >= d) --deep;
        auto add = [&](int64_t from, int64_t to) {  // all right ends of these have the high before the low
            from = std::max<int64_t>(from, deep);
            if (from >= to) return;
            stretches += to - from;
            lengths += (from + to - 1) * (to - from) / 2 + (middle - l + 1) * (to - from);
        };
        if (top < bottom) add(0, std::min(keeps, stays));
        add(stays, keeps);  // high at the left, low at the right
        int from = std::max({keeps, stays, deep});
        stretches += count[size] - count[from];
        lengths += sum[size] - sum[from] - (count[size] - count[from]) * (l - 1);
    }
}

int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n >> d;
    a.resize(n);
    for (auto& reading : a) std::cin >> reading;
    solve(0, n);
    std::cout << stretches << " " << lengths << "\n";
}
