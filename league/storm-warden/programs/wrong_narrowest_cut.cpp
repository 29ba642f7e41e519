// As the storm, always strikes at the narrowest cut, the first that it finds.
#include <iostream>
#include <vector>
using namespace std;

int n, m;
vector<int> from, to, state;  // 0 free, 1 destroyed, 2 made fast

int root(vector<int>& top, int i) {
    while (top[i] != i) i = top[i] = top[top[i]];
    return i;
}

// Whether two separate spanning trees are left, by exchanges.
bool two_trees() {
    vector<int> top(n), in(m, -1);
    for (int i = 0; i < n; ++i) top[i] = i;
    int need = 2 * (n - 1);
    for (int e = 0; e < m; ++e)
        if (state[e] == 2) {
            int a = root(top, from[e]), b = root(top, to[e]);
            if (a != b) top[a] = b, need -= 2;
        }
    auto path = [&](int tree, int a, int b, vector<int>& way) {
        vector<int> by(n, -2), queue{a};
        by[a] = -1;
        for (size_t at = 0; at < queue.size(); ++at)
            for (int e = 0; e < m; ++e) {
                if (in[e] != tree) continue;
                int u = root(top, from[e]), v = root(top, to[e]), w = queue[at];
                int x = u == w ? v : v == w ? u : w;
                if (by[x] == -2) by[x] = e, queue.push_back(x);
            }
        if (by[b] == -2) return false;
        for (int x = b; x != a;) {
            int e = by[x];
            way.push_back(e);
            x = root(top, from[e]) == x ? root(top, to[e]) : root(top, from[e]);
        }
        return true;
    };
    auto place = [&](int start) {
        vector<int> before(m, -2), queue{start};
        before[start] = -1;
        for (size_t at = 0; at < queue.size(); ++at)
            for (int tree = 0; tree < 2; ++tree) {
                int e = queue[at];
                if (in[e] == tree) continue;
                vector<int> way;
                if (!path(tree, root(top, from[e]), root(top, to[e]), way)) {
                    for (int x = e, into = tree; x >= 0; x = before[x]) swap(in[x], into);
                    return 1;
                }
                for (int f : way)
                    if (before[f] == -2) before[f] = e, queue.push_back(f);
            }
        return 0;
    };
    for (int e = 0; e < m; ++e)
        if (state[e] == 0 && root(top, from[e]) != root(top, to[e])) need -= place(e);
    return need == 0;
}

int across(unsigned side, int wanted) {
    int first = -1, count = 0;
    for (int e = 0; e < m; ++e)
        if (((side >> from[e]) ^ (side >> to[e])) & 1) {
            if (state[e] == 2) return wanted ? -1 : m + 1;
            if (state[e] == 0) ++count, first = first < 0 ? e : first;
        }
    return wanted ? first : count;
}

int main() {
    cin >> n >> m;
    from.resize(m), to.resize(m), state.resize(m);
    for (int e = 0; e < m; ++e) cin >> from[e] >> to[e], --from[e], --to[e];
    bool warden = two_trees();
    cout << (warden ? "warden" : "storm") << endl;
    int other;
    if (warden)
        while (cin >> other && other) {
            state[other - 1] = 1;
            for (int e = 0; e < m; ++e) {
                if (state[e]) continue;
                state[e] = 2;
                if (two_trees()) {
                    cout << e + 1 << endl;
                    break;
                }
                state[e] = 0;
            }
        }
    else
        do {
            unsigned best = 1;
            for (unsigned side = 1; side < 1u << (n - 1); ++side)
                if (across(side, 0) < across(best, 0)) best = side;
            int e = across(best, 1);
            if (e < 0) break;
            state[e] = 1;
            cout << e + 1 << endl;
            if (!(cin >> other) || !other) break;
            state[other - 1] = 2;
        } while (true);
}
