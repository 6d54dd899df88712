"""TensorFlow 1's input pipelines: readers, and queues that threads fill with names, examples and batches."""
