"""Parts that several importers share."""
