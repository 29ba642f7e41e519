"""Making of test suites: grammars of inputs, candidate inputs, and their power to tell right from wrong. Pure."""
