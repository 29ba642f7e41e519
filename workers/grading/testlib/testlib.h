// Checkers and interactors that speak the testlib protocol, without the library: the calls that most of them make,
// written for this project from the public description of what they do. An operator may configure the real one.
//
// A checker reads `inf` (the test), `ouf` (the program's answer) and `ans` (the jury's) and ends with quitf. What
// cannot be read from `ouf` is the program's fault: wrong format (2) or unexpected end (8). From `inf` and `ans` it
// is the jury's: failure (3). Numbers are plain decimal ones: no nan, no infinity, no foreign digits, no leading
// zeros. An accepted answer has nothing left to read. A checker that ends without a verdict has failed.
#ifndef TIDEMARK_TESTLIB
#define TIDEMARK_TESTLIB

#include <bits/stdc++.h>

#include <fcntl.h>
#include <unistd.h>

enum TResult {
    _ok = 0,
    _wa = 1,
    _pe = 2,
    _fail = 3,
    _dirt = 4,
    _points = 7,
    _unexpected_eof = 8,
    _partially = 16
};
#define _pc(value) (TResult(_partially + (value)))

enum TMode { _input, _output, _answer };

const int eofChar = -1;

__attribute__((format(printf, 1, 0))) inline std::string testlib_text(const char *form, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(nullptr, 0, form, again);
    va_end(again);
    std::string text(length > 0 ? length + 1 : 1, '\0');
    vsnprintf(&text[0], text.size(), form, arguments);
    text.pop_back();
    return text;
}

#define TESTLIB_TEXT(name, form)                   \
    va_list testlib_arguments;                     \
    va_start(testlib_arguments, form);             \
    std::string name = testlib_text(form, testlib_arguments); \
    va_end(testlib_arguments)

__attribute__((format(printf, 1, 2))) inline std::string format(const char *form, ...) {
    TESTLIB_TEXT(text, form);
    return text;
}

inline std::string format(const std::string form, ...) {
    va_list arguments;
    va_start(arguments, form);
    std::string text = testlib_text(form.c_str(), arguments);
    va_end(arguments);
    return text;
}

// Long texts by their ends, and nothing that does not print.
inline std::string compress(const std::string &text) {
    std::string shown = text.size() <= 64 ? text : text.substr(0, 30) + "..." + text.substr(text.size() - 31);
    for (char &c : shown)
        if (c < ' ' || c > '~') c = '?';
    return shown;
}

namespace testlib {

enum Role { unregistered, checker, interactor };
inline Role role = unregistered;
inline bool ended = false;

[[noreturn]] void end(TResult result, const std::string &message);

inline bool blank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Decimal digits with an optional minus, as printing the number would give them.
inline bool whole(const std::string &word, bool negative, std::string &digits) {
    size_t start = negative && word.size() > 1 && word[0] == '-';
    digits = word.substr(start);
    if (digits.empty() || digits.size() > 20) return false;
    for (char c : digits)
        if (c < '0' || c > '9') return false;
    return digits[0] != '0' || (digits.size() == 1 && !start);
}

inline bool fits(const std::string &digits, const std::string &most) {
    return digits.size() < most.size() || (digits.size() == most.size() && digits <= most);
}

inline bool to_signed(const std::string &word, long long &value) {
    std::string digits;
    bool below = word[0] == '-';
    if (!whole(word, true, digits) || !fits(digits, below ? "9223372036854775808" : "9223372036854775807")) return false;
    value = strtoll(word.c_str(), nullptr, 10);
    return true;
}

inline bool to_unsigned(const std::string &word, unsigned long long &value) {
    std::string digits;
    if (!whole(word, false, digits) || !fits(digits, "18446744073709551615")) return false;
    value = strtoull(word.c_str(), nullptr, 10);
    return true;
}

inline bool to_double(const std::string &word, double &value, int &places, bool &exponent) {
    size_t at = 0, digits = 0;
    places = 0, exponent = false;
    auto take = [&] {
        size_t from = at;
        while (at < word.size() && word[at] >= '0' && word[at] <= '9') at++;
        return at - from;
    };
    if (at < word.size() && (word[at] == '-' || word[at] == '+')) at++;
    digits = take();
    if (at < word.size() && word[at] == '.') at++, places = (int)take(), digits += places;
    if (digits && at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
        exponent = true, at++;
        if (at < word.size() && (word[at] == '-' || word[at] == '+')) at++;
        if (!take()) return false;
    }
    if (!digits || at != word.size()) return false;
    value = strtod(word.c_str(), nullptr);
    return std::isfinite(value);
}

// A pattern of characters, [classes], (groups), | and the counts ? * + {n} {n,m}: walked in sets of steps.
class Pattern {
  public:
    explicit Pattern(const std::string &text) : text(text) {
        Count count;
        if (!text.empty() && text[0] != '(' && text[0] != '|') {  // most are one class and a count
            alone = characters();
            if (read_count(count), at == text.size()) {
                least = count.least, most = count.most;
                return;
            }
        }
        at = 0, least = -1;
        last = choice();
        if (at != text.size()) refuse();
    }

