"""Ruby with the local interpreter, its standard library, and of the gems that come with it prime and matrix."""

from workers.grading.languages._language import Language, Product

# Gems take 50 ms of every start: they are there for programs that name one.
_GEMS = "if grep -Eq '^ *require.*(prime|matrix)' main.rb; then printf 'require \"rubygems\"; '; fi"
# The code by which the judge knows "out of memory", where an error that says so is not caught.
_START = "at_exit { exit!(86) if NoMemoryError === $! }\n"

LANGUAGE = Language(
    name="ruby",
    extension="rb",
    aliases=("rb",),
    tools=("ruby",),
    package="ruby",
    version_command=("{ruby}", "-e", "print RUBY_VERSION"),
    hello="puts gets.split.sum(&:to_i)\n",
    # What does not parse is not run.
    compile=(f"{{ruby}} --disable=gems -c main.rb && {{ {_GEMS}; cat main.rb; }} >main",),
    # As deep as other languages: its own stack of calls ends at 10,000 of them.
    run=(
        "/usr/bin/env", "RUBY_THREAD_VM_STACK_SIZE=134217728", "{ruby}", "--disable=gems", "-r/judge/build/start.rb",
        "/judge/main",
    ),
    products=(Product("start.rb", ("/bin/cp", "{source}", "{out}"), _START),),
    time_factor=1.5,
    memory_base_mb=32,
    reserve_mb=2048,
)  # fmt: skip
