"""Optimizers, learning rates and checkpoints."""
