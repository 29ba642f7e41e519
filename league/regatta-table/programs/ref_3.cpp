// Reckons in tenths of a point, and drops the worst scores from a sorted list of races.
#include <bits/stdc++.h>
using namespace std;

struct Boat {
    string name;
    int total = 0;
    vector<int> counted, backwards;
    bool operator<(const Boat& other) const {
        return tie(total, counted, backwards, name) < tie(other.total, other.counted, other.backwards, other.name);
    }
};

vector<string> regattaTable(vector<string>& boats, vector<vector<string>>& races, int discards) {
    int none = 10 * (boats.size() + 1), count = races.size();
    map<string, vector<int>> scores;
    map<string, vector<string>> codes;
    for (auto& boat : boats) scores[boat].assign(count, none), codes[boat].assign(count, "");
    for (int race = 0; race < count; ++race) {
        int place = 0;
        for (auto& word : races[race]) {
            size_t colon = word.find(':');
            string boat = word.substr(0, colon), code = colon == string::npos ? "" : word.substr(colon + 1);
            codes[boat][race] = code;
            if (code.empty() || code == "RDG") scores[boat][race] = 10 * ++place;
        }
    }
    vector<Boat> table;
    for (auto& name : boats) {
        vector<int>& own = scores[name];
        int sum = 0, plain = 0;
        for (int race = 0; race < count; ++race)
            if (codes[name][race] != "RDG") sum += own[race], ++plain;
        vector<int> free;
        for (int race = 0; race < count; ++race) {
            if (plain && codes[name][race] == "RDG") own[race] = (2 * sum + plain) / (2 * plain);
            if (codes[name][race] != "DNE") free.push_back(race);
        }
        stable_sort(free.begin(), free.end(), [&](int a, int b) { return own[a] > own[b]; });
        free.resize(min<size_t>(free.size(), discards));
        Boat boat;
        boat.name = name;
        for (int race = 0; race < count; ++race)
            if (!count_if(free.begin(), free.end(), [&](int left) { return left == race; }))
                boat.counted.push_back(own[race]), boat.total += own[race];
        sort(boat.counted.begin(), boat.counted.end());
        boat.backwards.assign(own.rbegin(), own.rend());
        table.push_back(boat);
    }
    sort(table.begin(), table.end());
    vector<string> lines;
    for (auto& boat : table)
        lines.push_back(to_string(lines.size() + 1) + " " + boat.name + " " + to_string(boat.total / 10) + "." +
                        to_string(boat.total % 10));
    return lines;
}
