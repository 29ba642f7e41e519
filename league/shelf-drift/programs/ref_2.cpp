// A finger marks the place where the next book comes to rest; books are pushed one by one.
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
            int step = kind == "L" ? 1 : -1, rest = kind == "L" ? 0 : n - 1;
            for (int i = rest; i >= 0 && i < n; i += step) {
                if (s[i] == '|') rest = i + step;
                if (!book(i)) continue;
                std::swap(s[rest], s[i]);
                rest += step;
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
