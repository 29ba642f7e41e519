"""Page handlers: one module per page family."""
