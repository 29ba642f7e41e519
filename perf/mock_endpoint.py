"""A model endpoint that only waits: `python -m perf.mock_endpoint LATENCY_S JITTER_S`.

It runs in a process of its own, so that its work is not counted as the client's. It prints its port, answers every POST
with the same completion after LATENCY_S +- JITTER_S, and ends when its standard input closes.
"""

import asyncio
import json
import random
import sys

_COMPLETION = {
    "id": "chatcmpl-mock",
    "object": "chat.completion",
    "model": "mock",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "```python\n" + "print(sum(map(int, input().split())))\n" * 20},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 400, "completion_tokens": 200, "total_tokens": 600},
}
_BODY = json.dumps(_COMPLETION).encode()
_RESPONSE = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + str(len(_BODY)).encode() + b"\r\n\r\n"
) + _BODY


class _Connection(asyncio.Protocol):
    """One persistent connection; request bodies are skipped."""

    def __init__(self, latency_s: float, jitter_s: float) -> None:
        self._latency_s, self._jitter_s = latency_s, jitter_s
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._buffer[:end]).lower()
            _, _, after = head.partition(b"content-length:")
            whole = end + 4 + int(after.split(b"\r\n", 1)[0] or 0)
            if len(self._buffer) < whole:
                return
            del self._buffer[:whole]
            self._answer_later()

    def _answer_later(self) -> None:
        delay_s = self._latency_s + random.uniform(-self._jitter_s, self._jitter_s)
        if delay_s > 0:
            asyncio.get_running_loop().call_later(delay_s, self._transport.write, _RESPONSE)
        else:
            self._transport.write(_RESPONSE)


async def _serve(latency_s: float, jitter_s: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(latency_s, jitter_s), "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1]), float(sys.argv[2])))
