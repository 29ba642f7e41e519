"""Making test suites: what inputs look like, which are worth trying, and how well they tell right from wrong. Pure."""
