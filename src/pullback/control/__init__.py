"""Ops that hold whole functions: calls, branches, loops, gradients of one's own; their gradient IS differentiation."""
