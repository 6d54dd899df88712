"""Lists of tensors, as loops and tensor arrays keep them."""
