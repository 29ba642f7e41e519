#include <iostream>
#include <string>
#include <vector>

std::string number;
bool have[10];
std::vector<std::vector<signed char>> dead;
std::string one, two;

// Whether the digits from `at` on, from the front, can be made, when they have to send `carry` to the digit before.
// `going` says which numbers have begun: 0 none, 1 the longer one, 2 both.
bool make(size_t at, int carry, int going) {
    if (at == number.size()) return carry == 0 && going == 2;
    if (dead[at][carry * 3 + going]) return false;
    int want = number[at] - '0' + 10 * carry;
    for (int in = 0; in < 2; in++)
        for (int begun = going; begun <= 2; begun++) {
            for (int a = 0; a < (begun ? 10 : 1); a++) {
                if (begun && (!have[a] || (going == 0 && a == 0))) continue;
                int b = want - in - a;
                if (begun < 2 ? b != 0 : (b < 0 || b > 9 || !have[b] || (going < 2 && b == 0))) continue;
                if (make(at + 1, in, begun)) {
                    if (begun) one += char('0' + a);
                    if (begun == 2) two += char('0' + b);
                    return true;
                }
            }
        }
    dead[at][carry * 3 + going] = 1;
    return false;
}

int main() {
    int t;
    std::cin >> t;
    while (t--) {
        std::string digits;
        std::cin >> digits >> number;
        for (bool& each : have) each = false;
        for (char digit : digits) have[digit - '0'] = true;
        dead.assign(number.size(), std::vector<signed char>(6, 0));
        one.clear();
        two.clear();
        if (make(0, 0, 0))
            std::cout << std::string(one.rbegin(), one.rend()) << " " << std::string(two.rbegin(), two.rend()) << "\n";
        else
            std::cout << "none\n";
    }
}