    bool matches(const std::string &word) const {
        if (least >= 0) {
            long length = (long)word.size();
            return least <= length && (most < 0 || length <= most) &&
                   std::all_of(word.begin(), word.end(), [this](unsigned char c) { return alone[c]; });
        }
        std::vector<char> now(steps.size());
        spread(now, 0);
        for (unsigned char c : word) {
            std::vector<char> next(steps.size());
            bool any = false;
            for (size_t i = 0; i < steps.size(); i++)
                if (now[i] && steps[i].takes && steps[i].set[c]) spread(next, steps[i].to[0]), any = true;
            if (!any) return false;
            now.swap(next);
        }
        return now[last];
    }

  private:
    typedef std::bitset<256> Set;
    struct Step {
        bool takes = false;
        Set set;
        std::vector<size_t> to;
    };
    struct Count {
        long least = 1, most = 1;  // -1: any number
    };
    std::string text;
    size_t at = 0, last = 0;
    Set alone;
    long least = -1, most = -1;
    std::vector<Step> steps;

    [[noreturn]] void refuse() const { end(_fail, "the pattern \"" + text + "\" cannot be read, or is too long"); }
    bool more(char c) const { return at < text.size() && text[at] == c; }
    void link(size_t from, size_t to) { steps[from].to.push_back(to); }

    size_t fresh() {
        if (steps.size() > 20000) refuse();
        steps.emplace_back();
        return steps.size() - 1;
    }

    void spread(std::vector<char> &on, size_t from) const {
        std::vector<size_t> waiting{from};
        while (!waiting.empty()) {
            size_t i = waiting.back();
            waiting.pop_back();
            if (on[i]) continue;
            on[i] = 1;
            if (!steps[i].takes) waiting.insert(waiting.end(), steps[i].to.begin(), steps[i].to.end());
        }
    }

    size_t choice() {
        size_t begin = fresh(), finish = fresh();
        do {
            at += more('|');
            size_t into = fresh();
            link(begin, into);
            link(row(into), finish);
        } while (more('|'));
        return finish;
    }

    size_t row(size_t from) {
        while (at < text.size() && text[at] != '|' && text[at] != ')') from = counted(from);
        return from;
    }

    size_t counted(size_t from) {
        Count count;
        size_t begin = at, here = single(from);
        if (!read_count(count)) return here;
        size_t resume = at, finish = fresh();
        if (count.least == 0) link(from, finish);
        for (long i = 1; i < std::max(count.least, count.most); i++) {  // one copy is there; the others are read again
            if (i >= count.least) link(here, finish);
            here = copy(begin, here);
        }
        if (count.most < 0) {
            size_t again = fresh();
            link(here, again);
            link(copy(begin, again), again);
            link(again, finish);
        } else if (count.most > 0) {
            link(here, finish);
        }
        at = resume;
        return finish;
    }

