"""Batching rules: how operations meet a leading axis of rows."""
