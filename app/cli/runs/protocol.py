"""`tidemark protocol list|add|sweep|orders`: how models are asked, and which protocols vendors may order."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from app.cli.parser import State, VerbGroup
from app.cli.tables import TableColumn, format_table, terminal_width
from app.domain.asking.decoding_sweeps import SweepGrid
from app.domain.asking.protocols import ProtocolScope, Sampling
from app.domain.errors import InvalidInput
from app.services.runs.control import protocols as service
from app.services.runs.control.protocols import AddedProtocol
from app.supervise import open_state
from workers.context import make_context, now, use

T = TypeVar("T")

protocol = VerbGroup("List and add protocols, sweep sampling settings, and open protocols to submissions.")

Reason = Annotated[str, typer.Option(help="The reason, kept in the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@protocol.command("list")
def list_protocols(state: State = None, *, as_json: AsJson = False) -> None:
    """List the protocols that models are asked under, with how they sample."""
    with open_state(state, begun=True) as settings, use(make_context(settings)).sessions() as session:
        lines = service.protocols(session)
    if as_json:
        rows = [
            line.protocol.body() | {"fingerprint": line.fingerprint, "runs": line.runs, "orderable": line.orderable}
            for line in lines
        ]
        print(json.dumps({"protocols": rows}, indent=2, ensure_ascii=False))
        return
    columns = [
        TableColumn("protocol", min_width=16),
        TableColumn("language", drop_order=2),
        TableColumn("sampling", min_width=52),
        TableColumn("runs", right=True),
        TableColumn("orders", drop_order=3),
        TableColumn("title", min_width=16, drop_order=1),
    ]
    texts = [
        (line.protocol.slug, line.protocol.language, _format_sampling(line.protocol.sampling), str(line.runs),
         "open" if line.orderable else "-", line.protocol.title)
        for line in lines
    ]  # fmt: skip
    print(format_table(columns, texts, terminal_width()))


@protocol.command()
def add(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="Its name: lower-case letters, digits and hyphens.")],
    base: Annotated[
        str, typer.Option("--from", metavar="SLUG", help="The protocol from which it takes everything else.")
    ],
    title: Annotated[str | None, typer.Option(help="Its title on boards.")] = None,
    n: Annotated[int | None, typer.Option("--n", help="Answers per item.")] = None,
    temperature: Annotated[float | None, typer.Option(help="0 is greedy.")] = None,
    top_p: Annotated[float | None, typer.Option(help="The share of probability to sample from.")] = None,
    top_k: Annotated[int | None, typer.Option(help="The number of tokens to sample from; 0 is all.")] = None,
    repetition_penalty: Annotated[float | None, typer.Option(help="1 is none.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="The most tokens of an answer, including reasoning.")] = None,
    stop: Annotated[list[str] | None, typer.Option(help="A text that ends an answer; repeatable.")] = None,
    seed: Annotated[int | None, typer.Option(help="The number from which samples' seeds count.")] = None,
    system: Annotated[str | None, typer.Option(help="The system prompt; empty for none.")] = None,
    system_file: Annotated[Path | None, typer.Option(metavar="FILE", help="The system prompt, from a file.")] = None,
    style: Annotated[str | None, typer.Option(help="A prompt style of the scenario.")] = None,
    language: Annotated[str | None, typer.Option(help="The programming language to ask for.")] = None,
    locale: Annotated[str | None, typer.Option(help="The language of the problems' texts.")] = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Cover only this source; repeatable.")
    ] = None,
    reason: Reason = "added by a maintainer",
    state: State = None,
) -> None:
    """Add a protocol like another, except for the options given. What it freezes never changes.

    Examples:
      ./tidemark protocol add fresh-greedy --from fresh --temperature 0 --top-p 1
    """
    if system is not None and system_file is not None:
        raise InvalidInput("give --system or --system-file, not both")
    system_prompt = _read_file(system_file) if system_file is not None else system
    sampling_values: dict[str, Any] = {
        "n": n,
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "seed": seed,
    }
    prompt_values: dict[str, Any] = {"style": style, "language": language, "locale": locale, "system": system_prompt}
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        with ctx.sessions() as session:
            base_protocol = service.protocol(session, base)
        sampling = replace(
            base_protocol.sampling, **{name: value for name, value in sampling_values.items() if value is not None}
        )
        if top_k is not None:
            sampling = replace(sampling, top_k=top_k or None)
        if repetition_penalty is not None:
            sampling = replace(sampling, repetition_penalty=None if repetition_penalty == 1 else repetition_penalty)
        if stop is not None:
            sampling = replace(sampling, stop=tuple(stop))
        changed = {name: value for name, value in prompt_values.items() if value is not None}
        covers = (
            ProtocolScope(sources=tuple(source), forms=base_protocol.covers.forms) if source else base_protocol.covers
        )
        new = replace(base_protocol, slug=slug, title=title or slug, sampling=sampling, covers=covers, **changed)
        print(_describe(ctx.commit(service.add, new, reason, now())))


@protocol.command()
def sweep(
    base: Annotated[str, typer.Argument(metavar="SLUG", help="The protocol to sweep.")],
    temperature: Annotated[str, typer.Option(metavar="N,...", help="Temperatures, such as 0,0.4,0.8.")] = "",
    top_p: Annotated[str, typer.Option(metavar="N,...", help="Shares of probability to sample from.")] = "",
    top_k: Annotated[str, typer.Option(metavar="N,...", help="Numbers of tokens to sample from; 0 is all.")] = "",
    max_tokens: Annotated[str, typer.Option(metavar="N,...", help="The most tokens of an answer.")] = "",
    reason: Reason = "a sweep by a maintainer",
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Add a protocol for each combination of values; `run start` then runs a model under each.

    Examples:
      ./tidemark protocol sweep fresh --temperature 0,0.4 --max-tokens 4096,32768
    """
    grid = SweepGrid(
        _parse_numbers("--temperature", temperature, float), _parse_numbers("--top-p", top_p, float),
        [number or None for number in _parse_numbers("--top-k", top_k, int)],
        _parse_numbers("--max-tokens", max_tokens, int),
    )  # fmt: skip
    with open_state(state, begun=True) as settings:
        added = use(make_context(settings)).commit(service.add_sweep, base, grid, reason, now())
    if as_json:
        print(json.dumps({"protocols": [result.slug for result in added]}))
    else:
        print("\n".join(map(_describe, added)))


