"""The completion scripts, each in its own shell."""

import subprocess
from pathlib import Path

import pytest
from support.missing import need
from typer.testing import CliRunner

from app.cli.__main__ import build_parser

# What is typed before the key, and what must stand there after it.
_LINES = {
    "tidemark boa": "tidemark board",
    "./tidemark key iss": "./tidemark key issue",
    "tidemark board codegen --dif": "tidemark board codegen --difficulty",
    "tidemark export cells --format pa": "tidemark export cells --format parquet",
}
# A pseudo-terminal of zsh's own: its completion runs nowhere else. It ends when the words stand there, or in vain.
_ZSH = """
zmodload zsh/zpty
zpty z "TERM=dumb zsh -f -i"
zpty -w z "source '$1'; print -r -- SOUR''CED"
zpty -r -m z shown '*SOURCED*'
zpty -n -w z "$2"$'\\t'
zpty -r -m z shown "*$3*" && print -r -- done
"""


def _script(shell: str, folder: Path) -> Path:
    path = folder / f"tidemark.{shell}"
    path.write_text(CliRunner().invoke(build_parser(["completion"]), ["completion", shell]).stdout)
    return path


def _run(shell: str, *arguments: str) -> str:
    done = subprocess.run(
        [need(shell, f"apt install {shell}"), *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("./tidemark boa", {"board"}),
        ("./tidemark --v", {"--version"}),
        ("./tidemark key ", {"issue", "revoke"}),
        ("./tidemark board codegen --dif", {"--difficulty"}),
        ("./tidemark export cells --format ", {"jsonl", "csv", "parquet"}),
        ("./tidemark perf bo", {"boards"}),
        ("./tidemark grade ", set()),
    ],
)
def test_bash_completes_verbs_options_and_values(tmp_path: Path, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    typed = " ".join(f"'{word}'" for word in words)
    place = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}"
    asked = f". {_script('bash', tmp_path)}; {place}; _tidemark; echo ${{COMPREPLY[@]}}"
    assert set(_run("bash", "-c", asked).split()) == expected


@pytest.mark.parametrize(("line", "expected"), _LINES.items())
def test_zsh_completes_what_is_typed(tmp_path: Path, line: str, expected: str) -> None:
    assert _run("zsh", "-f", "-c", _ZSH, "zsh", str(_script("zsh", tmp_path)), line, expected) == "done\n"


@pytest.mark.parametrize(("line", "expected"), _LINES.items())
def test_fish_completes_what_is_typed(tmp_path: Path, line: str, expected: str) -> None:
    offered = _run("fish", "--no-config", "-c", f"source {_script('fish', tmp_path)}; complete -C '{line}'")
    assert [word.partition("\t")[0] for word in offered.splitlines()] == [expected.split()[-1]]
