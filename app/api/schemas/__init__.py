"""Shapes of the API's answers that are built as JSON; answers that are a service's frozen value have its shape."""
