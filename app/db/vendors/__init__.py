"""SQL about submissions."""
