"""The programs and blocks of a text in Markdown, as models write it."""
