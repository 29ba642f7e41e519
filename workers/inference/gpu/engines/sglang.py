"""SGLang, by its documented flags; not yet run by this project."""

from workers.inference.gpu.engines import Engine

ENGINE = Engine(
    name="sglang",
    program=("python3", "-m", "sglang.launch_server"),
    flags={
        "host": "--host",
        "port": "--port",
        "path": "--model-path",
        "name": "--served-model-name",
        "dtype": "--dtype",
        "quantisation": "--quantization",
        "max_length": "--context-length",
        "max_running": "--max-running-requests",
        "memory": "--mem-fraction-static",
        "template": "--chat-template",
        "reasoning_parser": "--reasoning-parser",
        "seed": "--random-seed",
        "parallel": "--tp",
        "replicas": "--dp",
    },
    key_file="--config",
    deterministic_flags=("--enable-deterministic-inference",),
    # Metrics are off by default; and the weights' own sampling defaults would change what the protocol says.
    always=("--enable-metrics", "--sampling-defaults", "openai"),
    cpu_flags=("--device", "cpu"),
    gauges={
        "running": "sglang:num_running_reqs",
        "waiting": "sglang:num_queue_reqs",
        "cache": "sglang:token_usage",
        "tokens": "sglang:generation_tokens_total",
    },
    version_path="/get_server_info",
    backend="sglang",
)
