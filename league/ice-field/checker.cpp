// Whether a chart has as many regions as wanted; `impossible` is right where the answer says so.
// Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

void end(int code, const std::string& words) {
    std::fputs(words.c_str(), stderr);
    std::exit(code);
}

int regions(std::vector<std::string> chart) {
    int count = 0, h = chart.size(), w = chart[0].size();
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            char kind = chart[y][x];
            if (kind == ' ') continue;
            ++count;
            std::vector<std::pair<int, int>> stack{{y, x}};
            chart[y][x] = ' ';
            while (!stack.empty()) {
                auto [b, a] = stack.back();
                stack.pop_back();
                const int dy[] = {1, -1, 0, 0}, dx[] = {0, 0, 1, -1};
                for (int way = 0; way < 4; ++way) {
                    int d = b + dy[way], c = a + dx[way];
                    if (d < 0 || d >= h || c < 0 || c >= w || chart[d][c] != kind) continue;
                    chart[d][c] = ' ';
                    stack.emplace_back(d, c);
                }
            }
        }
    return count;
}

int main(int, char** paths) {
    std::ifstream given(paths[1]), printed(paths[2]), answer(paths[3]);
    int h, w, k;
    given >> h >> w >> k;
    std::string ours;
    answer >> ours;
    std::vector<std::string> words;
    std::string word;
    while (words.size() < 50 && printed >> word) words.push_back(word);
    if (words.size() == 1 && words[0] == "impossible") end(ours != "impossible", "impossible, it says");
    if ((int)words.size() != h) end(2, "not as many lines as rows");
    for (auto& row : words)
        if ((int)row.size() != w || row.find_first_not_of("#.") != std::string::npos) end(2, "not a row of the chart");
    int found = regions(words);
    if (found != k) end(1, std::to_string(found) + " regions");
    end(ours == "impossible" ? 3 : 0, "as many regions as wanted");
}
