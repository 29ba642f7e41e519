import os
import socket

NAME = "\0tests-attack-daemon"
try:
    with socket.socket(socket.AF_UNIX) as other:
        other.connect(NAME)
        answer = "daemon"
except OSError:
    answer = None
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try:
                with socket.socket(socket.AF_UNIX) as server:
                    server.bind(NAME)
                    server.listen()
                    server.settimeout(30)
                    server.accept()
            finally:
                os._exit(0)
        os._exit(0)
a, b = map(int, input().split())
print(answer or a + b)
