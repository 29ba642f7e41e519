"""`tidemark worker gpu`: workers that serve models' weights themselves, one for each device."""

from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.domain.errors import NoObjects
from app.supervise import open_state
from app.supervise.gpus import parse_command, parse_devices, run_workers
from app.supervise.status_lines import print_status
from workers.devices import find_engine as check_engine

worker = VerbGroup("Run workers that serve model weights.")


@worker.command()
def gpu(
    devices: Annotated[
        str | None,
        typer.Option(metavar="0,1|cpu", help="One worker per device; 0+1 is one worker with both. Default: all."),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(metavar="vllm|sglang|transformers", help="The engine that serves the weights; vllm by default."),
    ] = None,
    engine_command: Annotated[
        str | None,
        typer.Option(metavar="CMD", help="The program to run instead of the engine's own; it gets the same flags."),
    ] = None,
    state: State = None,
) -> None:
    """Serve model weights on this machine's GPUs or CPU, and ask them.

    It works for a running `up`, or for the installation that TIDEMARK_DATABASE_URL and TIDEMARK_REDIS_URL name, until
    it is stopped. `run start --gpu` chooses the weights.

    Examples:
      ./tidemark worker gpu --devices 0,1
      ./tidemark worker gpu --devices cpu --engine transformers
    """
    if engine is not None:
        check_engine(engine)
    device_groups, command = parse_devices(devices), parse_command(engine_command)
    with open_state(state, begun=True) as settings:
        if not settings.is_served:
            raise NoObjects("nothing is running here; start with `./tidemark up`")
        print_status(f"GPU workers: {', '.join(device_groups)}; Ctrl-C stops them")
        raise typer.Exit(run_workers(settings, device_groups, engine=engine, command=command))
