"""Faces of a board for other sites and programs: badge, embedded table, social image, calendar, llms.txt."""
