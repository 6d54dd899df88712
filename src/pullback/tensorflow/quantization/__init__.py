"""Quantised numbers, and what simulates them."""
