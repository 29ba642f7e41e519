"""Page handlers: one file per page family."""
