"""Losses that TensorFlow has beside `tf.nn`."""
