"""Test suites made with programs in the sandbox: generators, validators, references, wrong programs and mutants."""
