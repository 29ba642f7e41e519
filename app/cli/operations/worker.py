"""`tidemark worker gpu`: workers that serve models' weights themselves, one for each device."""

from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.domain.errors import NothingThere
from app.supervise import open_state
from app.supervise.gpus import parse_command, parse_devices, run_workers
from app.supervise.say import say
from workers.devices import find_engine as check_engine

worker = VerbGroup("Run workers that need more than this machine's processors.")


@worker.command()
def gpu(
    devices: Annotated[
        str | None,
        typer.Option(metavar="0,1|cpu", help="A worker for each; 0+1 is one worker with both. Default: all."),
    ] = None,
    engine: Annotated[
        str | None, typer.Option(metavar="vllm|sglang|transformers", help="What serves the weights; vllm by default.")
    ] = None,
    engine_command: Annotated[
        str | None, typer.Option(metavar="CMD", help="A program in the engine's place; it gets the engine's flags.")
    ] = None,
    state: State = None,
) -> None:
    """Ask models by their own weights, on this machine's GPUs or its processor.

    It works for a running `up`, or for the fleet that TIDEMARK_DATABASE_URL and TIDEMARK_REDIS_URL name, until it is
    stopped. `run start --gpu` says which weights are served.

    Examples:
      ./tidemark worker gpu --devices 0,1
      ./tidemark worker gpu --devices cpu --engine transformers
    """
    if engine is not None:
        check_engine(engine)
    device_groups, command = parse_devices(devices), parse_command(engine_command)
    with open_state(state, begun=True) as settings:
        if not settings.is_served:
            raise NothingThere("nothing runs here; begin with `./tidemark up`")
        say(f"GPU workers: {', '.join(device_groups)}; Ctrl-C stops them")
        raise typer.Exit(run_workers(settings, device_groups, engine=engine, command=command))
