"""The code that is appended to a Java program to call a function, or to make an object and call its methods."""

import re
from typing import Final

from app.domain.problems import Entry
from workers.grading.languages._calls import names_of

_HEAD: Final = "import java.math.*; import java.util.*; import java.util.function.*; import java.util.stream.*;\n"
_TAIL: Final = r"""
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
        StringBuilder to = new StringBuilder("V");
        try {
            {call}
        } catch (java.lang.reflect.InvocationTargetException failed) {
            throw failed.getCause();
        }
        out.print(to.append('\n'));
        out.flush();
        System.exit(0);
    }

    static Object[] given(java.lang.reflect.Executable called) {
        called.setAccessible(true);
        java.lang.reflect.Type[] types = called.getGenericParameterTypes();
        Object[] given = new Object[types.length];
        for (int i = 0; i < types.length; i++) given[i] = take(types[i]);
        return given;
    }

    static <T extends java.lang.reflect.Executable> T chosen(T[] some, String name, int count) {
        for (T one : some) if (one.getName().equals(name) && one.getParameterCount() == count) return one;
        throw new RuntimeException("there is no " + name + " of " + count + " parameters");
    }

    static void call(Class<?> cls, String name, int count, int place, StringBuilder to) throws Throwable {
        java.lang.reflect.Method method = chosen(cls.getDeclaredMethods(), name, count);
        Object[] given = given(method);
        java.lang.reflect.Constructor<?> made = cls.getDeclaredConstructor();
        made.setAccessible(true);
        Object value = method.invoke(made.newInstance(), given);
        give(to, place >= 0 ? given[place] : value);
    }

    static void drive(Class<?> cls, java.util.Set<String> silent, StringBuilder to) throws Throwable {
        java.lang.reflect.Constructor<?> made = chosen(cls.getDeclaredConstructors(), cls.getName(), count());
        Object on = made.newInstance(given(made));
        to.append("[null");
        for (int left = count(); left > 0; left--) {
            String name = (String) take(String.class);
            java.lang.reflect.Method method = chosen(cls.getDeclaredMethods(), name, count());
            Object value = method.invoke(on, given(method));
            give(to.append(','), silent.contains(name) ? null : value);
        }
        to.append(']');
    }
}
"""
_FUNCTION: Final = 'call(%s.class, "%s", %d, %d, to);'
_CLASS: Final = "drive(%s.class, java.util.Set.of(%s), to);"
_PUBLIC: Final = re.compile(
    r"^(\s*)public\s+(?=(?:(?:final|abstract|static)\s+)*(?:class|interface|enum|record)\b)", re.M
)
_TYPE: Final = re.compile(r"\b(?:class|interface|enum|record)\s+\w+")


def add_call(source: str, entry: Entry) -> str:
    """Return a Java program that calls the entry, with a class around methods that have none.

    Raises InvalidProblem if the entry's name is no plain one.
    """
    name, cls = names_of(entry)
    lines = source.splitlines()
    imports = [line for line in lines if line.lstrip().startswith("import ")]
    body = "\n".join(line for line in lines if not line.lstrip().startswith(("import ", "package ")))
    body = _PUBLIC.sub(r"\1", body)
    if _TYPE.search(body) is None:
        body = f"class {cls} {{\n{body}\n}}"
    if not name:
        silent = ", ".join(f'"{method}"' for method, spec in entry.methods.items() if spec.returns == "void")
        call = _CLASS % (cls, silent)
    else:
        place = -1 if entry.output_param is None else entry.output_param
        call = _FUNCTION % (cls, name, len(entry.params), place)
    return "\n".join([_HEAD, *imports, body, _TAIL.replace("{call}", call)])
