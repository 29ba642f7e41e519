// Adds up the values of the slabs in 64 bits.
#include <iostream>
using namespace std;

int main() {
    int games;
    cin >> games;
    while (games--) {
        int slabs;
        cin >> slabs;
        unsigned long long total = 0;
        while (slabs--) {
            unsigned long long a, p, b, q;
            cin >> a >> p >> b >> q;
            while (a >= p && b >= q) a /= p, b /= q;
            total += (a - 1) / (p - 1);
            total -= (b - 1) / (q - 1);
        }
        long long sum = (long long)total;
        cout << (sum > 0 ? "Anna" : sum < 0 ? "Boris" : "second") << "\n";
    }
}
