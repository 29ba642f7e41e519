"""SQL about exposures and reports."""
