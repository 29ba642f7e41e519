// Numbers the different branches, and knows the number of each one's mirror image.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    long long mirrorPairs(vector<int>& parents, string kinds) {
        int count = parents.size();
        vector<vector<int>> children(count);
        for (int polyp = 1; polyp < count; ++polyp) children[parents[polyp]].push_back(polyp);
        map<vector<int>, int> shapes;
        vector<int> own(count), image(count);
        unordered_map<int, long long> seen;
        long long pairs = 0;
        for (int polyp = count - 1; polyp >= 0; --polyp) {
            vector<int> shape = {kinds[polyp]}, mirrored = {kinds[polyp]};
            for (int child : children[polyp]) shape.push_back(own[child]);
            for (size_t at = children[polyp].size(); at-- > 0;) mirrored.push_back(image[children[polyp][at]]);
            own[polyp] = shapes.emplace(shape, shapes.size()).first->second;
            image[polyp] = shapes.emplace(mirrored, shapes.size()).first->second;
            pairs += seen[image[polyp]];
            ++seen[own[polyp]];
        }
        return pairs;
    }
};
