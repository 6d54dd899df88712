"""Pullback held against TensorFlow itself: `python -m tests.against`, in an environment that has both."""
