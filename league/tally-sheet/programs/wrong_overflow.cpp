// Multiplies in 64 bits: large products wrap round.
// Reads formulas by descent, with the strength with which an operator has to bind as an argument.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    enum Error { NONE, BIG, DIV, CYCLE };
    struct Value {
        long long number = 0;
        Error error = NONE;
    };
    map<string, string> formulas;
    map<string, Value> known;
    set<string> reading;

    static Value bounded(long long number) {
        const long long most = 1000000000000LL;
        if (number > most || number < -most) return {0, BIG};
        return {(long long)number, NONE};
    }

    Value read(const string& name) {
        if (!formulas.count(name)) return {};
        if (reading.count(name)) return {0, CYCLE};
        if (known.count(name)) return known[name];
        reading.insert(name);
        size_t at = 0;
        Value value = level(formulas[name], at, 1, true);
        reading.erase(name);
        return known[name] = value;
    }

    static Value apply(char sign, Value x, Value y) {
        if (x.error || y.error) return {0, max(x.error, y.error)};
        if (sign == '<') return {x.number < y.number, NONE};
        if (sign == '+') return bounded(x.number + y.number);
        if (sign == '-') return bounded(x.number - y.number);
        if (sign == '*') return bounded(x.number * y.number);
        if (!y.number) return {0, DIV};
        return {x.number / y.number, NONE};
    }

    // Operators of this strength: 1 for <, 2 for + and -, 3 for * and /. What is not `live` is skipped only.
    Value level(const string& text, size_t& at, int strength, bool live) {
        if (strength == 4) return operand(text, at, live);
        const string signs[] = {"", "<", "+-", "*/"};
        Value value = level(text, at, strength + 1, live);
        while (at < text.size() && signs[strength].find(text[at]) != string::npos) {
            char sign = text[at++];
            value = apply(sign, value, level(text, at, strength + 1, live));
        }
        return value;
    }

    Value operand(const string& text, size_t& at, bool live) {
        if (text[at] == '-') {
            Value inner = operand(text, ++at, live);
            return {-inner.number, inner.error};
        }
        if (text[at] == '(') {
            Value inner = level(text, ++at, 1, live);
            ++at;
            return inner;
        }
        if (isdigit(text[at])) {
            long long number = 0;
            while (at < text.size() && isdigit(text[at])) number = number * 10 + text[at++] - '0';
            return {number, NONE};
        }
        if (isdigit(text[at + 1])) {
            at += 2;
            return live ? read(text.substr(at - 2, 2)) : Value{};
        }
        string word;
        while (text[at] != '(') word += text[at++];
        ++at;
        if (word == "IF") {
            Value test = level(text, at, 1, live);
            Value yes = level(text, ++at, 1, live && !test.error && test.number);
            Value no = level(text, ++at, 1, live && !test.error && !test.number);
            ++at;
            return test.error ? test : test.number ? yes : no;
        }
        string first = text.substr(at, 2), last = text.substr(at + 3, 2);
        at += 6;
        long long cells = 0, greatest = LLONG_MIN;
        long long sum = 0;
        Error error = NONE;
        for (char column = first[0]; column <= last[0]; ++column)
            for (char row = first[1]; row <= last[1]; ++row) {
                string name = {column, row};
                if (!formulas.count(name)) continue;
                ++cells;
                if (word == "COUNT" || !live) continue;
                Value value = read(name);
                error = max(error, value.error);
                sum += value.number;
                greatest = max(greatest, value.number);
            }
        if (word == "COUNT") return {cells, NONE};
        if (error) return {0, error};
        if (word == "SUM") return bounded(sum);
        return {cells && live ? greatest : 0, NONE};
    }

public:
    vector<string> evaluate(vector<string>& cells) {
        for (auto& cell : cells) formulas[cell.substr(0, 2)] = cell.substr(3);
        vector<string> values;
        for (auto& cell : cells) {
            Value value = read(cell.substr(0, 2));
            const char* errors[] = {"", "#BIG", "#DIV", "#CYCLE"};
            values.push_back(value.error ? errors[value.error] : to_string(value.number));
        }
        return values;
    }
};
