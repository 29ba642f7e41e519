"""Importers of fixed sets: one file each, holding one SUITE constant."""
