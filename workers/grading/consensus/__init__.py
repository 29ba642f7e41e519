"""Test suites by consensus: the programs of setters run in the sandbox, and their agreement makes the tests."""
