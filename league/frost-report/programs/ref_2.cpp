// Writes the days as letters and walks from the first frost day of a spell to its last.
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> degrees(n);
    std::string kinds;
    for (int& each : degrees) {
        std::cin >> each;
        kinds += each < 0 ? 'f' : each <= 2 ? 'm' : 'w';
    }
    kinds += "ww";
    int count = 0, first = 0, last = 0, worst = -1;
    for (int day = 0; day < n; ++day) {
        if (kinds[day] != 'f') continue;
        int end = day;
        while (kinds[end + 1] == 'f' || (kinds[end + 1] == 'm' && kinds[end + 2] == 'f')) end += kinds[end + 1] == 'f' ? 1 : 2;
        int severity = 0;
        for (int at = day; at <= end; ++at) severity -= degrees[at] < 0 ? degrees[at] : 0;
        ++count;
        if (severity > worst || (severity == worst && end - day < last - first)) worst = severity, first = day, last = end;
        day = end;
    }
    std::cout << count << "\n";
    if (count) std::cout << first + 1 << " " << last + 1 << " " << worst << "\n";
}
