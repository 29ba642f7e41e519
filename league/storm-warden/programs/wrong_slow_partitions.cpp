// Right, but tries all divisions of the islands into parts to find one with too few bridges, in every move.
#include <iostream>
#include <vector>
using namespace std;

int n, m;
vector<int> a, b, state;
long long work = 0;

// Whether some division of the islands has fewer than 2 (k - 1) free bridges between its k parts and no fast one.
bool thin(vector<int>& part, int at, int k, vector<int>* best) {
    if (at > n) {
        int between = 0;
        for (int e = 0; e < m; ++e)
            if (state[e] != 1 && part[a[e]] != part[b[e]]) between += state[e] == 2 ? 1000 : 1;
        if (between >= 2 * (k - 1)) return false;
        *best = part;
        return true;
    }
    for (int p = 0; p <= k; ++p) {
        part[at] = p;
        if (thin(part, at + 1, max(k, p + 1), best)) return true;
    }
    return false;
}

int main() {
    cin >> n >> m;
    a.resize(m), b.resize(m), state.resize(m);
    for (int e = 0; e < m; ++e) cin >> a[e] >> b[e];
    vector<int> part(n + 1), found;
    bool storm = thin(part, 1, 0, &found);
    cout << (storm ? "storm" : "warden") << endl;
    for (int other;;) {
        if (!storm) {
            if (!(cin >> other) || other == 0) return 0;
            state[other - 1] = 1;
        }
        int best = 0;
        for (int e = 0; e < m; ++e)
            if (state[e] == 0) {
                if (storm && found[a[e]] == found[b[e]]) continue;
                state[e] = storm ? 1 : 2;
                vector<int> ignored;
                best = e;
                if (storm || !thin(part, 1, 0, &ignored)) break;
                state[e] = 0;
            }
        state[best] = storm ? 1 : 2;
        cout << best + 1 << endl;
        if (storm) {
            if (!(cin >> other) || other == 0) return 0;
            state[other - 1] = 2;
        }
    }
}
