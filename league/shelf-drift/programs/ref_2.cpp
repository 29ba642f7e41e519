// Slides books step by step, and pushes them one by one.
#include <iostream>
#include <string>

int main() {
    int n, q, thrown = 0;
    std::string s;
    std::cin >> n >> q >> s;
    auto book = [&](int i) { return s[i] != '.' && s[i] != '|'; };
    while (q--) {
        std::string kind;
        std::cin >> kind;
        if (kind == "L" || kind == "R") {
            for (bool moved = true; moved;) {
                moved = false;
                for (int i = 0; i + 1 < n; ++i) {
                    if (kind == "L" ? s[i] == '.' && book(i + 1) : book(i) && s[i + 1] == '.') {
                        std::swap(s[i], s[i + 1]);
                        moved = true;
                    }
                }
            }
            continue;
        }
        int at;
        std::cin >> at;
        --at;
        if (kind == "-") {
            if (book(at)) s[at] = '.';
            continue;
        }
        char x;
        std::cin >> x;
        int end = at;
        while (end < n && book(end)) ++end;
        if (end == n || s[end] == '|') {
            ++thrown;
            continue;
        }
        for (int i = end; i > at; --i) s[i] = s[i - 1];
        s[at] = x;
    }
    std::cout << s << "\n" << thrown << "\n";
}
