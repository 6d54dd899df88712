"""Each kernel at a million elements, eagerly, against TensorFlow's: `python -m benchmarks.kernels`."""
