"""Summaries and graphs as TensorBoard reads them."""
