"""Tests by consensus: what models of several vendors owe as setters, and when their programs decide an answer. Pure."""
