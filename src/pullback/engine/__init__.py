"""The native engine: one graph becomes one native program, by way of LLVM."""
