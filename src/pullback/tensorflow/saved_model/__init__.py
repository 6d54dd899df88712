"""`tf.saved_model`: objects with their variables and traced functions, in files that need no Python of the program to be loaded."""
