// Plays the other side, as well as can be: it takes every chance that a mistake gives, and sets traps until then.
// Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>
using namespace std;

int n, m, seed;
vector<int> from, to;
vector<int> state;  // 0 free, 1 destroyed, 2 made fast
mt19937 rng;

void end(int code, const string& words) {
    fputs(words.c_str(), stderr);
    exit(code);
}

int root(vector<int>& top, int i) {
    while (top[i] != i) i = top[i] = top[top[i]];
    return i;
}

int parts(bool loose) {
    vector<int> top(n);
    iota(top.begin(), top.end(), 0);
    int count = n;
    for (int e = 0; e < m; ++e)
        if (state[e] == 2 || (loose && state[e] == 0)) {
            int a = root(top, from[e]), b = root(top, to[e]);
            if (a != b) top[a] = b, --count;
        }
    return count;
}

// How many free bridges are missing for two separate spanning trees, the fast ones counting as shrunk to a point;
// `vital` gets the bridges without which it would be one more.
int missing(vector<int>* vital = nullptr) {
    vector<int> top(n);
    iota(top.begin(), top.end(), 0);
    for (int e = 0; e < m; ++e)
        if (state[e] == 2) top[root(top, from[e])] = root(top, to[e]);
    vector<int> edges, in(m, -1);
    for (int e = 0; e < m; ++e)
        if (state[e] == 0 && root(top, from[e]) != root(top, to[e])) edges.push_back(e);
    auto path = [&](int tree, int a, int b) {  // the bridges of a forest between two places; {-1} if there is no way
        vector<int> by(n, -2), queue{a};
        by[a] = -1;
        for (size_t at = 0; at < queue.size(); ++at)
            for (int e : edges)
                if (in[e] == tree) {
                    int u = root(top, from[e]), v = root(top, to[e]), w = queue[at];
                    if (u != w && v != w) continue;
                    int x = u == w ? v : u;
                    if (by[x] == -2) by[x] = e, queue.push_back(x);
                }
        vector<int> way;
        if (by[b] == -2) return vector<int>{-1};
        for (int x = b; x != a;) {
            int e = by[x];
            way.push_back(e);
            x = root(top, from[e]) == x ? root(top, to[e]) : root(top, from[e]);
        }
        return way;
    };
    vector<int> reached(m), outside;
    auto search = [&](int start) {  // makes room for a bridge if it can be done; else all that it reaches is marked
        vector<int> before(m, -2), queue{start};
        before[start] = -1;
        for (size_t at = 0; at < queue.size(); ++at) {
            int e = queue[at];
            for (int tree = 0; tree < 2; ++tree) {
                if (in[e] == tree) continue;
                vector<int> way = path(tree, root(top, from[e]), root(top, to[e]));
                if (way.size() == 1 && way[0] == -1) {
                    for (int x = e, into = tree; x >= 0;) {
                        int old = in[x];
                        in[x] = into;
                        into = old;
                        x = before[x];
                    }
                    return true;
                }
                for (int f : way)
                    if (before[f] == -2) before[f] = e, queue.push_back(f);
            }
        }
        return false;
    };
    int placed = 0;
    for (int e : edges)
        if (search(e)) ++placed;
    if (vital) {
        vector<int> mark(m);
        vector<int> queue;
        for (int e : edges)
            if (in[e] < 0) mark[e] = 1, queue.push_back(e);
        for (size_t at = 0; at < queue.size(); ++at)
            for (int tree = 0; tree < 2; ++tree)
                if (in[queue[at]] != tree)
                    for (int f : path(tree, root(top, from[queue[at]]), root(top, to[queue[at]])))
                        if (f >= 0 && !mark[f]) mark[f] = 1, queue.push_back(f);
        for (int e : edges)
            if (!mark[e]) vital->push_back(e);
    }
    return 2 * (parts(false) - 1) - placed;
}

vector<int> free_ones() {
    vector<int> all;
    for (int e = 0; e < m; ++e)
        if (state[e] == 0) all.push_back(e);
    shuffle(all.begin(), all.end(), rng);
    return all;
}

int as_storm() {
    vector<int> vital, all = free_ones();
    if (missing(&vital) > 0) return vital[rng() % vital.size()];
    // The program can hold out: leave it as few right answers as possible.
    int best = all[0], fewest = m + 1;
    for (size_t at = 0; at < all.size() && at < 3; ++at) {
        state[all[at]] = 1;
        int right = 0;
        for (int f : all)
            if (state[f] == 0 && right < fewest) {
                state[f] = 2;
                right += missing() == 0;
                state[f] = 0;
            }
        state[all[at]] = 0;
        if (right < fewest) fewest = right, best = all[at];
    }
    return best;
}

int as_warden() {
    vector<int> all = free_ones(), good;
    int least = 1 << 20;
    for (int f : all) {
        state[f] = 2;
        int lack = missing();
        state[f] = 0;
        if (lack < least) least = lack, good.clear();
        if (lack == least) good.push_back(f);
    }
    return good[rng() % good.size()];
}

int main(int, char** paths) {
    ifstream given(paths[1]);
    given >> n >> m >> seed;
    rng.seed(seed);
    from.resize(m), to.resize(m), state.resize(m);
    cout << n << " " << m << "\n";
    for (int e = 0; e < m; ++e) {
        given >> from[e] >> to[e];
        cout << from[e] << " " << to[e] << "\n";
        --from[e], --to[e];
    }
    cout << flush;
    string word;
    if (!(cin >> word) || (word != "storm" && word != "warden")) end(2, "neither storm nor warden");
    bool storm = word == "storm";
    auto over = [&](bool won) {
        cout << 0 << endl;
        if (!won) end(1, "the game is lost");
        if (cin >> word) end(1, "more after the end");
        end(0, "the game is won");
    };
    auto held = [&]() { return parts(false) == 1; };
    auto lost = [&]() { return parts(true) > 1; };
    for (bool first = true;; first = false) {
        if (storm || !first) {
            if (!(cin >> word) || word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != string::npos) end(2, "not a bridge");
            int e = stoi(word) - 1;
            if (e < 0 || e >= m) end(2, "no such bridge");
            if (state[e]) end(1, "this bridge is not free");
            state[e] = storm ? 1 : 2;
            if (held()) over(!storm);
            if (lost()) over(storm);
        }
        int e = storm ? as_warden() : as_storm();
        state[e] = storm ? 2 : 1;
        if (held()) over(!storm);
        if (lost()) over(storm);
        cout << e + 1 << endl;
    }
}
