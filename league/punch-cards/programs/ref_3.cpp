// Compares the cards place by place, from both ends.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    int brightPairs(vector<long long>& cards, int width, int least) {
        int pairs = 0;
        for (size_t i = 0; i < cards.size(); ++i)
            for (size_t j = i + 1; j < cards.size(); ++j) {
                int straight = 0, turned = 0;
                for (int place = 0; place < width; ++place) {
                    if (!(cards[i] >> place & 1)) continue;
                    straight += cards[j] >> place & 1;
                    turned += cards[j] >> (width - 1 - place) & 1;
                }
                pairs += max(straight, turned) >= least;
            }
        return pairs;
    }
};
