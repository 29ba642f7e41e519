"""A real server around an application, in this process, so that tests go through HTTP and may look at the database."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp
from support.declared_answers import DeclaredAnswers

from app.api.connections import TimeLimitedProtocol
from app.api.description import DescribedApp
from app.main import SERVER_OPTIONS

# For clients of the loopback, which trust nobody: reading the store of certificates takes 30 ms a client.
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@contextmanager
def served(app: ASGIApp, http: type[TimeLimitedProtocol] = TimeLimitedProtocol) -> Iterator[str]:
    """The address of the application, on a free port of the loopback, until the block ends.

    Every answer to whatever is asked there must be one that the API's description declares.
    """
    checked = DeclaredAnswers(app) if isinstance(app, DescribedApp) else None
    config = uvicorn.Config(
        checked or app, host="127.0.0.1", port=0, loop="asyncio", **{**SERVER_OPTIONS, "http": http}
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True, name="served")
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
    assert checked is None or not checked.faults, "\n".join(checked.faults)
