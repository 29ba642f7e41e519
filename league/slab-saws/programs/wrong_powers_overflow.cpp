// Multiplies powers up in 64 bits until they are larger than the sides.
#include <iostream>
using namespace std;

int main() {
    int games;
    cin >> games;
    while (games--) {
        int slabs;
        cin >> slabs;
        __int128 total = 0;
        while (slabs--) {
            unsigned long long a, p, b, q, wide = 1, high = 1;
            cin >> a >> p >> b >> q;
            while (wide * p <= a && high * q <= b && wide * p > 0 && high * q > 0) wide *= p, high *= q;
            total += (a / wide - 1) / (p - 1);
            total -= (b / high - 1) / (q - 1);
        }
        cout << (total > 0 ? "Anna" : total < 0 ? "Boris" : "second") << "\n";
    }
}
