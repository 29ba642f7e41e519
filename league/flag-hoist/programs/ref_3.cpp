// Reads backwards: from a substitute on to the place that it stands for, until there is a letter.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    string readHoists(string signal) {
        string read = signal;
        vector<int> starts(signal.size());
        for (size_t place = 1; place < signal.size(); ++place)
            starts[place] = signal[place - 1] == ' ' ? place : starts[place - 1];
        for (size_t place = signal.size(); place-- > 0;) {
            int at = place;
            while (isdigit(signal[at])) at = starts[at] + signal[at] - '1';
            read[place] = signal[at];
        }
        return read;
    }
};
