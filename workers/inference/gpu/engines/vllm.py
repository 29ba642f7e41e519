"""vLLM: continuous batching on CUDA, ROCm and, with its own build, a CPU."""

from workers.inference.gpu.engines import Engine

ENGINE = Engine(
    name="vllm",
    # Not `vllm serve`, which refuses a build that is installed under another name; the flags are the same.
    program=("python3", "-m", "vllm.entrypoints.openai.api_server"),
    flags={
        "host": "--host",
        "port": "--port",
        "path": "--model",
        "name": "--served-model-name",
        "dtype": "--dtype",
        "quantisation": "--quantization",
        "max_length": "--max-model-len",
        "max_running": "--max-num-seqs",
        "memory": "--gpu-memory-utilization",
        "template": "--chat-template",
        "reasoning_parser": "--reasoning-parser",
        "seed": "--seed",
        "parallel": "--tensor-parallel-size",
        "replicas": "--data-parallel-size",
        "adapter": "--lora-modules",
        "rank": "--max-lora-rank",
    },
    adapter_flags=("--enable-lora",),
    deterministic_flags=(),
    deterministic_environment={"VLLM_BATCH_INVARIANT": "1"},
    key_variable="VLLM_API_KEY",
    # The protocol decides how answers are sampled; the weights' own defaults would change it silently.
    always=("--generation-config", "vllm"),
    # Without it the first concurrent requests end the server on a CPU.
    cpu_flags=("--enforce-eager",),
    environment={"VLLM_HOST_IP": "127.0.0.1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"},
    cpu_environment={"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"},
    gauges={
        "running": "vllm:num_requests_running",
        "waiting": "vllm:num_requests_waiting",
        "cache": "vllm:kv_cache_usage_perc",
        "tokens": "vllm:generation_tokens_total",
    },
    version_path="/version",
)
