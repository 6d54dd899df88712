"""Running programs written for TensorFlow: its module names, what its programs lean on, and event files."""
