// What generators and validators call besides, for packages that come without their own testlib.h. It follows
// testlib.h. Random numbers depend on the arguments alone, but they are not the library's: a package that has the
// library gets the tests that its author saw, one that has not gets others of the same kind.
#ifndef TIDEMARK_TESTLIB_MAKING
#define TIDEMARK_TESTLIB_MAKING

// --- random numbers ---

inline random_t &testlib_shuffler = rnd;

struct TestlibRandom : random_t {
    using random_t::next;

    template <class T> std::enable_if_t<std::is_integral_v<T>, T> next(T below) {
        if (below <= 0) testlib::end(_fail, "a random number from an empty range");
        return (T)random_t::next(0LL, (long long)below - 1);
    }
    template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
    auto next(A low, B high) {
        if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
            return (std::common_type_t<A, B>)random_t::next((long long)low, (long long)high);
        else
            return random_t::next((double)low, (double)high);
    }
    double next(double below) { return below * random_t::next(); }

    // Weighted: the greatest of `weight + 1` numbers, or with a negative weight the least.
    template <class A, class B> auto wnext(A low, B high, int weight) {
        auto best = next(low, high);
        for (int turn = std::abs(weight); turn-- > 0;) {
            auto other = next(low, high);
            best = weight > 0 ? std::max(best, other) : std::min(best, other);
        }
        return best;
    }
    template <class T> T wnext(T below, int weight) {
        if constexpr (std::is_integral_v<T>) return (T)wnext((T)0, (T)(below - 1), weight);
        else return (T)wnext((T)0, below, weight);
    }
    template <class Container> auto wany(const Container &from, int weight) {
        return *std::next(from.begin(), wnext((long long)from.size(), weight));
    }
    template <class Iterator> auto any(Iterator first, Iterator last) {
        return *std::next(first, next((long long)std::distance(first, last)));
    }
    template <class Container> typename Container::value_type any(const Container &from) { return random_t::any(from); }

    template <class T, class E = T> std::vector<E> perm(T size, E first = 0) {
        std::vector<E> values((size_t)size);
        for (size_t place = 0; place < values.size(); place++) {
            values[place] = first + (E)place;
            std::swap(values[place], values[(size_t)next((long long)place + 1)]);
        }
        return values;
    }
    template <class T> std::vector<T> distinct(int count, T low, T high) {
        if (count < 0 || (long long)high - (long long)low + 1 < count) testlib::end(_fail, "too few different numbers");
        std::set<T> known;
        std::vector<T> values;
        for (T most = high - (T)count + 1; (int)values.size() < count; most++) {
            T value = (T)next((long long)low, (long long)most);
            if (!known.insert(value).second) known.insert(value = most);
            values.push_back(value);
        }
        for (size_t place = values.size(); place > 1; place--)
            std::swap(values[place - 1], values[(size_t)next((long long)place)]);
        return values;
    }
    template <class T> std::vector<T> distinct(int count, T below) { return distinct(count, (T)0, (T)(below - 1)); }
    template <class T> std::vector<T> partition(int count, T sum, T least = 1) {
        if (count <= 0 || sum < least * count) testlib::end(_fail, "the sum is too small for so many parts");
        T rest = sum - least * (T)count;
        std::vector<T> cuts{0, rest}, parts;
        for (int place = 1; place < count; place++) cuts.push_back((T)next(0LL, (long long)rest));
        std::sort(cuts.begin(), cuts.end());
        for (int place = 0; place < count; place++) parts.push_back(least + cuts[place + 1] - cuts[place]);
        return parts;
    }

    // A text that is like a pattern: characters, [classes], {counts}, (one|of) several.
    std::string next(const std::string &pattern) {
        size_t at = 0;
        return choice(pattern, at);
    }
    std::string next(const char *form, ...) {
        TESTLIB_TEXT(pattern, form);
        return next(pattern);
    }

