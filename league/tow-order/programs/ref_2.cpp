#include <bits/stdc++.h>
using namespace std;

int n, m;
vector<vector<int>> before;
vector<int> state, order_;

bool leave(int barge) {
    if (state[barge] != 0) return state[barge] == 2;
    state[barge] = 1;
    for (int other : before[barge])
        if (!leave(other)) return false;
    state[barge] = 2;
    order_.push_back(barge);
    return true;
}

int main() {
    scanf("%d %d", &n, &m);
    before.resize(n + 1);
    state.assign(n + 1, 0);
    for (int i = 0; i < m; i++) {
        int a, b;
        scanf("%d %d", &a, &b);
        before[b].push_back(a);
    }
    for (int barge = n; barge >= 1; barge--)
        if (!leave(barge)) {
            puts("stuck");
            return 0;
        }
    for (int barge : order_) printf("%d ", barge);
    puts("");
}
