#include <algorithm>
#include <iostream>
#include <vector>

// The messages form a tree with the last mast at its root. It is walked with the masts between here and the root on a
// stack, and each query is a binary search on that stack.
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, q;
    std::cin >> n >> q;
    std::vector<long long> x(n), h(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> h[i];
    std::vector<std::vector<int>> from(n);
    std::vector<int> hull;
    for (int i = n - 1; i >= 0; i--) {
        // The hull's slopes from here rise and then fall: search for the first mast after which they rise no more.
        if (!hull.empty()) {
            int low = 0, high = hull.size() - 1;
            while (low < high) {
                int mid = (low + high + 1) / 2;
                int near = hull[mid], far = hull[mid - 1];
                bool keeps = (h[far] - h[i]) * (x[near] - x[i]) <= (h[near] - h[i]) * (x[far] - x[i]);
                if (keeps) low = mid;
                else high = mid - 1;
            }
            from[hull[low]].push_back(i);
            hull.resize(low + 1);
        }
        hull.push_back(i);
    }
    std::vector<std::vector<std::pair<int, int>>> asked(n);
    std::vector<int> answers(q), path;
    for (int i = 0; i < q; i++) {
        int a, b;
        std::cin >> a >> b;
        asked[a - 1].push_back({b - 1, i});
    }
    std::vector<std::pair<int, int>> todo = {{n - 1, 0}};
    while (!todo.empty()) {
        auto [mast, depth] = todo.back();
        todo.pop_back();
        path.resize(depth);
        path.push_back(mast);
        for (auto [goal, number] : asked[mast]) {
            auto it = std::upper_bound(path.begin(), path.end(), goal, std::greater<int>());
            answers[number] = depth - (int(it - path.begin()) - 1);
        }
        for (int next : from[mast]) todo.push_back({next, depth + 1});
    }
    for (int answer : answers) std::cout << answer << "\n";
}
