"""Programs with one small mistake each."""
