"""What every query room stands on: sessions, leases, blobs, logs, the boards' revision, the server."""