    size_t copy(size_t begin, size_t from) {
        size_t into = fresh();
        link(from, into);
        at = begin;
        return single(into);
    }

    bool read_count(Count &count) {
        if (more('?')) count = {0, 1};
        else if (more('*')) count = {0, -1};
        else if (more('+')) count = {1, -1};
        else if (more('{')) {
            at++;
            count.least = count.most = number();
            if (more(',')) at++, count.most = more('}') ? -1 : number();
            if (!more('}')) refuse();
        } else return false;
        at++;
        return true;
    }

    long number() {
        long value = 0;
        size_t from = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 9) value = 10 * value + text[at++] - '0';
        if (at == from) refuse();
        return value;
    }

    unsigned char letter() {
        at += more('\\');
        if (at >= text.size()) refuse();
        return text[at++];
    }

    Set characters() {
        Set set;
        if (!more('[')) return set.set(letter());
        at++;
        bool none = more('^');
        at += none;
        while (!more(']')) {
            unsigned char low = letter(), high = low;
            if (more('-') && at + 1 < text.size() && text[at + 1] != ']') at++, high = letter();
            for (int c = low; c <= high; c++) set.set(c);
        }
        at++;
        return none ? ~set : set;
    }

    size_t single(size_t from) {
        if (more('(')) {
            at++;
            link(from, steps.size());
            size_t finish = choice();
            if (!more(')')) refuse();
            at++;
            return finish;
        }
        size_t taking = fresh(), finish = fresh();
        link(from, taking);
        steps[taking].set = characters(), steps[taking].takes = true;
        link(taking, finish);
        return finish;
    }
};

}  // namespace testlib

class InStream {
  public:
    TMode mode = _input;
    bool strict = false;
    std::string name = "stream";

    void init(int descriptor, TMode wanted, const std::string &called) { fd = descriptor, mode = wanted, name = called; }

    void init(const std::string &path, TMode wanted) {
        int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (opened < 0) testlib::end(_fail, "cannot open " + path);
        init(opened, wanted, path);
    }

    // --- verdicts; of what the jury gave, any but ok is the jury's failure ---

    [[noreturn]] void quit(TResult result, const char *message) { quit(result, std::string(message)); }

    [[noreturn]] void quit(TResult result, const std::string &message) {
        if (mode != _output && result != _ok) testlib::end(_fail, name + ": " + message);
        testlib::end(result, message);
    }

    [[noreturn]] __attribute__((format(printf, 3, 4))) void quitf(TResult result, const char *form, ...) {
        TESTLIB_TEXT(message, form);
        quit(result, message);
    }

    __attribute__((format(printf, 4, 5))) void quitif(bool condition, TResult result, const char *form, ...) {
        if (!condition) return;
        TESTLIB_TEXT(message, form);
        quit(result, message);
    }

    __attribute__((format(printf, 3, 4))) void ensuref(bool condition, const char *form, ...) {
        if (condition) return;
        TESTLIB_TEXT(message, form);
        quit(_wa, message);
    }

    // --- characters ---

    int curChar() { return peek(); }

    int nextChar() { return readChar(); }

    char readChar() {
        int c = peek();
        if (c == eofChar) quit(_unexpected_eof, "unexpected end of file");
        at++;
        return (char)c;
    }

    char readChar(char wanted) {
        char c = readChar();
        if (c != wanted) quit(_pe, "unexpected character '" + compress(std::string(1, c)) + "', expected '" + compress(std::string(1, wanted)) + "'");
        return c;
    }

    char readSpace() { return readChar(' '); }
    void unreadChar(char c) {
        if (at > 0) at--;
        else pending.insert(pending.begin(), c);
        pending[at] = c;
    }
    void skipChar() { at += peek() != eofChar; }

    void skipBlanks() {
        while (testlib::blank(peek())) at++;
    }

