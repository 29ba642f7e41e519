"""Rust with the local rustc; the standard library only."""

from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="rust",
    extension="rs",
    aliases=("rs",),
    tools=("rustc", "gcc"),
    package="rustc",
    version_command=("{rustc}", "--version"),
    hello=(
        "use std::io::Read;\n"
        "fn main() {\n"
        "    let mut text = String::new();\n"
        "    std::io::stdin().read_to_string(&mut text).unwrap();\n"
        '    println!("{}", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>());\n'
        "}\n"
    ),
    compile=("{rustc} --edition 2021 -C opt-level=2 -C linker={gcc} --cap-lints allow --color never main.rs -o main",),
)
