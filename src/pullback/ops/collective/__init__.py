"""Collectives: operations whose inputs lie on several processes."""
