// Looks at the whole game anew in every move: the storm takes a bridge that all pairs of forests need, the warden one that
// leaves two separate trees of what is then shrunk together.
#include <iostream>
#include <vector>
using namespace std;

int n, m;
vector<int> a, b, state;  // 0 free, 1 destroyed, 2 fast

struct Packing {
    vector<int> in;  // 0, 1: the forest of a bridge; -1: none
    int count = 0;

    bool joined(int forest, int from, int to, vector<int>* way) {
        vector<int> by(n + 1, -1), queue{from};
        by[from] = m;
        for (size_t at = 0; at < queue.size() && by[to] < 0; ++at)
            for (int e = 0; e < m; ++e)
                if (in[e] == forest || state[e] == 2) {
                    int x = queue[at] == a[e] ? b[e] : queue[at] == b[e] ? a[e] : 0;
                    if (x && by[x] < 0) by[x] = e, queue.push_back(x);
                }
        if (by[to] < 0) return false;
        for (int x = to; x != from; x = a[by[x]] == x ? b[by[x]] : a[by[x]])
            if (state[by[x]] == 0) way->push_back(by[x]);
        return true;
    }

    Packing() : in(m, -1) {
        for (int start = 0; start < m; ++start) {
            if (state[start]) continue;
            vector<int> before(m, -2), queue{start};
            before[start] = -1;
            bool found = false;
            for (size_t at = 0; at < queue.size() && !found; ++at)
                for (int forest = 0; forest < 2 && !found; ++forest) {
                    int e = queue[at];
                    if (in[e] == forest) continue;
                    vector<int> way;
                    if (!joined(forest, a[e], b[e], &way)) {
                        for (int x = e, into = forest; x >= 0; x = before[x]) swap(in[x], into);
                        ++count;
                        found = true;
                    }
                    for (int f : way)
                        if (before[f] == -2) before[f] = e, queue.push_back(f);
                }
        }
    }
};

int islands_left() {
    vector<int> part(n + 1);
    for (int i = 1; i <= n; ++i) part[i] = i;
    int count = n;
    for (int e = 0; e < m; ++e)
        if (state[e] == 2 && part[a[e]] != part[b[e]]) {
            --count;
            int old = part[a[e]], now = part[b[e]];
            for (int& p : part)
                if (p == old) p = now;
        }
    return count;
}

bool warden_holds() { return Packing().count == 2 * (islands_left() - 1); }

int main() {
    cin >> n >> m;
    a.resize(m), b.resize(m), state.resize(m);
    for (int e = 0; e < m; ++e) cin >> a[e] >> b[e];
    bool storm = !warden_holds();
    cout << (storm ? "storm" : "warden") << endl;
    for (int other;;) {
        if (!storm) {
            if (!(cin >> other) || other == 0) return 0;
            state[other - 1] = 1;
        }
        int best = -1, whole = storm ? Packing().count : 0;
        for (int e = 0; e < m && best < 0; ++e)
            if (state[e] == 0) {
                state[e] = storm ? 1 : 2;
                if (storm ? Packing().count < whole : warden_holds()) best = e;
                else state[e] = 0;
            }
        cout << best + 1 << endl;
        if (storm) {
            if (!(cin >> other) || other == 0) return 0;
            state[other - 1] = 2;
        }
    }
}
