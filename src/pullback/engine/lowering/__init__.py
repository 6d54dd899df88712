"""What a native program does, before anything is code: forms, kernels, steps, their fusion and their memory."""
