"""Tensors made, shaped, sliced, joined and indexed."""