  private:
    std::string choice(const std::string &pattern, size_t &at) {
        std::vector<std::string> ways(1);
        while (at < pattern.size() && pattern[at] != ')') {
            if (pattern[at] == '|') ways.emplace_back(), at++;
            else ways.back() += item(pattern, at);
        }
        return ways[(size_t)next((long long)ways.size())];
    }
    std::string item(const std::string &pattern, size_t &at) {
        size_t start = at, end = at;
        std::string text = once(pattern, end);
        auto [low, high] = count(pattern, at = end);
        if (low == 1 && high == 1) return text;
        text.clear();
        for (long long times = next(low, high); times-- > 0;) text += once(pattern, end = start);
        return text;
    }
    std::string once(const std::string &pattern, size_t &at) {
        char c = pattern[at++];
        if (c == '(') {
            std::string text = choice(pattern, at);
            at++;
            return text;
        }
        if (c == '[') return std::string(1, one_of(pattern, at));
        if (c == '\\' && at < pattern.size()) c = pattern[at++];
        return std::string(1, c);
    }
    char one_of(const std::string &pattern, size_t &at) {
        std::string letters;
        for (; at < pattern.size() && pattern[at] != ']'; at++) {
            if (pattern[at] == '\\' && at + 1 < pattern.size()) at++;
            if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
                for (int c = pattern[at]; c <= pattern[at + 2]; c++) letters += (char)c;
                at += 2;
            } else letters += pattern[at];
        }
        at++;
        if (letters.empty()) testlib::end(_fail, "an empty class in a pattern");
        return letters[(size_t)next((long long)letters.size())];
    }
    std::pair<long long, long long> count(const std::string &pattern, size_t &at) {
        if (at >= pattern.size() || pattern[at] != '{') return {1, 1};
        size_t end = pattern.find('}', at);
        if (end == std::string::npos) testlib::end(_fail, "an open count in a pattern");
        std::string inside = pattern.substr(at + 1, end - at - 1);
        at = end + 1;
        size_t comma = inside.find(',');
        long long low = std::atoll(inside.c_str());
        return {low, comma == std::string::npos ? low : std::atoll(inside.c_str() + comma + 1)};
    }
};

inline TestlibRandom testlib_random;
#define rnd testlib_random

// --- generators ---

namespace testlib {
inline std::vector<std::string> arguments;
inline std::map<std::string, std::string> options;
inline size_t next_argument = 1;
}  // namespace testlib

inline void prepareOpts(int argc, char **argv) {
    testlib::arguments.assign(argv, argv + argc);
    for (size_t place = 1; place < testlib::arguments.size(); place++) {
        const std::string &word = testlib::arguments[place];
        if (word.size() < 2 || word[0] != '-' || std::isdigit((unsigned char)word[1])) continue;
        std::string key = word.substr(word[1] == '-' ? 2 : 1), value = "true";
        if (size_t equals = key.find('='); equals != std::string::npos) {
            value = key.substr(equals + 1), key.resize(equals);
        } else if (size_t digits = key.find_first_of("0123456789"); digits != std::string::npos && digits > 0 &&
                   key.find_first_not_of("0123456789.", digits) == std::string::npos) {
            testlib::options[key.substr(0, digits)] = key.substr(digits);  // -n10
        } else if (place + 1 < testlib::arguments.size() && testlib::arguments[place + 1][0] != '-') {
            value = testlib::arguments[place + 1];
        }
        testlib::options[key] = value;
    }
}

inline void registerGen(int argc, char **argv, int = 1) {
    unsigned long long seed = 14695981039346656037ULL;
    for (int place = 1; place < argc; place++)
        for (const char *c = argv[place];; c++) {
            seed = (seed ^ (unsigned char)*c) * 1099511628211ULL;
            if (!*c) break;
        }
    rnd.setSeed(seed), testlib_shuffler.setSeed(seed + 1);
    prepareOpts(argc, argv);
}

template <class T> T testlib_value(const std::string &text) {
    if constexpr (std::is_same_v<T, std::string>) {
        return text;
    } else if constexpr (std::is_same_v<T, bool>) {
        return text == "true" || text == "1";
    } else {
        std::istringstream words(text);
        T value{};
        if (!(words >> value) || words.peek() != EOF) testlib::end(_fail, "the option \"" + text + "\" is not understood");
        return value;
    }
}

inline bool has_opt(const std::string &key) { return testlib::options.count(key) > 0; }

