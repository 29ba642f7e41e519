#include <algorithm>
#include <iostream>
#include <string>

std::string wheels;

int clicks() {
    std::cout << "? " << wheels << std::endl;
    int heard;
    std::cin >> heard;
    return heard;
}

int apart(int a, int b) { return std::min((a - b + 10) % 10, (b - a + 10) % 10); }

// Brings the wheels to the code one after the other. Settings 3 and 8 of a wheel give its distance from 3 and leave two
// digits, setting one of which decides; so a wheel costs two settings besides the one it is found in. The last wheel is
// as far away as all the clicks that are left.
int main() {
    int n;
    std::cin >> n;
    wheels = std::string(n, '3');
    int now = clicks();
    for (int i = 0; i < n; i++) {
        int away = now;
        if (i < n - 1) {
            wheels[i] = '8';
            away = (now + 5 - clicks()) / 2;
        }
        int up = (3 + away) % 10, down = (13 - away) % 10;
        wheels[i] = char('0' + up);
        if (up != down) {
            int heard = clicks();
            if (heard != now - away) wheels[i] = char('0' + down);
        }
        now -= away;
    }
    std::cout << "! " << wheels << std::endl;
}
