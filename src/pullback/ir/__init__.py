"""Tensors, ops, nodes, dispatch between them, and graphs: all that is recorded."""
