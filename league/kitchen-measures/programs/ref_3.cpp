// Adds fractions of a teaspoon and brings each sum to lowest terms.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    struct Fraction {
        long long above, below;
        void add(long long a, long long b) {
            above = above * b + a * below;
            below *= b;
            long long common = gcd(above, below);
            above /= common;
            below /= common;
        }
    };

public:
    vector<string> scaleRecipe(vector<string>& amounts, int numerator, int denominator) {
        vector<string> results;
        for (auto& amount : amounts) {
            Fraction total{0, 1}, part{0, 1};
            stringstream words(amount);
            for (string word; words >> word;) {
                size_t slash = word.find('/');
                if (isdigit(word[0])) {
                    part.add(stoi(word), slash == string::npos ? 1 : stoi(word.substr(slash + 1)));
                } else if (word != "+") {
                    total.add(part.above * (word == "cup" ? 48 : word == "tbsp" ? 3 : 1), part.below);
                    part = {0, 1};
                }
            }
            total.above *= numerator;
            total.below *= denominator;
            long long whole = total.above / total.below, rest = total.above % total.below;
            long long common = gcd(rest, total.below);
            vector<string> parts;
            if (whole / 48) parts.push_back(to_string(whole / 48) + " cup");
            if (whole % 48 / 3) parts.push_back(to_string(whole % 48 / 3) + " tbsp");
            string spoons;
            if (whole % 3) spoons = to_string(whole % 3) + " ";
            if (rest) spoons += to_string(rest / common) + "/" + to_string(total.below / common) + " ";
            if (!spoons.empty()) parts.push_back(spoons + "tsp");
            string line = parts[0];
            for (size_t i = 1; i < parts.size(); ++i) line += " + " + parts[i];
            results.push_back(line);
        }
        return results;
    }
};
