"""`tf.io.gfile` and `tf.gfile`."""
