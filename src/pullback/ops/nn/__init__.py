"""Neural networks: activations, normalisation, softmax, biases."""