    bool eof() { return peek() == eofChar; }

    // Passes the end of a line, \r\n as one, and says whether there was one; the end of the file is one too.
    bool eoln() {
        int c = peek();
        if (c == eofChar) return !strict;
        if (c == '\r') {
            at++;
            if (peek() != '\n') {
                unreadChar('\r');
                return false;
            }
            c = '\n';
        }
        if (c == '\n') at++;
        return c == '\n';
    }

    bool seekEof() {
        skipBlanks();
        return eof();
    }

    bool seekEoln() {
        while (peek() == ' ' || peek() == '\t') at++;
        return eoln();
    }

    void readEof() {
        if (!eof()) quit(_pe, "expected the end of the file");
    }

    void readEoln() {
        if (!eoln()) quit(_pe, "expected the end of a line");
    }

    void nextLine() { readLine(); }

    // --- words and lines ---

    std::string readToken() { return readWord(); }
    std::string readToken(const std::string &pattern, const std::string &what = "") { return readWord(pattern, what); }
    void readTokenTo(std::string &word) { word = readWord(); }
    void readWordTo(std::string &word) { word = readWord(); }

    std::string readWord() {
        if (!strict) skipBlanks();
        int c = peek();
        if (c == eofChar) quit(_unexpected_eof, "unexpected end of file, expected a word");
        if (testlib::blank(c)) quit(_pe, "unexpected white space, expected a word");
        std::string word;
        for (; c != eofChar && !testlib::blank(c); c = peek()) word += (char)c, at++;
        return word;
    }

    std::string readWord(const std::string &pattern, const std::string &what = "") {
        return like(readWord(), pattern, what);
    }

    std::string readLine() {
        if (eof()) quit(_unexpected_eof, "unexpected end of file, expected a line");
        std::string line;
        for (int c = peek(); c != eofChar && c != '\n'; c = peek()) line += (char)c, at++;
        if (!line.empty() && line.back() == '\r' && !eof()) line.pop_back();
        at += peek() == '\n';
        return line;
    }

    std::string readString() { return readLine(); }
    std::string readLine(const std::string &pattern, const std::string &what = "") { return like(readLine(), pattern, what); }
    std::string readString(const std::string &pattern, const std::string &what = "") { return readLine(pattern, what); }
    void readLineTo(std::string &line) { line = readLine(); }
    void readStringTo(std::string &line) { line = readLine(); }

    // --- numbers ---

    long long readLong() { return number<long long>("an integer", testlib::to_signed); }
    long long readLong(long long low, long long high, const std::string &what = "") { return within(readLong(), low, high, what); }
    int readInt() { return (int)within(readLong(), (long long)INT_MIN, (long long)INT_MAX, ""); }
    int readInt(int low, int high, const std::string &what = "") { return (int)within(readLong(), (long long)low, (long long)high, what); }
    int readInteger() { return readInt(); }
    int readInteger(int low, int high, const std::string &what = "") { return readInt(low, high, what); }
    unsigned long long readUnsignedLong() { return number<unsigned long long>("an unsigned integer", testlib::to_unsigned); }
    unsigned long long readUnsignedLong(unsigned long long low, unsigned long long high, const std::string &what = "") {
        return within(readUnsignedLong(), low, high, what);
    }
    unsigned long long readLong(unsigned long long low, unsigned long long high, const std::string &what = "") {
        return readUnsignedLong(low, high, what);
    }

    double readDouble() { return real(0, INT_MAX, false); }
    double readDouble(double low, double high, const std::string &what = "") { return within(readDouble(), low, high, what); }
    double readReal() { return readDouble(); }
    double readReal(double low, double high, const std::string &what = "") { return readDouble(low, high, what); }
    double readStrictDouble(double low, double high, int least_places, int most_places, const std::string &what = "") {
        return within(real(least_places, most_places, true), low, high, what);
    }
    double readStrictReal(double low, double high, int least_places, int most_places, const std::string &what = "") {
        return readStrictDouble(low, high, least_places, most_places, what);
    }

