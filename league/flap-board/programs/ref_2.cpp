#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int place(char flap) {
    if (flap == '_') return 0;
    return flap <= '9' ? flap - '0' + 27 : flap - 'A' + 1;
}

// Keeps the numbers of the departures in each row, and turns wheels flap by flap.
int main() {
    int r, c, n, q;
    std::cin >> r >> c >> n;
    std::vector<std::string> texts(n);
    for (auto& text : texts) std::cin >> text;
    texts.push_back(std::string(c, '_'));
    std::vector<int> row(r);
    for (int i = 0; i < r; i++) row[i] = std::min(i, n);
    int next = std::min(r, n);
    std::cin >> q;
    while (q--) {
        int leaves;
        std::cin >> leaves;
        int beats = 0, flaps = 0;
        for (int i = leaves - 1; i < r; i++) {
            int to = i + 1 < r ? row[i + 1] : next;
            for (int j = 0; j < c; j++) {
                int turned = 0;
                for (int at = place(texts[row[i]][j]); at != place(texts[to][j]); at = (at + 1) % 37) turned++;
                beats = std::max(beats, turned);
                flaps += turned;
            }
            row[i] = to;
        }
        next = std::min(next + 1, n);
        std::cout << beats << " " << flaps << "\n";
    }
}
