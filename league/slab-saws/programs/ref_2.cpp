// In closed form: with p^i <= a < p^(i+1) and q^j <= b < q^(j+1), a slab with i > j is worth (a - p^j) / ((p - 1) p^j).
#include <iostream>

typedef __int128 Big;

Big ahead(Big a, Big p, Big b, Big q) {
    int i = 0, j = 0;
    for (Big power = p; power <= a; power *= p) ++i;
    for (Big power = q; power <= b; power *= q) ++j;
    if (i == j) return 0;
    if (i < j) return -ahead(b, q, a, p);
    Big unit = 1;
    while (j--) unit *= p;
    return (a - unit) / ((p - 1) * unit);
}

int main() {
    int games;
    std::cin >> games;
    while (games--) {
        int slabs;
        std::cin >> slabs;
        Big total = 0;
        while (slabs--) {
            long long a, p, b, q;
            std::cin >> a >> p >> b >> q;
            total += ahead(a, p, b, q);
        }
        std::cout << (total > 0 ? "Anna" : total < 0 ? "Boris" : "second") << "\n";
    }
}
