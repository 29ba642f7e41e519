"""Making test suites with programs in the sandbox: generators, validators, references, wrong programs and mutants."""