@protocol.command()
def orders(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="A protocol of yours.")],
    reason: Reason,
    state: State = None,
    *,
    close: Annotated[bool, typer.Option("--close", help="Accept no more submissions for it.")] = False,
) -> None:
    """Let vendors submit runs under a protocol of yours; --close ends that.

    Examples:
      ./tidemark protocol orders fresh-cold --reason "asked for by vendors"
    """
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        ctx.commit(service.open_to_submissions, slug, reason, now(), orderable=not close)
    print(f"{slug}: vendors may {'no longer ' if close else ''}submit runs under it")


def _describe(added: AddedProtocol) -> str:
    return f"added {added.slug}" if added.is_new else f"{added.slug} already exists"


def _read_file(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read") from error


def _parse_numbers(option: str, text: str, kind: Callable[[str], T]) -> list[T]:
    try:
        return [kind(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise InvalidInput(f"{option} must be a list of numbers such as 1,2, not {text!r}") from None


def _format_sampling(sampling: Sampling) -> str:
    facts = {
        "n": sampling.n, "t": sampling.temperature, "p": sampling.top_p, "k": sampling.top_k,
        "penalty": sampling.repetition_penalty, "tokens": sampling.max_tokens, "seed": sampling.seed or None,
        "stops": len(sampling.stop) or None,
    }  # fmt: skip
    return " ".join(f"{name}={value:g}" for name, value in facts.items() if value is not None)
