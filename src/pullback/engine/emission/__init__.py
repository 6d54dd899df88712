"""Loops and calls as LLVM code: kernels, products, convolutions, scans, scatters, segments of programs."""
