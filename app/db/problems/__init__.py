"""SQL about problems, their texts and tests."""
