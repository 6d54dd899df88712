"""Values in registers, and mathematical functions of vectors of floats as LLVM code."""
