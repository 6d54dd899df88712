"""Sparse tensors: indices and values."""
