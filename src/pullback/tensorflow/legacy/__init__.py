"""Functions that TensorFlow 1 has with another signature than TensorFlow 2, or alone, by family."""
