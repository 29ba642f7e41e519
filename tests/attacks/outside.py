import socket

held = True
for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 48416)), (socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80)),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 48417)), (socket.AF_INET, socket.SOCK_RAW, ("127.0.0.1", 0)),
    (getattr(socket, "AF_VSOCK", 40), socket.SOCK_STREAM, (2, 22)), (socket.AF_NETLINK, socket.SOCK_RAW, (0, 0)),
):
    try:
        with socket.socket(family, kind) as other:
            other.settimeout(0.2)
            other.connect(address)
            held = False
    except OSError:
        pass
try:
    socket.getaddrinfo("localhost.example", 80)
    held = False
except OSError:
    pass
a, b = map(int, input().split())
print(a + b if held else "reached")