    std::vector<int> readInts(int count, int low, int high, const std::string &what = "", int = 1) {
        return several<int>(count, [&] { return readInt(low, high, what); });
    }
    std::vector<int> readInts(int count) { return several<int>(count, [&] { return readInt(); }); }
    std::vector<int> readIntegers(int count, int low, int high, const std::string &what = "", int = 1) { return readInts(count, low, high, what); }
    std::vector<int> readIntegers(int count) { return readInts(count); }
    std::vector<long long> readLongs(int count, long long low, long long high, const std::string &what = "", int = 1) {
        return several<long long>(count, [&] { return readLong(low, high, what); });
    }
    std::vector<long long> readLongs(int count) { return several<long long>(count, [&] { return readLong(); }); }
    std::vector<double> readDoubles(int count, double low, double high, const std::string &what = "", int = 1) {
        return several<double>(count, [&] { return readDouble(low, high, what); });
    }
    std::vector<double> readDoubles(int count) { return several<double>(count, [&] { return readDouble(); }); }
    std::vector<std::string> readTokens(int count) { return several<std::string>(count, [&] { return readWord(); }); }
    std::vector<std::string> readWords(int count) { return readTokens(count); }
    std::vector<std::string> readLines(int count) { return several<std::string>(count, [&] { return readLine(); }); }
    std::vector<std::string> readStrings(int count) { return readLines(count); }

    void close() {
        if (fd > 0) ::close(fd);
        fd = -1;
    }

  private:
    int fd = -1;
    std::string pending;
    size_t at = 0;

    int peek() {
        while (at == pending.size()) {
            char more[1 << 16];
            ssize_t length = fd < 0 ? 0 : read(fd, more, sizeof more);
            if (length < 0 && errno == EINTR) continue;
            if (length < 0) testlib::end(_fail, "cannot read " + name);
            if (length == 0) return eofChar;
            pending.assign(more, length), at = 0;
        }
        return (unsigned char)pending[at];
    }

    const std::string &like(const std::string &text, const std::string &pattern, const std::string &what) {
        if (!testlib::Pattern(pattern).matches(text))
            quit(_wa, called("text", what) + " is \"" + compress(text) + "\", which is not like \"" + compress(pattern) + "\"");
        return text;
    }

    static std::string called(const char *kind, const std::string &what) { return what.empty() ? kind : compress(what); }

    template <class T, class Read> T number(const char *kind, Read read) {
        T value = 0;
        std::string word = readWord();
        if (!read(word, value)) quit(_pe, std::string("expected ") + kind + ", found \"" + compress(word) + "\"");
        return value;
    }

    double real(int least_places, int most_places, bool plain) {
        double value = 0;
        int places = 0;
        bool exponent = false;
        std::string word = readWord();
        if (!testlib::to_double(word, value, places, exponent) || (plain && (exponent || word[0] == '+')))
            quit(_pe, "expected a number, found \"" + compress(word) + "\"");
        if (places < least_places || places > most_places)
            quit(_pe, "a number has " + std::to_string(places) + " decimal places");
        return value;
    }

    template <class T> T within(T value, T low, T high, const std::string &what) {
        if (low <= value && value <= high) return value;
        std::ostringstream text;
        text << called("a number", what) << " is " << value << ", which is not between " << low << " and " << high;
        quit(_wa, text.str());
    }

    template <class T, class Read> std::vector<T> several(int count, Read read) {
        if (count < 0) testlib::end(_fail, "a negative number of values is to be read");
        std::vector<T> values;
        while (count-- > 0) values.push_back(read());
        return values;
    }
};

inline InStream inf, ouf, ans;
inline std::ofstream tout;

