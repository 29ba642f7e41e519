"""What a suite needs of its machine while others use the machine too."""

import socket
import threading
import time

import pytest

from workers.grading.attack_suite.host_state import listen_on


def test_a_port_that_a_passing_connection_holds_is_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        theirs, _ = server.accept()
        port = client.getsockname()[1]
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use"):
                other.bind(("127.0.0.1", port))

        def end_the_connection() -> None:
            time.sleep(0.7)
            theirs.close()  # the side that ends first is the one whose port the kernel keeps
            assert client.recv(1) == b""
            client.close()

        ending = threading.Thread(target=end_the_connection)
        ending.start()
        with listen_on(f"127.0.0.1:{port}"):
            ending.join()
            socket.create_connection(("127.0.0.1", port)).close()
