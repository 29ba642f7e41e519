"""Endpoint secrets: encrypted at rest, opened only to make a request."""

from cryptography.fernet import Fernet, InvalidToken

from app.domain.errors import Unavailable


class Vault:
    """Encrypts and opens secrets with one key (32 bytes, URL-safe base64)."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    def seal(self, secret: str) -> bytes:
        """Ciphertext fit for the database."""
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """The secret. Raises Unavailable when the key is not the one it was sealed with."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken as wrong:
            raise Unavailable("an endpoint secret was sealed with another key") from wrong


def new_key() -> bytes:
    """A fresh key."""
    return Fernet.generate_key()
