"""Walks over a list of nodes: backwards (`reverse`) and forwards (`forward`)."""
