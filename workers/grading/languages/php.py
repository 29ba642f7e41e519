"""PHP with the local interpreter, its built-in extensions and ctype; no configuration file is read."""

from workers.grading.languages._language import BuildProduct, Language

# Ends with the judge's exit code for "out of memory" if that ended the program.
_START = """\
<?php
register_shutdown_function(function () {
    if (str_starts_with(error_get_last()['message'] ?? '', 'Allowed memory size')) exit(86);
});
"""

LANGUAGE = Language(
    name="php",
    extension="php",
    aliases=("php8",),
    tools=("php",),
    package="php-cli",
    version_command=("{php}", "-n", "-r", "echo PHP_VERSION;"),
    hello="<?php\nfscanf(STDIN, '%d %d', $a, $b);\necho $a + $b, \"\\n\";\n",
    compile=("{php} -n -l main.php && cp main.php main",),  # a program that does not parse is not run
    run=(
        "{php}", "-n", "-d", "extension=ctype", "-d", "memory_limit={memory_mb}M", "-d", "display_errors=stderr",
        "-d", "html_errors=0", "-d", "auto_prepend_file=/judge/build/start.php", "/judge/main",
    ),
    products=(BuildProduct("start.php", ("/bin/cp", "{source}", "{out}"), _START),),
    time_factor=1.5,
    memory_base_mb=32,
    reserve_mb=1024,
)  # fmt: skip
