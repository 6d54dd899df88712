"""Programs whose gradient is None, zero, no number or a sum, each with what `pullback.why` must say of it."""