namespace testlib {

[[noreturn]] inline void end(TResult result, const std::string &message) {
    bool accepted = result == _ok || result == _points || result >= _partially;
    ended = true;
    if (accepted && role == checker && !ouf.seekEof()) {
        std::cerr << "wrong output format: something is left in the output" << std::endl;
        _exit(_pe);
    }
    const char *words = result == _ok      ? "ok "
                        : result == _wa    ? "wrong answer "
                        : result == _pe    ? "wrong output format "
                        : result == _dirt  ? "wrong output "
                        : result == _fail  ? "FAIL "
                        : result == _points ? "points "
                        : result == _unexpected_eof ? "unexpected eof "
                                                    : "partially correct ";
    fflush(stdout);
    std::cout.flush();
    tout.flush();
    std::cerr << words << message << std::endl;
    // A share of 200; the lowest ones are other codes' and count as 16.
    _exit(result >= _partially ? std::min(std::max(int(result) - int(_partially), int(_partially)), 255) : int(result));
}

struct Guard {
    ~Guard() {
        if (role != unregistered && !ended) end(_fail, "it ended without a verdict");
    }
};
inline Guard guard;

}  // namespace testlib

// --- verdicts ---

[[noreturn]] inline void quit(TResult result, const std::string &message) {
    testlib::end(result, message);
}

[[noreturn]] __attribute__((format(printf, 2, 3))) inline void quitf(TResult result, const char *form, ...) {
    TESTLIB_TEXT(message, form);
    quit(result, message);
}

__attribute__((format(printf, 3, 4))) inline void quitif(bool condition, TResult result, const char *form, ...) {
    if (!condition) return;
    TESTLIB_TEXT(message, form);
    quit(result, message);
}

[[noreturn]] inline void quitp(double points, const std::string &message = "") {
    char text[64];
    snprintf(text, sizeof text, "%.10f", points);
    quit(_points, std::string(text) + " " + message);
}

[[noreturn]] __attribute__((format(printf, 2, 3))) inline void quitp(double points, const char *form, ...) {
    TESTLIB_TEXT(message, form);
    quitp(points, message);
}

[[noreturn]] inline void quitpi(const std::string &points, const std::string &message = "") {
    quit(_points, points + " " + message);
}

__attribute__((format(printf, 2, 3))) inline void ensuref(bool condition, const char *form, ...) {
    if (condition) return;
    TESTLIB_TEXT(message, form);
    quit(_fail, message);
}

#define ensure(condition) ensuref(condition, "%s", "this does not hold: " #condition)
#define ensure_ext(condition) ensure(condition)

// --- start ---

inline void testlib_start(int argc, char **argv, testlib::Role role) {
    testlib::role = role;
    if (argc < 4) testlib::end(_fail, "the names of input, output and answer are needed");
    inf.init(argv[1], _input);
    if (role == testlib::interactor) {
        ouf.init(0, _output, "the program");
        tout.open(argv[2]);
    } else {
        ouf.init(argv[2], _output);
    }
    ans.init(argv[3], _answer);
}

inline void registerTestlibCmd(int argc, char **argv) {
    testlib_start(argc, argv, testlib::checker);
}

inline void registerInteraction(int argc, char **argv) {
    testlib_start(argc, argv, testlib::interactor);
}

inline void registerChecker(const std::string &, int argc, char **argv) {
    registerTestlibCmd(argc, argv);
}

// --- what stock checkers and interactors use besides ---

class pattern {
  public:
    explicit pattern(const std::string &text) : read(text) {}
    bool matches(const std::string &word) const { return read.matches(word); }

  private:
    testlib::Pattern read;
};

// The same numbers in every run; not the library's own.
class random_t {
  public:
    void setSeed(unsigned long long seed) { engine.seed(seed); }
    int next(int below) { return (int)next((long long)below); }
    long long next(long long below) { return next(0LL, below - 1); }
    double next() { return (double)(engine() >> 11) / 9007199254740992.0; }
    int next(int low, int high) { return (int)next((long long)low, (long long)high); }
    double next(double low, double high) { return low + (high - low) * next(); }
    long long next(long long low, long long high) {
        if (low > high) testlib::end(_fail, "a random number from an empty range");
        unsigned long long span = (unsigned long long)high - (unsigned long long)low + 1;
        return span == 0 ? (long long)engine() : (long long)((unsigned long long)low + engine() % span);
    }
    template <class Container> typename Container::value_type any(const Container &from) {
        auto it = from.begin();
        std::advance(it, next((long long)from.size()));
        return *it;
    }

