# ruff: noqa: E501  # tables of whole programs
"""Small programs in every language, by what they do; every name but those in BY_OUTPUT is one of a verdict.

`escape` tries to write where programs are installed, to read the judge's own files, and to reach a network: it prints
how many of the three it could.
"""

from collections.abc import Mapping

# Compiling these takes most of the time: one program each, which ends as the first letter of its input says.
JAVA = """class Main { static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
    public static void main(String[] a) throws Exception {
        switch (System.in.read()) {
            case 'c': throw new RuntimeException("no");
            case 'd': System.out.println(depth(100000)); break;
            case 'g':
                long sum = 0;
                for (int i = 0; i < 3000; i++) sum += new byte[1 << 20].length >> 20;
                System.out.println(sum);
        }
    }
}
"""
RUST = """use std::io::Read;
#[inline(never)]
fn depth(n: &u64) -> u64 { if *n == 0 { 0 } else { let less = *n - 1; depth(&less) + *n - less } }
fn main() {
    let mut first = [0u8];
    std::io::stdin().read_exact(&mut first).unwrap();
    if first[0] == b'c' { panic!("no") }
    println!("{}", depth(&100000));
}
"""
TYPESCRIPT = """const first: string = require('fs').readFileSync(0, 'utf8')[0];
const depth = (n: number): number => n ? 1 + depth(n - 1) : 0;
const code: number = 3;
if (first === 'c') process.exit(code);
console.log(depth(100000));
"""
BY_INPUT = {"crash": "c", "deep": "d", "garbage": "g"}

