"""SQL about sent problems, reports, and the public lists of problems and models."""
