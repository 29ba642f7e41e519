"""Problems: publishing, tests, quarantine."""
