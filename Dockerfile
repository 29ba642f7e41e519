# One image for every service of docker-compose.yml: the service decides the command.
ARG BASE=python:3.13-slim-bookworm
FROM ${BASE}

# bubblewrap and the compilers are for the grading worker; judged Python runs under the system's interpreter.
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends bubblewrap g++ libc6-dev python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/tidemark
COPY requirements.txt requirements-bootstrap.txt ./
RUN python3 -m venv .bootstrap-venv \
 && .bootstrap-venv/bin/python -m pip install --quiet --no-cache-dir --require-hashes -r requirements-bootstrap.txt \
 && .bootstrap-venv/bin/uv venv --quiet --python "$(command -v python3)" .venv \
 && .bootstrap-venv/bin/uv pip install --quiet --no-cache --compile-bytecode --require-hashes \
        --python .venv/bin/python -r requirements.txt \
 && rm -rf .bootstrap-venv
COPY . .
RUN .venv/bin/python -m compileall -q app scrapers workers web perf migrations \
 && groupadd --gid 10001 tidemark \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tidemark \
 && install -d -o tidemark -g tidemark -m 0700 /var/lib/tidemark \
 && install -d -o tidemark -g tidemark -m 0755 /var/lib/tidemark-sandbox

ENV PATH=/opt/tidemark/.venv/bin:$PATH \
    PYTHONPATH=/opt/tidemark \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    REMAP_SIGTERM=SIGQUIT \
    OPENBLAS_NUM_THREADS=1 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=33554432 \
    MALLOC_TRIM_THRESHOLD_=33554432 \
    TIDEMARK_STATE=/var/lib/tidemark \
    TIDEMARK_SANDBOX_ROOT=/var/lib/tidemark-sandbox \
    TIDEMARK_HOST=0.0.0.0 \
    TIDEMARK_LOG_FORMAT=json \
    TIDEMARK_NO_SYSTEM_PACKAGES=true \
    TIDEMARK_IS_SERVED=true
USER tidemark
EXPOSE 8321
CMD ["python", "-m", "app.main"]
