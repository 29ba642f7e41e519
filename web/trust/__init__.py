"""Contents of the pages about trust: the method, citations, freshness, and the API."""
