"""Reductions along axes, and running ones."""
