// Takes numbers from both ends until the rest is made of whole tens; without their last digits they are counted tenfold.
#include <bits/stdc++.h>
using namespace std;

vector<long long> digit_plates(long long first, long long last) {
    vector<long long> counts(10);
    if (first == 0) {
        counts[0] = 1;
        first = 1;
    }
    auto write = [&](long long number, long long times) {
        for (; number; number /= 10) counts[number % 10] += times;
    };
    for (long long times = 1; first <= last; times *= 10) {
        while (first <= last && first % 10 != 0) write(first++, times);
        while (first <= last && last % 10 != 9) write(last--, times);
        if (first > last) break;
        first /= 10;
        last /= 10;
        for (long long& count : counts) count += (last - first + 1) * times;
    }
    return counts;
}
