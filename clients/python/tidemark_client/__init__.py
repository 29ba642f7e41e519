"""A client of the Tidemark API: every operation as a typed method, and orders from the command line."""

from tidemark_client.client import ApiError, Client, OrderFailed, WaitedTooLong

__all__ = ["ApiError", "Client", "OrderFailed", "WaitedTooLong"]
