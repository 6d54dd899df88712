"""Rows reduced by the segment each belongs to."""
