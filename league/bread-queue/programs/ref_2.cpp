// Goes from event to event: an arrival, the end of somebody's patience, or the batch that suffices for the first one.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <list>
#include <vector>

int main() {
    int64_t n, b, t, c;
    std::cin >> n >> b >> t >> c;
    std::vector<int64_t> a(n), w(n), p(n), served(n, -1);
    for (int i = 0; i < n; ++i) std::cin >> a[i] >> w[i] >> p[i];
    std::list<int> queue;
    int64_t shelf = 0, gulls = 0, now = 0;
    size_t next = 0;
    auto serve = [&] {
        while (!queue.empty() && w[queue.front()] <= shelf) {
            shelf -= w[queue.front()];
            served[queue.front()] = now;
            queue.pop_front();
        }
    };
    while (next < a.size() || !queue.empty()) {
        int64_t then = INT64_MAX;
        if (next < a.size()) then = a[next];
        for (int i : queue) then = std::min(then, a[i] + p[i]);
        if (!queue.empty() && w[queue.front()] <= c) {
            int64_t batches = (w[queue.front()] - shelf + b - 1) / b;
            then = std::min(then, (now / t + batches) * t);
        }
        int64_t baked = (then / t - now / t) * b;
        now = then;
        gulls += std::max<int64_t>(0, shelf + baked - c);
        shelf = std::min(c, shelf + baked);
        while (next < a.size() && a[next] == now) queue.push_back(next++);
        serve();
        size_t before = queue.size();
        queue.remove_if([&](int i) { return a[i] + p[i] == now; });
        if (queue.size() < before) serve();
    }
    for (int i = 0; i < n; ++i) std::cout << served[i] << (i + 1 < n ? " " : "\n");
    std::cout << gulls << "\n";
}
