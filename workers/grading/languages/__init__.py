"""Languages: one file each, holding one LANGUAGE constant."""

from workers.grading.languages._language import HELLO_INPUT, HELLO_OUTPUT, BuildProduct, Language

__all__ = ["HELLO_INPUT", "HELLO_OUTPUT", "BuildProduct", "Language"]
