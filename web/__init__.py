"""The pages: rendered on the server, and complete without JavaScript."""
