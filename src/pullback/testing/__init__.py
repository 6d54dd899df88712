"""Checks of gradients: `check_gradients`, and TensorFlow's `compute_gradient` of both versions."""