# Language -> what the program does -> the program.
PROGRAMS: Mapping[str, Mapping[str, str]] = {
    "python": {
        "loop": "while True: pass",
        "crash": "raise SystemExit(3)",
        "broken": "def (:",
        "hoard": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "deep": "import sys\nsys.setrecursionlimit(10**6)\ndef depth(n): return n and 1 + depth(n - 1)\nprint(depth(100000))",
        "flood": "while True: print('x' * 1000)",
        "escape": "import socket\ncould = 0\nfor what in (lambda: open('/usr/bin/mine', 'w'), lambda: open('/etc/shadow'), lambda: socket.create_connection(('192.0.2.1', 80))):\n    try:\n        what()\n        could += 1\n    except OSError: pass\nprint(could)",
    },
    "pypy": {
        "loop": "while True: pass",
        "crash": "raise SystemExit(3)",
        "hoard": "kept = []\nwhile True: kept.append(bytearray(b'x' * (1 << 20)))",
        "deep": "import sys\nsys.setrecursionlimit(10**6)\ndef depth(n): return n and 1 + depth(n - 1)\nprint(depth(100000))",
        "flood": "while True: print('x' * 1000)",
        "exits": "print(61)\nexit()\nprint(1)",
        "quits": "if callable(help): print(61)\nquit(0)",
        "names": "import sys, __main__\nown = 6\nprint(__main__.own, __name__ == '__main__', sys.argv == [__file__], 'start' in dir(), sep='')",
        "escape": "import socket\ncould = 0\nfor what in (lambda: open('/usr/bin/mine', 'w'), lambda: open('/etc/shadow'), lambda: socket.create_connection(('192.0.2.1', 80))):\n    try:\n        what()\n        could += 1\n    except OSError: pass\nprint(could)",
    },
    "cpp": {
        "loop": "int main() { for (volatile int i = 0;;) i = i + 1; }",
        "crash": "#include <cstdlib>\nint main() { std::abort(); }",
        "broken": "int main() { return nothing; }",
        "hoard": "#include <vector>\nint main() { std::vector<char*> kept; for (;;) { kept.push_back(new char[1 << 20]); for (int i = 0; i < 1 << 20; i += 512) kept.back()[i] = 1; } }",
        "deep": '#include <cstdio>\nint depth(volatile int n) { char room[300]; room[n % 300] = 1; return n ? room[n % 300] + depth(n - 1) : 0; }\nint main() { printf("%d\\n", depth(100000)); }',
        "flood": '#include <cstdio>\nint main() { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }',
        "twenty": '#include <bits/stdc++.h>\n#include <span>\n#include <ranges>\nint main() { std::vector v{3, 1, 2}; std::ranges::sort(v); __int128 sum = 0; for (int x : std::span(v)) sum += x; std::cout << (long long)sum << v[0]; }',
        "fast": '#pragma GCC optimize("O3")\n#include <bits/stdc++.h>\nint main() { std::ios::sync_with_stdio(false); std::cin.tie(nullptr); std::cout << 61 << \'\\n\'; }',
        "escape": "#include <arpa/inet.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <sys/socket.h>\nint main(void) { struct sockaddr_in to = {}; to.sin_family = AF_INET; to.sin_port = htons(80); to.sin_addr.s_addr = inet_addr(\"192.0.2.1\"); int by = socket(AF_INET, SOCK_STREAM, 0); printf(\"%d\\n\", (open(\"/usr/bin/mine\", O_CREAT | O_WRONLY, 0700) >= 0) + (open(\"/etc/shadow\", O_RDONLY) >= 0) + (by >= 0 && connect(by, (struct sockaddr *)&to, sizeof to) == 0)); }",
    },
    "c": {
        "loop": "int main(void) { for (volatile int i = 0;;) i = i + 1; }",
        "crash": "int main(void) { return 3; }",
        "broken": "int main(void) { return nothing; }",
        "hoard": "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
        "deep": '#include <stdio.h>\nint depth(volatile int n) { return n ? 1 + depth(n - 1) : 0; }\nint main(void) { printf("%d\\n", depth(100000)); }',
        "flood": '#include <stdio.h>\nint main(void) { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }',
        "escape": "#include <arpa/inet.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <sys/socket.h>\nint main(void) { struct sockaddr_in to = {}; to.sin_family = AF_INET; to.sin_port = htons(80); to.sin_addr.s_addr = inet_addr(\"192.0.2.1\"); int by = socket(AF_INET, SOCK_STREAM, 0); printf(\"%d\\n\", (open(\"/usr/bin/mine\", O_CREAT | O_WRONLY, 0700) >= 0) + (open(\"/etc/shadow\", O_RDONLY) >= 0) + (by >= 0 && connect(by, (struct sockaddr *)&to, sizeof to) == 0)); }",
    },
    "java": {
        "loop": "public class Any { public static void main(String[] a) { long i = 0; while (true) i++; } }",
        "crash": JAVA,
        "broken": "class Main { int x = nothing; }",
        "hoard": "import java.util.*;\nclass Main { public static void main(String[] a) { List<byte[]> kept = new ArrayList<>(); while (true) kept.add(new byte[1 << 20]); } }",
        "deep": JAVA,
        "flood": 'class Main { public static void main(String[] a) { while (true) System.out.println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); } }',
        "garbage": JAVA,
        "helpers": 'import java.util.*;\nclass Pair { int x; Pair(int x) { this.x = x; } }\npublic class Solution { record Two(int a, int b) {}\n public static void main(String[] a) { Two two = new Two(new Pair(6).x, 1); System.out.println("" + two.a + two.b); } }',
        "escape": 'import java.io.*;\nclass Main { interface What { Object tried() throws IOException; }\n static int could(What what) { try { what.tried(); return 1; } catch (IOException e) { return 0; } }\n public static void main(String[] a) { System.out.println(could(() -> new FileWriter("/usr/bin/mine")) + could(() -> new FileReader("/etc/shadow")) + could(() -> new java.net.Socket("192.0.2.1", 80))); } }',
    },
    "javascript": {
        "loop": "for (;;) {}",
        "crash": "process.exit(3)",
        "hoard": "const kept = []; for (;;) kept.push(new Array(1 << 17).fill(kept.length))",
        "deep": "const depth = n => n ? 1 + depth(n - 1) : 0; console.log(depth(100000))",
        "flood": "const fs = require('fs'); for (;;) fs.writeSync(1, 'x'.repeat(1000))",
        "lines": "const lines = []; require('readline').createInterface({input: process.stdin}).on('line', each => lines.push(each)).on('close', () => console.log(lines.length))",
        "escape": "const fs = require('fs'); let could = 0; try { fs.writeFileSync('/usr/bin/mine', ''); could++ } catch {} try { fs.readFileSync('/etc/shadow'); could++ } catch {} const socket = require('net').connect(80, '192.0.2.1'); socket.on('connect', () => { console.log(could + 1); process.exit() }); socket.on('error', () => console.log(could))",
    },
    "go": {
        "loop": "package main\nfunc main() { for i := 0; ; i++ { } }",
        "crash": 'package main\nfunc main() { panic("no") }',
        "broken": "package main\nfunc main() { nothing() }",
        "hoard": "package main\nfunc main() { var kept [][]byte; for { kept = append(kept, make([]byte, 1<<20)); for i := range kept[len(kept)-1] { kept[len(kept)-1][i] = 1 } } }",
        "deep": 'package main\nimport "fmt"\nfunc depth(n int) int { if n == 0 { return 0 }; return 1 + depth(n-1) }\nfunc main() { fmt.Println(depth(100000)) }',
        "flood": 'package main\nimport "fmt"\nfunc main() { for { fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx") } }',
        "packages": 'package main\nimport ("bufio"; "fmt"; "math/big"; "os"; "sort"; "strings")\nfunc main() { in := bufio.NewReader(os.Stdin); _, _ = in.ReadString(10); v := []int{2, 1}; sort.Ints(v); fmt.Println(strings.Repeat("6", v[0]) + big.NewInt(1).String()) }',
        "escape": 'package main\nimport ("fmt"; "net"; "os")\nfunc main() { could := 0; if _, err := os.Create("/usr/bin/mine"); err == nil { could++ }; if _, err := os.ReadFile("/etc/shadow"); err == nil { could++ }; if _, err := net.Dial("tcp", "192.0.2.1:80"); err == nil { could++ }; fmt.Println(could) }',
    },
    "rust": {
        "loop": "fn main() { let mut i: u64 = 0; loop { unsafe { std::ptr::write_volatile(&mut i, i + 1) } } }",
        "crash": RUST,
        "broken": "fn main() { nothing() }",
        "hoard": "fn main() { let mut kept = Vec::new(); loop { kept.push(vec![1u8; 1 << 20]); } }",
        "deep": RUST,
        "flood": 'fn main() { loop { println!("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); } }',
        "escape": 'use std::{fs, net};\nfn main() { println!("{}", fs::write("/usr/bin/mine", "").is_ok() as i32 + fs::read("/etc/shadow").is_ok() as i32 + net::TcpStream::connect("192.0.2.1:80").is_ok() as i32); }',
    },
    "typescript": {
        "loop": "for (;;) {}",
        "crash": TYPESCRIPT,
        "broken": "let x: = 5",
        "hoard": "const kept: number[][] = []; for (;;) kept.push(new Array<number>(1 << 17).fill(kept.length))",
        "deep": TYPESCRIPT,
        "flood": "const fs = require('fs'); for (;;) fs.writeSync(1, 'x'.repeat(1000))",
        "lines": "import * as readline from 'readline'; const lines: string[] = []; readline.createInterface({input: process.stdin}).on('line', each => lines.push(each)).on('close', () => console.log(lines.length))",
        "types": "const text: string = 6 as number;\nenum Part { Six = 6 }\nnamespace Own { export const one = 1 as const }\nclass Pair<T> { constructor(public left: T, private right?: T) {} }\nfunction only<T extends object>(x: T): x is T { return true }\nconst pair = new Pair<number>(Part.Six); if (only(pair)) console.log(`${pair.left}${Own.one}`)",
        "escape": "import * as fs from 'fs'; import * as net from 'net'; let could = 0; try { fs.writeFileSync('/usr/bin/mine', ''); could++ } catch {} try { fs.readFileSync('/etc/shadow'); could++ } catch {} const socket = net.connect(80, '192.0.2.1'); socket.on('connect', () => { console.log(could + 1); process.exit() }); socket.on('error', () => console.log(could))",
    },
    "csharp": {
        "loop": "class P { static void Main() { for (long i = 0;; i++) { } } }",
        "crash": 'class P { static void Main() { throw new System.Exception("no"); } }',
        "broken": "record Pair(int X);\nclass P { static void Main() { } }",
        "hoard": "using System.Collections.Generic;\nclass P { static void Main() { var kept = new List<byte[]>(); while (true) { var room = new byte[1 << 20]; for (int i = 0; i < room.Length; i += 512) room[i] = 1; kept.Add(room); } } }",
        "deep": "class P { static int Depth(int n) { return n == 0 ? 0 : 1 + Depth(n - 1); }\n static void Main() { System.Console.WriteLine(Depth(100000)); } }",
        "flood": 'class P { static void Main() { while (true) System.Console.WriteLine("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); } }',
        "garbage": "class P { static void Main() { long sum = 0; for (int i = 0; i < 3000; i++) sum += new byte[1 << 20].Length >> 20; System.Console.WriteLine(sum); } }",
        "packages": "using System; using System.Collections.Generic; using System.Linq; using System.Numerics; using System.Text;\nclass P { static void Main() { var sorted = new SortedSet<int> { 2, 1 }; (int six, int one) = (6, sorted.Min); var text = new StringBuilder(); text.Append($\"{six}\").Append(BigInteger.Pow(one, 99)); Console.WriteLine(text); } }",
        "escape": 'using System; using System.IO; using System.Net.Sockets;\nclass P { static int Could(Action what) { try { what(); return 1; } catch (Exception) { return 0; } }\n static void Main() { Console.WriteLine(Could(() => File.WriteAllText("/usr/bin/mine", "")) + Could(() => File.ReadAllText("/etc/shadow")) + Could(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp).Connect("192.0.2.1", 80))); } }',
    },
    "kotlin": {
        "loop": "fun main() { var i = 0L; while (true) i++ }",
        "crash": 'fun main() { throw RuntimeException("no") }',
        "broken": "fun main() { nothing() }",
        "hoard": "fun main() { val kept = ArrayList<ByteArray>(); while (true) kept.add(ByteArray(1 shl 20)) }",
        "deep": "fun depth(n: Int): Int = if (n == 0) 0 else 1 + depth(n - 1)\nfun main() { println(depth(100000)) }",
        "flood": 'fun main() { while (true) println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx") }',
        "packages": "import java.io.*\nimport java.util.*\ndata class Pair2(val six: Int, val one: Int)\nfun main(args: Array<String>) { val lines = BufferedReader(InputStreamReader(System.`in`)).readLines(); val (six, one) = Pair2(lines.map { it.toInt() }.sum(), TreeSet(listOf(2, 1)).first()); println(\"$six$one\") }",
        "escape": 'import java.io.File\nfun could(what: () -> Unit): Int = try { what(); 1 } catch (e: Exception) { 0 }\nfun main() { println(could { File("/usr/bin/mine").writeText("") } + could { File("/etc/shadow").readText() } + could { java.net.Socket("192.0.2.1", 80) }) }',
    },
    "scala": {
        "loop": "object Main { def main(a: Array[String]): Unit = { var i = 0L; while (true) i += 1 } }",
        "crash": 'object Main extends App { throw new RuntimeException("no") }',
        "broken": "object Main extends App { nothing() }",
        "hoard": "object Main { def main(a: Array[String]): Unit = { var kept = List[Array[Byte]](); while (true) kept ::= new Array[Byte](1 << 20) } }",
        "deep": "object Main extends App { def depth(n: Int): Int = if (n == 0) 0 else 1 + depth(n - 1); println(depth(100000)) }",
        "flood": 'object Main extends App { while (true) println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx") }',
        "packages": "import scala.collection.mutable\nobject Other extends App { println(1) }\nobject Main extends App { val sorted = mutable.TreeSet(2, 1); val sum = scala.io.Source.stdin.getLines().map(_.toInt).sum; println(s\"$sum${BigInt(sorted.head).pow(99)}\") }",
        "escape": 'import scala.util.Try\nobject Main extends App { println(List(Try(new java.io.FileWriter("/usr/bin/mine")), Try(scala.io.Source.fromFile("/etc/shadow").mkString), Try(new java.net.Socket("192.0.2.1", 80))).count(_.isSuccess)) }',
    },
    "ruby": {
        "loop": "loop {}",
        "crash": "exit 3",
        "broken": "def (:",
        "hoard": "kept = []\nloop { kept << 'x' * (1 << 20) }",
        "deep": "def depth(n) = n == 0 ? 0 : 1 + depth(n - 1)\nputs depth(100000)",
        "flood": "loop { puts 'x' * 1000 }",
        "packages": "require 'set'\nrequire 'prime'\nrequire 'matrix'\nputs \"#{STDIN.each_line.sum(&:to_i)}#{Matrix[[7]].determinant.prime? ? Set[1, 1].size : 0}\"",
        "escape": "require 'socket'\ncould = 0\nbegin; File.write('/usr/bin/mine', ''); could += 1; rescue SystemCallError; end\nbegin; File.read('/etc/shadow'); could += 1; rescue SystemCallError; end\nbegin; TCPSocket.new('192.0.2.1', 80); could += 1; rescue SystemCallError, SocketError; end\nputs could",
    },
    "php": {
        "loop": "<?php while (true) {}",
        "crash": "<?php exit(3);",
        "broken": "<?php function (",
        "hoard": "<?php $kept = []; while (true) { $kept[] = str_repeat('x', 1 << 20); }",
        "deep": "<?php function depth($n) { return $n == 0 ? 0 : 1 + depth($n - 1); } echo depth(100000);",
        "flood": "<?php while (true) { echo str_repeat('x', 1000); }",
        "packages": "<?php $heap = new SplMinHeap(); $heap->insert(6); $heap->insert(9); echo ctype_digit('6') && php_ini_loaded_file() === false ? $heap->top() : 0, count(array_unique([1, 1])), PHP_EOL;",
        "escape": "<?php $could = 0; $could += @file_put_contents('/usr/bin/mine', 'x') !== false; $could += @file_get_contents('/etc/shadow') !== false; $could += @fsockopen('192.0.2.1', 80) !== false; echo $could;",
    },
}  # fmt: skip
BY_OUTPUT = {"deep": "100000", "twenty": "61", "fast": "61", "garbage": "3000", "helpers": "61", "lines": "3", "packages": "61", "exits": "61", "quits": "61", "names": "6TrueTrueFalse", "types": "61", "escape": "0"}  # fmt: skip
