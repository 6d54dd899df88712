"""Structures of one schema as one value: `StructuredTensor`."""
