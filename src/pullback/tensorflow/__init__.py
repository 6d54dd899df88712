"""The rest of TensorFlow's surface, loaded when first asked for.  The heart imports nothing of it."""
