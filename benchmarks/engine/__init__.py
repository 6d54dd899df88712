"""Compiled programs with their gradients, beside the peers: `python -m benchmarks engine`."""
