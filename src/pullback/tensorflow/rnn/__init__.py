"""Recurrent layers and cells as operations."""
