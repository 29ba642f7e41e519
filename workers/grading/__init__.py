"""The judge: programs in, verdicts out, untrusted code only in the sandbox."""
