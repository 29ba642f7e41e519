"""Who makes tests, and how far the making of each problem's has come."""
