// Marks the open minutes of each day on a line of 1440, and reads the ranges off it.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static string clock(int minute) {
        char text[8];
        snprintf(text, sizeof text, "%02d:%02d", minute / 60, minute % 60);
        return text;
    }

    static string tidy(const string& text) {
        if (text.empty()) return "closed";
        vector<char> open(1441);
        stringstream spans(text);
        for (string span; getline(spans, span, ',');) {
            int a, b, c, d;
            sscanf(span.c_str(), "%d:%d-%d:%d", &a, &b, &c, &d);
            fill(open.begin() + a * 60 + b, open.begin() + c * 60 + d, 1);
        }
        string line;
        for (int minute = 0; minute < 1440; ++minute) {
            if (!open[minute] || (minute && open[minute - 1])) continue;
            int end = find(open.begin() + minute, open.end(), 0) - open.begin();
            if (!line.empty()) line += ",";
            line += clock(minute) + "-" + clock(end);
        }
        return line == "00:00-24:00" ? "all day" : line;
    }

public:
    string notice(vector<string>& hours) {
        const string names[] = {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"};
        vector<string> days;
        for (auto& text : hours) days.push_back(tidy(text));
        int first = 0;
        while (first < 7 && days[(first + 6) % 7] == days[0]) first = (first + 6) % 7 ? (first + 6) % 7 : 7;
        if (first == 7) return "daily " + days[0];
        string plate;
        for (int done = 0; done < 7;) {
            int size = 1, at = (first + done) % 7;
            while (done + size < 7 && days[(at + size) % 7] == days[at]) ++size;
            string name = names[at];
            if (size > 1) name += (size == 2 ? "," : "-") + names[(at + size - 1) % 7];
            plate += (done ? "; " : "") + name + " " + days[at];
            done += size;
        }
        return plate;
    }
};
