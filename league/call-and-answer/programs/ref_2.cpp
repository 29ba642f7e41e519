// For every k on its own: how far a place and a later one keep the distance k, and from there the splits from the end.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string s;
    int given;
    std::cin >> given >> s;
    int n = s.size(), most = -1, which = -1;
    for (int k = 0; k < 26; ++k) {
        std::vector<std::vector<int>> common(n + 2, std::vector<int>(n + 2));
        for (int i = n - 1; i >= 0; --i)
            for (int j = n - 1; j > i; --j)
                if ((s[i] - 'a' + k) % 26 == s[j] - 'a') common[i][j] = common[i + 1][j + 1] + 1;
        std::vector<int> from(n + 1, -1);
        from[n] = 0;
        for (int i = n - 1; i >= 0; --i)
            for (int length = 1; i + 2 * length <= n; ++length)
                if (common[i][i + length] >= length && from[i + 2 * length] >= 0)
                    from[i] = std::max(from[i], from[i + 2 * length] + 1);
        if (from[0] > most) most = from[0], which = k;
    }
    if (most < 0) std::cout << "-1\n";
    else std::cout << most << " " << which << "\n";
}
