"""Queues and accumulators: what threads that train together hand on to each other."""
