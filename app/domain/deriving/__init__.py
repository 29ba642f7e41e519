"""What published problems yield besides themselves: things to ask that follow from their programs and tests. Pure."""
