"""Orders of vendors: their answers, items, dry runs, changes, promises and previews."""
