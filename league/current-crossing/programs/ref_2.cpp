#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

// Dijkstra over squares and phases of the rhythm, by minutes and then by minutes with the engine.
int main() {
    int r, c;
    std::string rhythm;
    std::cin >> r >> c >> rhythm;
    std::vector<std::string> bay(r);
    for (auto& line : bay) std::cin >> line;
    std::map<char, std::pair<int, int>> steps = {{'N', {-1, 0}}, {'E', {0, 1}}, {'S', {1, 0}}, {'W', {0, -1}}, {'-', {0, 0}}};
    auto water = [&](int y, int x) { return 0 <= y && y < r && 0 <= x && x < c && bay[y][x] != '#'; };
    using State = std::tuple<int, int, int, int>;  // minutes, engine, row, column
    std::priority_queue<State, std::vector<State>, std::greater<State>> queue;
    int length = rhythm.size();
    std::vector<bool> done(r * c * length);
    for (int y = 0; y < r; y++)
        for (int x = 0; x < c; x++)
            if (bay[y][x] == 'S') queue.push({0, 0, y, x});
    while (!queue.empty()) {
        auto [minutes, engine, y, x] = queue.top();
        queue.pop();
        if (bay[y][x] == 'G') {
            std::cout << minutes << " " << engine << "\n";
            return 0;
        }
        int phase = minutes % length;
        if (done[(y * c + x) * length + phase]) continue;
        done[(y * c + x) * length + phase] = true;
        auto [py, px] = steps[rhythm[phase]];
        for (auto& [name, step] : steps) {
            int my = y + step.first, mx = x + step.second;
            if (water(my, mx) && water(my + py, mx + px))
                queue.push({minutes + 1, engine + (name != '-'), my + py, mx + px});
        }
    }
    std::cout << "never\n";
}
