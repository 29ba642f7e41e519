// Brings every label into a text that compares as labels do; then the longest part of the shelf that is in order.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static string decimals(const string& digits) { return digits + string(6 - digits.size(), '0'); }

    static string key(const string& label) {
        stringstream parts(label);
        string word, number, first, second = string(7, ' '), year = "0000", copy = "1";
        parts >> word >> number >> first;
        for (string part; parts >> part;) {
            if (part[0] == 'c') copy = part.substr(2);
            else if (isdigit(part[0])) year = part;
            else second = part[0] + decimals(part.substr(1));
        }
        size_t point = number.find('.');
        string whole = number.substr(0, point), rest = point == string::npos ? "" : number.substr(point + 1);
        return word + string(4 - word.size(), ' ') + string(4 - whole.size(), '0') + whole + decimals(rest) +
               first[1] + decimals(first.substr(2)) + second + year + copy;
    }

public:
    int booksToMove(vector<string>& labels) {
        vector<string> tails;
        for (auto& label : labels) {
            string own = key(label);
            auto place = upper_bound(tails.begin(), tails.end(), own);
            if (place == tails.end()) tails.push_back(own);
            else *place = own;
        }
        return labels.size() - tails.size();
    }
};
