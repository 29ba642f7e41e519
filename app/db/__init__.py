"""Storage: all SQL, all blobs."""
