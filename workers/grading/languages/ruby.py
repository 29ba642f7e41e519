"""Ruby with the local interpreter, its standard library, and the bundled gems prime and matrix."""

from workers.grading.languages._language import BuildProduct, Language

# Gems take 50 ms of every start, so only programs that name one get them.
_GEMS = "if grep -Eq '^ *require.*(prime|matrix)' main.rb; then printf 'require \"rubygems\"; '; fi"
# Ends with the judge's exit code for "out of memory" after an uncaught error of that kind.
_START = "at_exit { exit!(86) if NoMemoryError === $! }\n"

LANGUAGE = Language(
    name="ruby",
    extension="rb",
    aliases=("rb",),
    tools=("ruby",),
    package="ruby",
    version_command=("{ruby}", "-e", "print RUBY_VERSION"),
    hello="puts gets.split.sum(&:to_i)\n",
    # A program that does not parse is not run.
    compile=(f"{{ruby}} --disable=gems -c main.rb && {{ {_GEMS}; cat main.rb; }} >main",),
    # As deep a stack as in other languages: the default one ends at 10,000 calls.
    run=(
        "/usr/bin/env", "RUBY_THREAD_VM_STACK_SIZE=134217728", "{ruby}", "--disable=gems", "-r/judge/build/start.rb",
        "/judge/main",
    ),
    products=(BuildProduct("start.rb", ("/bin/cp", "{source}", "{out}"), _START),),
    time_factor=1.5,
    memory_base_mb=32,
    reserve_mb=2048,
)  # fmt: skip
