"""Readers of CoCo-Bench's items, task by task: their values, their code and their findings."""
