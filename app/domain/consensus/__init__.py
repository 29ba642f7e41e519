"""Tests by consensus: parts of tests that models of several vendors write, and the rules by which they agree. Pure."""