  private:
    std::mt19937_64 engine{20260207};
};

inline random_t rnd;

template <class Iterator> void shuffle(Iterator first, Iterator last) {
    for (auto i = last - first; i > 1; i--) std::swap(first[i - 1], first[rnd.next((long long)i)]);
}

inline void setName(const char *, ...) {}
inline void setTestCase(int) {}
inline void unsetTestCase() {}

// --- comparing and telling ---

inline bool isNaN(double value) { return std::isnan(value); }
inline bool isInfinite(double value) { return std::isinf(value); }

// How far a result is off: absolutely, or relative to what is expected if that is less.
inline double doubleDelta(double expected, double result) {
    double absolute = std::fabs(result - expected);
    if (std::fabs(expected) > 1e-9) return std::min(absolute, absolute / std::fabs(expected));
    return absolute;
}

inline bool doubleCompare(double expected, double result, double most) {
    if (std::isnan(expected)) return std::isnan(result);
    if (std::isinf(expected)) return result == expected;
    if (!std::isfinite(result)) return false;
    return doubleDelta(expected, result) <= most + 1e-15;
}

template <class T> bool equals(const T &one, const T &other) { return one == other; }

inline std::string englishEnding(int number) {
    number %= 100;
    if (number / 10 == 1) return "th";
    return number % 10 == 1 ? "st" : number % 10 == 2 ? "nd" : number % 10 == 3 ? "rd" : "th";
}

inline std::string upperCase(std::string text) {
    for (char &c : text)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return text;
}

inline std::string lowerCase(std::string text) {
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return text;
}

inline std::string trim(const std::string &text) {
    size_t from = 0, to = text.size();
    while (from < to && testlib::blank((unsigned char)text[from])) from++;
    while (to > from && testlib::blank((unsigned char)text[to - 1])) to--;
    return text.substr(from, to - from);
}

inline std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts(1);
    for (char c : text)
        if (c == separator) parts.emplace_back();
        else parts.back() += c;
    return parts;
}

inline std::vector<std::string> tokenize(const std::string &text, char separator) {
    std::vector<std::string> parts;
    for (const std::string &part : split(text, separator))
        if (!part.empty()) parts.push_back(part);
    return parts;
}

template <class T> std::string vtos(const T &value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

template <class Iterator> std::string join(Iterator first, Iterator last, const std::string &separator) {
    std::ostringstream text;
    for (bool begun = false; first != last; ++first, begun = true) text << (begun ? separator : "") << *first;
    return text.str();
}

template <class Iterator> std::string join(Iterator first, Iterator last, char separator = ' ') {
    return join(first, last, std::string(1, separator));
}

template <class Container> std::string join(const Container &values, const std::string &separator) {
    return join(values.begin(), values.end(), separator);
}

template <class Container> std::string join(const Container &values, char separator = ' ') {
    return join(values.begin(), values.end(), separator);
}

inline long long stringToLongLong(InStream &in, const std::string &word) {
    long long value = 0;
    if (word.empty() || !testlib::to_signed(word, value)) in.quit(_pe, "expected an integer, found \"" + compress(word) + "\"");
    return value;
}

template <class T> void expectedButFound(TResult result, T expected, T found, const std::string &words = "") {
    std::ostringstream text;
    text << words << (words.empty() ? "" : ": ") << "expected '" << expected << "', found '" << found << "'";
    quit(result, text.str());
}

template <class T> std::string toString(const T &value) { return vtos(value); }

#endif
