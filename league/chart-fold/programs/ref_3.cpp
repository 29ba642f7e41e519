// Keeps all layers: every place of the chart as it lies holds its squares from the bottom to the top.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    using Pile = deque<char>;
    using Chart = vector<vector<Pile>>;

    static Chart turned(const Chart& chart) {  // rows become columns
        Chart made(chart[0].size(), vector<Pile>(chart.size()));
        for (size_t row = 0; row < chart.size(); ++row)
            for (size_t column = 0; column < chart[0].size(); ++column) made[column][row] = chart[row][column];
        return made;
    }

    static char back(char face) { return isupper(face) ? tolower(face) : toupper(face); }

    static void fold_left(vector<Pile>& row, int k, bool over) {  // the k rightmost ones
        int rest = row.size() - k;
        vector<Pile> made(max(rest, k));
        int size = made.size();
        for (int at = 0; at < rest; ++at) made[size - rest + at] = row[at];
        for (int at = 0; at < k; ++at) {
            Pile& place = made[size - 1 - at];
            for (int layer = row[rest + at].size() - 1; over && layer >= 0; --layer)
                place.push_back(back(row[rest + at][layer]));
            for (size_t layer = 0; !over && layer < row[rest + at].size(); ++layer)
                place.push_front(back(row[rest + at][layer]));
        }
        row = made;
    }

public:
    vector<string> foldChart(vector<string>& chart, vector<string>& folds) {
        Chart piles;
        for (string& row : chart) {
            piles.emplace_back();
            for (char letter : row) piles.back().push_back({letter});
        }
        for (string& fold : folds) {
            char side = toupper(fold[0]);
            bool upright = side == 'T' || side == 'B', mirrored = side == 'L' || side == 'T';
            if (upright) piles = turned(piles);
            for (auto& row : piles) {
                if (mirrored) reverse(row.begin(), row.end());
                fold_left(row, stoi(fold.substr(1)), isupper(fold[0]));
                if (mirrored) reverse(row.begin(), row.end());
            }
            if (upright) piles = turned(piles);
        }
        vector<string> seen;
        for (auto& row : piles) {
            seen.emplace_back();
            for (auto& pile : row) seen.back() += pile.back();
        }
        return seen;
    }
};
