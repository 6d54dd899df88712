"""Tensors, ops, nodes, the door between them, and graphs: all that is recorded."""
