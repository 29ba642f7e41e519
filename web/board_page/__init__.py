"""The page of a board in parts: its links, controls, rows and tabs."""
