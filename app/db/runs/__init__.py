"""SQL about models, runs, samples and verdicts."""
