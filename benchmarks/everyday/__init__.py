"""Small programs as people write them, each with its gradient, beside TensorFlow's graphs and XLA: `python -m benchmarks everyday`."""
