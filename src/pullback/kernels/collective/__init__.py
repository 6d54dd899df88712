"""Collectives on arrays: what the processes of one run give each other over MPI."""
