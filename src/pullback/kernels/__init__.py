"""Kernels' ways around NumPy: blocked loops, products, LAPACK, threads, memory, strings; below everything that knows of operations."""
