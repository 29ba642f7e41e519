"""The code that is appended to a C++ program to call a function, or to make an object and call its methods."""

import re
from typing import Final

from app.domain.problems import Entry
from workers.grading.languages._calls import names_of

_CLASS: Final = r"\b(?:class|struct)\s+%s\b"

_HEAD: Final = "#include <bits/stdc++.h>\n#include <unistd.h>\nusing namespace std;\n#define main judged_own_main\n"
_TAIL: Final = r"""
#undef main
namespace judged {
static int out = -1;
__attribute__((constructor(101))) static void apart() { out = dup(1); dup2(2, 1); }
static string input;
static size_t at = 0;
static string token() {
    while (at < input.size() && isspace((unsigned char)input[at])) ++at;
    size_t from = at;
    while (at < input.size() && !isspace((unsigned char)input[at])) ++at;
    return input.substr(from, at - from);
}
[[noreturn]] static void unfit(const char* what) { cerr << "the argument is no " << what << endl; exit(1); }
template <class T> enable_if_t<is_integral_v<T>> take(T& value) {
    string word = token();
    if (word.empty() || (word[0] != '-' && !isdigit((unsigned char)word[0]))) unfit("whole number");
    errno = 0;
    char* end = nullptr;
    long long whole = strtoll(word.c_str(), &end, 10);
    if (*end || errno || (long long)(T)whole != whole) unfit("whole number of its type");
    value = (T)whole;
}
template <class T> enable_if_t<is_floating_point_v<T>> take(T& value) {
    string word = token();
    char* end = nullptr;
    value = (T)strtold(word.c_str(), &end);
    if (word.empty() || *end) unfit("number");
}
static void take(string& value) {
    string word = token();
    if (word.empty() || word[0] != 's') unfit("text");
    value.clear();
    for (size_t i = 1; i + 1 < word.size(); i += 2) value += (char)stoi(word.substr(i, 2), nullptr, 16);
}
static void take(char& value) { string text; take(text); if (text.size() != 1) unfit("character"); value = text[0]; }
static void take(bool& value) {
    string word = token();
    if (word != "true" && word != "false") unfit("boolean");
    value = word == "true";
}
template <class T> void take(vector<T>& value) {
    string word = token();
    if (word.empty() || word[0] != 'l') unfit("list");
    size_t count = stoul(word.substr(1));
    value.clear();
    for (size_t i = 0; i < count; ++i) { T part{}; take(part); value.push_back(part); }
}
static void give(ostream& to, const string& value) {
    to << '"';
    for (unsigned char c : value) {
        if (c == '"' || c == '\\') to << '\\' << c;
        else if (c < 32) { char code[8]; snprintf(code, 8, "\\u%04x", c); to << code; }
        else to << c;
    }
    to << '"';
}
static void give(ostream& to, char value) { give(to, string(1, value)); }
static void give(ostream& to, bool value) { to << (value ? "true" : "false"); }
template <class T> enable_if_t<is_integral_v<T>> give(ostream& to, const T& value) { to << (long long)value; }
template <class T> enable_if_t<is_floating_point_v<T>> give(ostream& to, const T& value) {
    if (!isfinite(value)) { cerr << "the value is not finite" << endl; exit(1); }
    char text[64];
    snprintf(text, 64, "%.17g", (double)value);
    to << text << (strpbrk(text, ".e") ? "" : ".0");
}
template <class T> void give(ostream& to, const vector<T>& value);
template <class A, class B> void give(ostream& to, const pair<A, B>& value) {
    to << '['; give(to, value.first); to << ','; give(to, value.second); to << ']';
}
template <class T> void give(ostream& to, const vector<T>& value) {
    to << '[';
    for (size_t i = 0; i < value.size(); ++i) { if (i) to << ','; give(to, (T)value[i]); }
    to << ']';
}
static void send(const string& line) {
    for (size_t done = 0; done < line.size();) {
        ssize_t sent = write(out, line.data() + done, line.size() - done);
        if (sent <= 0) _exit(1);
        done += sent;
    }
}
template <class T> void answer(const T& value) {
    ostringstream to;
    to << 'V';
    give(to, value);
    to << '\n';
    send(to.str());
}
template <int PLACE, class R, class F, class... A> void called(F function) {
    tuple<decay_t<A>...> given;
    apply([](auto&... one) { (take(one), ...); }, given);
    if constexpr (PLACE >= 0) { apply(function, given); answer(get<PLACE>(given)); }
    else { auto value = apply(function, given); answer(value); }
}
template <int PLACE, class R, class C, class... A> void run(R (C::*method)(A...)) {
    auto holder = new C();
    called<PLACE, R, function<R(A...)>, A...>([=](A... given) -> R { return (holder->*method)(given...); });
}
template <int PLACE, class R, class C, class... A> void run(R (C::*method)(A...) const) {
    auto holder = new C();
    called<PLACE, R, function<R(A...)>, A...>([=](A... given) -> R { return (holder->*method)(given...); });
}
template <int PLACE, class R, class... A> void run(R (*plain)(A...)) {
    called<PLACE, R, function<R(A...)>, A...>([=](A... given) -> R { return plain(given...); });
}
static size_t count() {
    string word = token();
    if (word.empty() || word[0] != 'l') unfit("list");
    return stoul(word.substr(1));
}
static void skip() {
    string word = token();
    if (word[0] == 'l') for (size_t left = stoul(word.substr(1)); left > 0; --left) skip();
}
static vector<size_t> places() { // of arguments, which are all skipped
    vector<size_t> found;
    for (size_t left = count(); left > 0; --left) { found.push_back(at); skip(); }
    return found;
}
template <class C> struct Given { // an argument of something of C, whatever its type
    size_t from;
    template <class T, class = enable_if_t<!is_same_v<remove_cv_t<T>, C>>> operator T&() const {
        at = from;
        auto value = new remove_cv_t<T>{};
        take(*value);
        return *value;
    }
};
template <class C, size_t> using One = Given<C>;
[[noreturn]] static void lacks(const string& name, size_t count) {
    cerr << "there is no " << name << " of " << count << " arguments" << endl;
    exit(1);
}
template <class C, size_t... I> C* made(const vector<size_t>& from, index_sequence<I...>) {
    if constexpr (is_constructible_v<C, One<C, I>...>)
        if (from.size() == sizeof...(I)) return new C(One<C, I>{from[I]}...);
    if constexpr (sizeof...(I) < 8) return made<C>(from, make_index_sequence<sizeof...(I) + 1>());
    lacks("constructor", from.size());
}
template <class C> struct Call {
    ostream& to;
    C& on;
    const string& name;
    vector<size_t> from;
    template <class F> void ask(F method, bool says) const { ask(method, says, index_sequence<>()); }
    template <class F, size_t... I> void ask(F method, bool says, index_sequence<I...>) const {
        if constexpr (is_invocable_v<F, C&, One<C, I>...>) if (from.size() == sizeof...(I)) {
            if constexpr (is_void_v<invoke_result_t<F, C&, One<C, I>...>>) {
                method(on, One<C, I>{from[I]}...);
                says = false;
            } else { auto value = method(on, One<C, I>{from[I]}...); if (says) give(to, value); }
            if (!says) to << "null";
            return;
        }
        if constexpr (sizeof...(I) < 8) return ask(method, says, make_index_sequence<sizeof...(I) + 1>());
        lacks(name, from.size());
    }
};
template <class C, class F> void drive(F asked) {
    auto from = places();
    size_t next = at;
    C* on = made<C>(from, index_sequence<>());
    at = next;
    ostringstream to;
    to << "V[null";
    for (size_t left = count(); left > 0; --left) {
        string name;
        take(name);
        from = places();
        next = at;
        to << ',';
        asked(Call<C>{to, *on, name, from});
        at = next;
    }
    to << "]\n";
    send(to.str());
}
}
int main() {
    char piece[65536];
    for (ssize_t got; (got = read(0, piece, sizeof piece)) > 0;) judged::input.append(piece, got);
    {call}
    fflush(nullptr);
    _exit(0);
}
"""
_FUNCTION: Final = "judged::run<%d>(&%s);"
_CLASS_CALLS: Final = "judged::drive<%s>([](auto call) { %s });"
# Chosen by name and number of arguments: a method of the same name may take more.
_METHOD: Final = (
    'if (call.name == "{0}") call.ask('
    "[](auto& on, auto... given) -> decltype(on.{0}(given...)) {{ return on.{0}(given...); }}, {1});"
)


def add_call(source: str, entry: Entry) -> str:
    """Return a C++ program that calls the entry. Raises InvalidProblem if its name is no plain one."""
    name, cls = names_of(entry)
    if not name:
        answers = {method: "false" if spec.returns == "void" else "true" for method, spec in entry.methods.items()}
        call = _CLASS_CALLS % (cls, " ".join(_METHOD.format(*item) for item in answers.items()))
    else:
        member = re.search(_CLASS % cls, source) is not None
        place = -1 if entry.output_param is None else entry.output_param
        call = _FUNCTION % (place, f"{cls}::{name}" if member else name)
    return f"{_HEAD}{source}\n{_TAIL.replace('{call}', call)}"
