"""TensorFlow 1's monitored sessions: a session that hooks watch, which starts from the last checkpoint and says when to stop."""
