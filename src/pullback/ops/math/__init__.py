"""Element by element: arithmetic, comparison, dtypes, bits, complex numbers."""
