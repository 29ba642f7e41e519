"""The bundled server over transformers: for small models, rare ones, and machines without a GPU."""

import sys

from workers.inference.gpu.engines import Engine

ENGINE = Engine(
    name="transformers",
    program=(sys.executable, "-m", "workers.inference.gpu.server"),
    flags={
        "host": "--host",
        "port": "--port",
        "path": "--model",
        "name": "--served-model-name",
        "dtype": "--dtype",
        "max_length": "--max-model-len",
        "max_running": "--max-num-seqs",
        "template": "--chat-template",
        "seed": "--seed",
    },
    key_variable="TIDEMARK_SERVER_KEY",
    deterministic_flags=("--max-num-seqs", "1"),  # an answer without neighbours
    streams=False,
    gauges={
        "running": "tidemark_server_running",
        "waiting": "tidemark_server_waiting",
        "tokens": "tidemark_server_tokens_total",
    },
    version_path="/version",
)
