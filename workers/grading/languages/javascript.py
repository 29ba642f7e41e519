"""JavaScript with the local Node; the heap grows up to the memory limit, the stack as far as the kernel lets it."""

from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="javascript",
    extension="js",
    aliases=("js", "node", "nodejs"),
    endings=("mjs", "cjs"),
    tools=("node",),
    package="nodejs",
    version_command=("{node}", "--version"),
    hello=(
        'const words = require("fs").readFileSync(0, "utf8").trim().split(/\\s+/);\n'
        "console.log(words.map(Number).reduce((a, b) => a + b));\n"
    ),
    run=("{node}", "--max-old-space-size={memory_mb}", "--stack-size=60000", "/judge/main"),
    time_factor=1.5,
    memory_base_mb=64,
    reserve_mb=8192,
    # It aborts at a heap of the limit, or earlier if the next table does not fit; idle, it holds 40 MB.
    abort_share=0.4,
)
