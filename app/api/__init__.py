"""The JSON face: one file per resource."""
