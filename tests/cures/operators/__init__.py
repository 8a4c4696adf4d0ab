"""Mistakes that people make, each as an operator on a program's syntax tree or text (README.md)."""

from . import arguments, files, names, numbers, releases, sessions, syntax, tables, tensors, types  # noqa: F401
from .book import ALL, Book, Edit, Operator, Session, seeded

__all__ = ["ALL", "Book", "Edit", "Operator", "Session", "seeded"]
