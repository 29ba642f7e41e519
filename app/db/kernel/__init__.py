"""Foundations of every query package: sessions, leases, blobs, logs, board revisions, the server."""
