"""Functions in compiled languages: what a program gets behind it so that it calls one, and how arguments come to it.

The arguments come on standard input as tokens, the value leaves as one line of V and JSON, as Python's does. A
itself writes to standard error while it is called: what it prints is no answer. Types are those that the program
declares: whole and floating numbers, booleans, characters, texts, and lists of these however deep.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
_CLASS: Final = r"\b(?:class|struct)\s+%s\b"

_CPP_HEAD: Final = "#include <bits/stdc++.h>\n#include <unistd.h>\nusing namespace std;\n#define main judged_own_main\n"
_CPP_TAIL: Final = r"""
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
template <class T> void answer(const T& value) {
    ostringstream to;
    to << 'V';
    give(to, value);
    to << '\n';
    string line = to.str();
    for (size_t done = 0; done < line.size();) {
        ssize_t sent = write(out, line.data() + done, line.size() - done);
        if (sent <= 0) _exit(1);
        done += sent;
    }
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
}
int main() {
    char piece[65536];
    for (ssize_t got; (got = read(0, piece, sizeof piece)) > 0;) judged::input.append(piece, got);
    judged::run<{place}>(&{called});
    fflush(nullptr);
    _exit(0);
}
"""

_JAVA_HEAD: Final = "import java.math.*; import java.util.*; import java.util.function.*; import java.util.stream.*;\n"
_JAVA_TAIL: Final = r"""
public class JudgedMain {
    static String[] words;
    static int at = 0;

    static RuntimeException unfit(String what) { return new RuntimeException("the argument is no " + what); }

    static Object take(java.lang.reflect.Type type) {
        if (type instanceof java.lang.reflect.ParameterizedType) {
            java.lang.reflect.Type[] inner = ((java.lang.reflect.ParameterizedType) type).getActualTypeArguments();
            java.util.List<Object> made = new java.util.ArrayList<>();
            for (int left = count(); left > 0; left--) made.add(take(inner[0]));
            return made;
        }
        Class<?> kind = (Class<?>) type;
        if (kind.isArray()) {
            int size = count();
            Object made = java.lang.reflect.Array.newInstance(kind.getComponentType(), size);
            for (int i = 0; i < size; i++) java.lang.reflect.Array.set(made, i, take(kind.getComponentType()));
            return made;
        }
        String word = words[at++];
        if (kind == String.class || kind == char.class || kind == Character.class) {
            if (!word.startsWith("s")) throw unfit("text");
            byte[] bytes = new byte[word.length() / 2];
            for (int i = 0; i < bytes.length; i++)
                bytes[i] = (byte) Integer.parseInt(word.substring(2 * i + 1, 2 * i + 3), 16);
            String text = new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
            if (kind == String.class) return text;
            if (text.length() != 1) throw unfit("character");
            return text.charAt(0);
        }
        if (kind == boolean.class || kind == Boolean.class) {
            if (!word.equals("true") && !word.equals("false")) throw unfit("boolean");
            return word.equals("true");
        }
        if (kind == int.class || kind == Integer.class) return Integer.parseInt(word);
        if (kind == long.class || kind == Long.class) return Long.parseLong(word);
        if (kind == double.class || kind == Double.class) return Double.parseDouble(word);
        throw unfit(kind.getName());
    }

    static int count() {
        String word = words[at++];
        if (!word.startsWith("l")) throw unfit("list");
        return Integer.parseInt(word.substring(1));
    }

