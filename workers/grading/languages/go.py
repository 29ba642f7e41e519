"""Go with the local toolchain: compiler and linker are called directly, over packages that are built once."""

from workers.grading.languages._language import Language, Product

_PACKAGES = (
    "bufio bytes cmp container/heap container/list container/ring context encoding/binary encoding/hex encoding/json "
    "errors fmt hash/fnv hash/maphash io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os "
    "reflect regexp runtime runtime/debug slices sort strconv strings sync sync/atomic text/tabwriter time unicode "
    "unicode/utf8 unsafe"
)
# Lists whichever of the packages this version has, with all they need, and keeps the compiled ones.
_BUILD = f"""
set -e
mkdir "$0"
export HOME="$0" GOCACHE="$0/cache" GOPATH="$0/path" GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0
cd "$0"
for name in {_PACKAGES}; do {{go}} list "$name" >>names 2>/dev/null || true; done
{{go}} list -export -deps -f '{{{{if .Export}}}}{{{{.ImportPath}}}} {{{{.Export}}}}{{{{end}}}}' $(cat names) >exports
number=0
while read -r name file; do
    number=$((number + 1))
    cp "$file" "$number.a"
    echo "packagefile $name=/judge/build/go/$number.a" >>importcfg
done <exports
chmod -R u+w cache && rm -rf cache path names exports
"""

LANGUAGE = Language(
    name="go",
    extension="go",
    tools=("go",),
    version_command=("{go}", "version"),
    hello=(
        'package main\n\nimport "fmt"\n\nfunc main() {\n\tvar a, b int\n\tfmt.Scan(&a, &b)\n\tfmt.Println(a + b)\n}\n'
    ),
    compile=(
        "export HOME=/tmp GOCACHE=off GOTOOLCHAIN=local && "
        "{go} tool compile -p main -importcfg /judge/build/go/importcfg -o main.o main.go && "
        "{go} tool link -s -w -importcfg /judge/build/go/importcfg -o main main.o",
    ),
    products=(Product("go", ("/bin/sh", "-c", _BUILD, "{out}"), "package main\n"),),
    memory_base_mb=16,
    reserve_mb=2048,
)
