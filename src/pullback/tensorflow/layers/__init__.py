"""`tf.layers` and `tf.contrib.layers` of TensorFlow 1."""
