"""What programs used of TensorFlow 1's `tf.contrib`, loaded when it is touched."""
