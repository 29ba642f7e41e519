// Keeps one record for every member and title, and goes through all of them day by day as far as copies are put aside.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    int titles = 0;
    vector<int> shelf, fines = vector<int>(31);
    struct Pair {
        int due = 0, renewals = 0, waiting = 0, aside = 0;  // 0: none; `waiting` is the number in the queue's order
    };
    vector<array<Pair, 31>> pairs;
    int tickets = 0;

    bool blocked(int member, int day) {
        for (int title = 1; title <= titles; ++title)
            if (pairs[title][member].due && pairs[title][member].due < day) return true;
        return fines[member] >= 10;
    }

    void pass_on(int title, int day) {
        int next = 0;
        for (int member = 1; member <= 30; ++member) {
            int number = pairs[title][member].waiting;
            if (number && !blocked(member, day) && (!next || number < pairs[title][next].waiting)) next = member;
        }
        if (!next) {
            ++shelf[title];
            return;
        }
        pairs[title][next].waiting = 0;
        pairs[title][next].aside = day + 3;
    }

    void mornings(int day) {
        while (true) {
            int last = day, title = 0, member = 0;
            for (int t = 1; t <= titles; ++t)
                for (int m = 1; m <= 30; ++m)
                    if (pairs[t][m].aside && pairs[t][m].aside < last) last = pairs[t][m].aside, title = t, member = m;
            if (!title) return;
            pairs[title][member].aside = 0;
            pass_on(title, last + 1);
        }
    }

    int waiting(int title) {
        int count = 0;
        for (auto& pair : pairs[title]) count += pair.waiting > 0;
        return count;
    }

    string reply(int day, const string& word, int member, int title) {
        if (word == "pay") {
            int sum = fines[member];
            fines[member] = 0;
            return "paid " + to_string(sum);
        }
        Pair& pair = pairs[title][member];
        if ((word == "return" || word == "renew") && !pair.due) return "no";
        if (word == "return") {
            int fine = min(20, max(0, day - pair.due));
            fines[member] += fine;
            pair.due = 0;
            pass_on(title, day);
            return fine ? "fine " + to_string(fine) : "ok";
        }
        if (blocked(member, day)) return "blocked";
        if (word == "renew") {
            if (waiting(title)) return "wanted";
            if (pair.renewals == 2) return "twice";
            ++pair.renewals;
            pair.due = day + 14;
            return "due " + to_string(pair.due);
        }
        if (word == "reserve") {
            if (pair.due || pair.waiting || pair.aside) return "has";
            if (shelf[title]) return "free";
            pair.waiting = ++tickets;
            return "queued " + to_string(waiting(title));
        }
        int loans = 0;
        for (int each = 1; each <= titles; ++each) loans += pairs[each][member].due > 0;
        if (loans == 3) return "limit";
        if (pair.due) return "has";
        if (pair.aside) pair.aside = 0;
        else if (shelf[title]) --shelf[title];
        else return "none";
        pair = {day + 14, 0, 0, 0};
        return "due " + to_string(pair.due);
    }

public:
    vector<string> deskLog(vector<int>& copies, vector<string>& events) {
        titles = copies.size();
        shelf.push_back(0);
        shelf.insert(shelf.end(), copies.begin(), copies.end());
        pairs.resize(titles + 1);
        vector<string> replies;
        for (auto& event : events) {
            stringstream words(event);
            int day, member, title = 0;
            string word;
            words >> day >> word >> member >> title;
            mornings(day);
            replies.push_back(reply(day, word, member, title));
        }
        return replies;
    }
};
