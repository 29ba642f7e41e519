"""Schedules of visits to sources, and the flags that their pages give a problem."""