template <class T> T opt(int index) {
    if (index < 0 || (size_t)index >= testlib::arguments.size()) testlib::end(_fail, "an argument is missing");
    return testlib_value<T>(testlib::arguments[(size_t)index]);
}
template <class T> T opt(int index, const T &otherwise) {
    return (size_t)index < testlib::arguments.size() ? opt<T>(index) : otherwise;
}
template <class T> T opt(const std::string &key) {
    if (!has_opt(key)) testlib::end(_fail, "the option " + key + " is missing");
    return testlib_value<T>(testlib::options[key]);
}
template <class T> T opt(const std::string &key, const T &otherwise) { return has_opt(key) ? opt<T>(key) : otherwise; }
inline std::string opt(int index) { return opt<std::string>(index); }
inline std::string opt(const std::string &key) { return opt<std::string>(key); }
template <class T> T nextOpt() { return opt<T>((int)testlib::next_argument++); }
inline void ensureNoUnusedOpts() {}
inline void suppressEnsureNoUnusedOpts() {}

template <class T, class = void> struct testlib_is_list : std::false_type {};
template <class T> struct testlib_is_list<T, std::void_t<decltype(std::declval<T>().begin())>> : std::true_type {};
template <> struct testlib_is_list<std::string> : std::false_type {};

template <class T> void testlib_print(const T &value) {
    if constexpr (testlib_is_list<T>::value) {
        bool first = true;
        for (const auto &item : value) {
            if (!first) std::cout << ' ';
            testlib_print(item), first = false;
        }
    } else std::cout << value;
}
template <class T, class... Rest> void println(const T &value, const Rest &...rest) {
    testlib_print(value);
    ((std::cout << ' ', testlib_print(rest)), ...);
    std::cout << '\n';
}
// What stands between two places of a list.
template <class Place, class = typename std::iterator_traits<Place>::iterator_category,
          class = std::enable_if_t<!std::is_same_v<std::decay_t<Place>, const char *>>>
void println(Place first, Place last) {
    for (Place place = first; place != last; ++place) {
        if (place != first) std::cout << ' ';
        testlib_print(*place);
    }
    std::cout << '\n';
}

// --- validators ---

struct TestlibInput : InStream {
    std::vector<int> readInts(int count, int low, int high, const std::string &what = "", int = 1) {
        return spaced<int>(count, [&] { return readInt(low, high, what); });
    }
    std::vector<int> readInts(int count) { return spaced<int>(count, [&] { return readInt(); }); }
    std::vector<int> readIntegers(int count, int low, int high, const std::string &what = "", int = 1) {
        return readInts(count, low, high, what);
    }
    std::vector<int> readIntegers(int count) { return readInts(count); }
    std::vector<long long> readLongs(int count, long long low, long long high, const std::string &what = "", int = 1) {
        return spaced<long long>(count, [&] { return readLong(low, high, what); });
    }
    std::vector<long long> readLongs(int count) { return spaced<long long>(count, [&] { return readLong(); }); }
    std::vector<double> readDoubles(int count, double low, double high, const std::string &what = "", int = 1) {
        return spaced<double>(count, [&] { return readDouble(low, high, what); });
    }
    std::vector<std::string> readTokens(int count, const std::string &like = "", const std::string &what = "", int = 1) {
        return spaced<std::string>(count, [&] { return like.empty() ? readWord() : readWord(like, what); });
    }
    std::vector<std::string> readWords(int count, const std::string &like = "", const std::string &what = "", int = 1) {
        return readTokens(count, like, what);
    }

  private:
    template <class T, class Read> std::vector<T> spaced(int count, Read read) {
        std::vector<T> values;
        while ((int)values.size() < count) {
            if (strict && !values.empty()) readSpace();
            values.push_back(read());
        }
        return values;
    }
};

inline TestlibInput testlib_input;
#define inf testlib_input

struct Validator {
    std::string testset() const { return set; }
    std::string group() const { return part; }
    std::string testOverviewLogFileName() const { return ""; }
    void addFeature(const std::string &) {}
    void feature(const std::string &) {}
    bool works = false;
    std::string set, part;

    ~Validator() {
        if (!works || testlib::ended || inf.eof()) return;
        std::cerr << "FAIL something follows what was read" << std::endl;
        _exit(_fail);
    }
};
inline Validator validator;
inline void addFeature(const std::string &name) { validator.addFeature(name); }
inline void feature(const std::string &name) { validator.feature(name); }

inline void registerValidation() {
    inf.init(0, _input, "the input");
    inf.strict = validator.works = true;
}

inline void registerValidation(int argc, char **argv) {
    registerValidation();
    for (int place = 1; place + 1 < argc; place++) {
        if (!strcmp(argv[place], "--testset")) validator.set = argv[place + 1];
        if (!strcmp(argv[place], "--group")) validator.part = argv[place + 1];
    }
}

#endif
