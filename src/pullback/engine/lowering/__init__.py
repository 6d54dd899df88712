"""What a native program does, before anything is code: expressions, kernels, steps, their fusion and their memory."""
