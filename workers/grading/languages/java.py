"""Java with the local JDK. The class with a main method is run, in any package."""

from workers.grading.languages._calls import java as calls
from workers.grading.languages._language import BuildProduct, Language

# The compiler is used as a library, so that nothing is guessed from a program's text: a public class may have any name,
# and the compiler tells which class can be started. One virtual machine does the work of javac, javap and jar.
_MAKER = r"""
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

class Maker {
    static int errors;

    static class Source extends SimpleJavaFileObject {
        final String text;
        String open = "Main";  // the public class, which may have any name; two of them are one too many

        Source(String text) {
            super(URI.create("string:///main.java"), Kind.SOURCE);
            this.text = text;
        }
        @Override public CharSequence getCharContent(boolean ignored) { return text; }
        @Override public String getName() { return "main.java"; }
        @Override public boolean isNameCompatible(String name, Kind kind) {
            return kind == Kind.SOURCE && name.equals(open);
        }
    }

    static class Made extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> files = new TreeMap<>();

        Made(JavaFileManager manager) { super(manager); }
        @Override public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            String path = name.replace('.', '/') + kind.extension;
            return new SimpleJavaFileObject(URI.create("string:///made"), kind) {
                @Override public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    files.put(path, bytes);
                    return bytes;
                }
            };
        }
    }

    static void said(Diagnostic<? extends JavaFileObject> said) {
        if (said.getKind() != Diagnostic.Kind.ERROR) return;
        errors++;
        System.err.println(said);
    }

    static void stopOnErrors() {
        if (errors > 0) System.exit(1);
    }

    // What every Java starts; newer ones start more, if there is nothing of the kind.
    static boolean isMain(ExecutableElement method) {
        if (!method.getSimpleName().contentEquals("main") || method.getParameters().size() != 1) return false;
        if (!method.getModifiers().containsAll(List.of(Modifier.PUBLIC, Modifier.STATIC))) return false;
        var type = method.getParameters().get(0).asType();
        return type.getKind() == TypeKind.ARRAY
            && ((ArrayType) type).getComponentType().toString().equals("java.lang.String");
    }

    static int rank(JavacTask task, TypeElement type) {
        var methods = ElementFilter.methodsIn(task.getElements().getAllMembers(type));
        if (methods.stream().anyMatch(Maker::isMain)) {
            if (type.getModifiers().contains(Modifier.PUBLIC)) return 0;
            return type.getSimpleName().contentEquals("Main") ? 1 : 2;
        }
        return methods.stream().anyMatch(each -> each.getSimpleName().contentEquals("main")) ? 3 : 4;
    }

    static void make() throws Exception {
        String text = new String(Files.readAllBytes(Path.of("main.java")), StandardCharsets.UTF_8);
        Source source = new Source(text.startsWith("\uFEFF") ? text.substring(1) : text);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Made made = new Made(compiler.getStandardFileManager(Maker::said, null, StandardCharsets.UTF_8));
        List<String> options =
            List.of("-nowarn", "-proc:none", "-implicit:none", "-Xmaxerrs", "20", "-cp", "/judge/none");
        JavacTask task = (JavacTask) compiler.getTask(null, made, Maker::said, options, null, List.of(source));
        CompilationUnitTree unit = task.parse().iterator().next();
        stopOnErrors();
        List<ClassTree> classes = new ArrayList<>();
        for (Tree tree : unit.getTypeDecls()) if (tree instanceof ClassTree) classes.add((ClassTree) tree);
        for (ClassTree each : classes) {
            if (each.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                source.open = each.getSimpleName().toString();
                break;
            }
        }
        task.analyze();
        stopOnErrors();
        String start = "Main";
        int best = 9;
        for (ClassTree each : classes) {
            var element = Trees.instance(task).getElement(new TreePath(new TreePath(unit), each));
            if (!(element instanceof TypeElement)) continue;
            int rank = rank(task, (TypeElement) element);
            if (rank >= best) continue;
            best = rank;
            start = task.getElements().getBinaryName((TypeElement) element).toString();
        }
        task.generate();
        stopOnErrors();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, start);
        try (JarOutputStream jar = new JarOutputStream(new FileOutputStream("main"), manifest)) {
            for (Map.Entry<String, ByteArrayOutputStream> file : made.files.entrySet()) {
                byte[] bytes = file.getValue().toByteArray();
                CRC32 sum = new CRC32();
                sum.update(bytes);
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(sum.getValue());
                jar.putNextEntry(entry);
                jar.write(bytes);
            }
        }
    }

    public static void main(String[] none) throws Exception {
        Thread thread = new Thread(null, () -> {
            try {
                make();
            } catch (StackOverflowError error) {
                System.err.println("the program is nested too deeply");
                System.exit(1);
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }, "maker", 64 << 20);  // deeply nested programs
        thread.setUncaughtExceptionHandler((which, error) -> {
            System.err.println(error);
            System.exit(1);
        });
        thread.start();
        thread.join();
    }
}
"""
_SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
_JAVAC = ("{javac}", *(f"-J{option}" for option in _SMALL.split()))

LANGUAGE = Language(
    name="java",
    extension="java",
    tools=("java", "javac"),
    package="default-jdk-headless",
    files=("/etc/java-*-openjdk",),
    version_command=("{javac}", "-version"),
    hello=(
        "import java.util.*;\n"
        "class Hello {\n"
        "    public static void main(String[] words) {\n"
        "        Scanner in = new Scanner(System.in);\n"
        "        System.out.println(in.nextLong() + in.nextLong());\n"
        "    }\n"
        "}\n"
    ),
    compile=(f"{{java}} {_SMALL} -Xmx640m -cp /judge/build/maker Maker",),
    # An out of memory error ends the virtual machine at once, by a signal that no program sends by choice: also in a
    # thread, and if the program would have gone on without the answer.
    run=(
        "{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=4", "-Xshare:auto",
        "-XX:+CrashOnOutOfMemoryError", "-XX:+SuppressFatalErrorMessage",
        "-Xms32m", "-Xmx{memory_mb}m", "-Xss256m", "-jar", "/judge/main",
    ),
    products=(BuildProduct("maker", (*_JAVAC, "-nowarn", "-encoding", "UTF-8", "-d", "{out}", "{source}"), _MAKER),),
    function_form=True,
    caller=calls.add_call,
    time_factor=2.0,
    memory_base_mb=160,
    reserve_mb=8192,
    abort_share=0.0,
)  # fmt: skip
