"""Metrics: numbers over all batches seen so far."""
