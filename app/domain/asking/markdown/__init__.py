"""Programs and blocks in Markdown as models write it."""
