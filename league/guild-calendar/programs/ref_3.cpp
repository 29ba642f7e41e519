// Writes a table of the 4480 years after which everything comes again, day by day.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static const int PERIOD = 4480;
    vector<long long> worked = {0};  // working days before each year of the period
    vector<vector<short>> days;      // the working days of each year, as places in it

    static bool leap(long long year) { return year % 4 == 0 && year % 128 != 0; }

    void write_table() {
        int weekday = 0;
        for (int year = 1; year <= PERIOD; ++year) {
            vector<short> works;
            bool put_off = false;
            for (int day = 0; day < 360 + leap(year); ++day, weekday = (weekday + 1) % 7) {
                int month = min(day / 30, 11) + 1, of_month = day - (month - 1) * 30 + 1;
                bool fair = year % 10 == 0 && month == 7 && of_month <= 10;
                bool free = weekday >= 5 && !fair;
                if (of_month == 15 && month % 3 == 0) {
                    free = true;
                    put_off = weekday >= 5;
                } else if (put_off && weekday == 0) {
                    free = true;
                    put_off = false;
                }
                if (!free) works.push_back(day);
            }
            days.push_back(works);
            worked.push_back(worked.back() + works.size());
        }
    }

public:
    vector<string> workingDays(vector<string>& dates, vector<long long>& counts) {
        write_table();
        vector<string> answers;
        for (size_t i = 0; i < dates.size(); ++i) {
            long long year = stoll(dates[i]);
            string rest = dates[i].substr(dates[i].find('-') + 1);
            int second = stoi(rest.substr(rest.find('-') + 1));
            int at = rest[0] == 'F' ? 366 : (stoi(rest) - 1) * 30 + second - 1;
            long long round = (year - 1) / PERIOD, of_round = (year - 1) % PERIOD;
            const auto& works = days[of_round];
            long long before = round * worked[PERIOD] + worked[of_round];
            // Working days have the numbers 0, 1, 2, ...
            long long wanted = counts[i] > 0
                ? before + (upper_bound(works.begin(), works.end(), at) - works.begin()) + counts[i] - 1
                : before + (lower_bound(works.begin(), works.end(), at) - works.begin()) + counts[i];
            if (wanted < 0) {
                answers.push_back("none");
                continue;
            }
            round = wanted / worked[PERIOD];
            wanted %= worked[PERIOD];
            of_round = upper_bound(worked.begin(), worked.end(), wanted) - worked.begin() - 1;
            int day = days[of_round][wanted - worked[of_round]], month = min(day / 30, 11);
            answers.push_back(to_string(round * PERIOD + of_round + 1) + "-" + to_string(month + 1) + "-" +
                              to_string(day - 30 * month + 1));
        }
        return answers;
    }
};
