"""SQL about submissions and declarations of vendors."""
