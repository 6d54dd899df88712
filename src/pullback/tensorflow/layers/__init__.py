"""`tf.layers` of TensorFlow 1."""
