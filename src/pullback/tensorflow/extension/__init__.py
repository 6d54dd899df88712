"""Classes of values that programs make of tensors: extension types, their specs, and how they are batched."""
