"""Products, factors, solutions and functions of matrices."""
