"""TypeScript on the local Node: the compiler erases types and does not check them, as in contest judges.

Node's own names (`require`, `process`) have no types here, so a check would refuse right programs. A program that does
not parse does not compile.
"""

from workers.grading.languages._language import Language

# The compiler is the library beside its command; modules are those of Node, as in plain JavaScript.
_MAKER = """\
const fs = require("fs"), path = require("path");
const ts = require(path.resolve(process.argv[1], "../../lib/typescript.js"));
const options = {target: "ES2022", module: "CommonJS", esModuleInterop: true};
const made = ts.transpileModule(fs.readFileSync("main.ts", "utf8"), {
    compilerOptions: ts.convertCompilerOptionsFromJson(options, ".").options,
    reportDiagnostics: true, fileName: "main.ts",
});
for (const each of made.diagnostics) {
    const place = each.file ? each.file.getLineAndCharacterOfPosition(each.start).line + 1 : 1;
    console.error(`main.ts:${place}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")}`);
}
if (made.diagnostics.length) process.exit(1);
fs.writeFileSync("main", made.outputText);
"""

LANGUAGE = Language(
    name="typescript",
    extension="ts",
    aliases=("ts",),
    tools=("node", "tsc"),
    package="node-typescript",
    version_command=("{node}", "{tsc}", "--version"),
    hello=(
        'import * as fs from "fs";\n'
        'const words: string[] = fs.readFileSync(0, "utf8").trim().split(/\\s+/);\n'
        "console.log(words.map(Number).reduce((a: number, b: number): number => a + b));\n"
    ),
    compile=(f"{{node}} -e '{_MAKER}' {{tsc}}",),
    run=("{node}", "--max-old-space-size={memory_mb}", "--stack-size=60000", "/judge/main"),
    time_factor=1.5,
    memory_base_mb=64,
    reserve_mb=8192,
    abort_share=0.4,  # as JavaScript
)
