"""What is derived of published problems by running their programs in the sandbox."""
