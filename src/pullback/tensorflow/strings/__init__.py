"""Strings of bytes and of characters."""
