// Shifts the lights against the darkness, 64 signs at a time; then strikes out what a clash at a multiple forbids.
#include <bitset>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string notes;
    std::cin >> notes;
    int size = notes.size();
    std::bitset<16000> ones, zeros;
    for (int at = 0; at < size; ++at) {
        ones[at] = notes[at] == '1';
        zeros[at] = notes[at] == '0';
    }
    std::vector<char> clash(size);
    for (int distance = 1; distance < size; ++distance)
        clash[distance] = (ones & (zeros >> distance)).any() || (zeros & (ones >> distance)).any();
    int smallest = 0, possible = 0;
    for (int period = 1; period <= size; ++period) {
        bool fits = true;
        for (int distance = period; fits && distance < size; distance += period) fits = !clash[distance];
        if (!fits) continue;
        if (!smallest) smallest = period;
        ++possible;
    }
    std::cout << smallest << " " << possible << "\n";
}