    static void give(StringBuilder to, Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long
                || value instanceof Short || value instanceof Byte || value instanceof java.math.BigInteger) {
            to.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) throw unfit("finite value");
            to.append(number);
        } else if (value instanceof String || value instanceof Character) {
            to.append('"');
            for (char c : value.toString().toCharArray()) {
                if (c == '"' || c == '\\') to.append('\\').append(c);
                else if (c < 32 || c > 126) to.append(String.format("\\u%04x", (int) c));
                else to.append(c);
            }
            to.append('"');
        } else if (value.getClass().isArray()) {
            to.append('[');
            for (int i = 0; i < java.lang.reflect.Array.getLength(value); i++) {
                if (i > 0) to.append(',');
                give(to, java.lang.reflect.Array.get(value, i));
            }
            to.append(']');
        } else if (value instanceof java.util.List) {
            to.append('[');
            boolean first = true;
            for (Object part : (java.util.List<?>) value) {
                if (!first) to.append(',');
                first = false;
                give(to, part);
            }
            to.append(']');
        } else throw new RuntimeException("the value is a " + value.getClass().getName());
    }

    public static void main(String[] none) throws Throwable {
        java.io.PrintStream out = System.out;
        System.setOut(System.err);
        words = new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).trim().split("\\s+");
        java.lang.reflect.Method chosen = null;
        for (java.lang.reflect.Method each : {class}.class.getDeclaredMethods())
            if (each.getName().equals("{name}") && each.getParameterCount() == {count}) chosen = each;
        if (chosen == null) throw new RuntimeException("there is no {name} of {count} parameters");
        chosen.setAccessible(true);
        java.lang.reflect.Type[] types = chosen.getGenericParameterTypes();
        Object[] given = new Object[types.length];
        for (int i = 0; i < types.length; i++) given[i] = take(types[i]);
        java.lang.reflect.Constructor<?> made = {class}.class.getDeclaredConstructor();
        made.setAccessible(true);
        Object value;
        try {
            value = chosen.invoke(made.newInstance(), given);
        } catch (java.lang.reflect.InvocationTargetException failed) {
            throw failed.getCause();
        }
        StringBuilder to = new StringBuilder("V");
        give(to, {place} >= 0 ? given[Math.max({place}, 0)] : value);
        out.print(to.append('\n'));
        out.flush();
        System.exit(0);
    }
}
"""
_JAVA_PUBLIC: Final = re.compile(
    r"^(\s*)public\s+(?=(?:(?:final|abstract|static)\s+)*(?:class|interface|enum|record)\b)", re.M
)
_JAVA_TYPE: Final = re.compile(r"\b(?:class|interface|enum|record)\s+\w+")


def cpp(source: str, entry: Entry) -> str:
    """A C++ program that calls the entry. Raises InvalidProblem for an entry that has no plain name."""
    name, cls = _names(entry)
    member = re.search(_CLASS % cls, source) is not None
    tail = _CPP_TAIL.replace("{called}", f"{cls}::{name}" if member else name)
    place = -1 if entry.output_param is None else entry.output_param
    return f"{_CPP_HEAD}{source}\n{tail.replace('{place}', str(place))}"


def java(source: str, entry: Entry) -> str:
    """A Java program that calls the entry; methods without a class are those of one. Raises InvalidProblem as above."""
    name, cls = _names(entry)
    lines = source.splitlines()
    imports = [line for line in lines if line.lstrip().startswith("import ")]
    body = "\n".join(line for line in lines if not line.lstrip().startswith(("import ", "package ")))
    body = _JAVA_PUBLIC.sub(r"\1", body)
    if _JAVA_TYPE.search(body) is None:
        body = f"class {cls} {{\n{body}\n}}"
    tail = _JAVA_TAIL
    for place, word in (
        ("{class}", cls), ("{name}", name), ("{count}", str(len(entry.params))),
        ("{place}", str(-1 if entry.output_param is None else entry.output_param)),
    ):  # fmt: skip
        tail = tail.replace(place, word)
    return "\n".join([_JAVA_HEAD, *imports, body, tail])


def _names(entry: Entry) -> tuple[str, str]:
    cls = entry.cls or "Solution"
    if not (_IDENTIFIER.fullmatch(entry.name) and _IDENTIFIER.fullmatch(cls)):
        raise InvalidProblem(f"{entry.name!r:.40} of {cls!r:.40} cannot be called")
    return entry.name, cls


def tokens(arguments: list[Any]) -> bytes:
    """Arguments as a program reads them. Raises InvalidProblem for what no such program takes."""
    return " ".join(word for value in arguments for word in _words(value)).encode() + b"\n"


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield repr(value)
    elif isinstance(value, str):
        yield f"s{value.encode().hex()}"
    elif isinstance(value, list):
        yield f"l{len(value)}"
        for part in value:
            yield from _words(part)
    else:
        yield "null"
