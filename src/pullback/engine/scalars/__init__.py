"""Casts, and scalar functions of every dtype, as LLVM instructions."""
