"""Go with the local toolchain: compiler and linker are called directly, on packages that are built once."""

from workers.grading.languages._language import BuildProduct, Language

# The whole standard library, compiled without C, since newer toolchains come without it. Garbage collection is off: it
# takes a third of the time, and one package needs less than 400 MB (toolchains before 1.19 ignore that limit).
_BUILD = """
set -e
export GOGC=off GOMEMLIMIT=400MiB
mkdir "$0"
export HOME="$0" GOCACHE="$0/cache" GOPATH="$0/path" GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0
cd "$0"
{go} list -export -deps -f '{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}' std >exports
number=0
while read -r name file; do
    number=$((number + 1))
    cp "$file" "$number.a"
    echo "packagefile $name=/judge/build/go/$number.a" >>importcfg
done <exports
chmod -R u+w cache && rm -rf cache path exports
"""

LANGUAGE = Language(
    name="go",
    extension="go",
    aliases=("golang",),
    tools=("go",),
    package="golang-go",
    version_command=("{go}", "version"),
    hello=(
        'package main\n\nimport "fmt"\n\nfunc main() {\n\tvar a, b int\n\tfmt.Scan(&a, &b)\n\tfmt.Println(a + b)\n}\n'
    ),
    compile=(
        "export HOME=/tmp GOCACHE=off GOTOOLCHAIN=local && "
        "{go} tool compile -p main -importcfg /judge/build/go/importcfg -o main.o main.go && "
        "{go} tool link -s -w -importcfg /judge/build/go/importcfg -o main main.o",
    ),
    products=(BuildProduct("go", ("/bin/sh", "-c", _BUILD, "{out}"), "package main\n"),),
    memory_base_mb=16,
    reserve_mb=2048,
)
