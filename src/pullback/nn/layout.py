"""The order of an image's dimensions, as functions of `tf.nn` are given it."""

from __future__ import annotations

from typing import Any


def layout_of(data_format: Any, default: str) -> str:
    """The order of dimensions that is given, the default for None; an AttributeError for what is no word, as TensorFlow's."""
    if data_format is None:
        return default
    if not isinstance(data_format, str):
        kind = type(data_format).__name__
        raise AttributeError(f"'{kind}' object has no attribute 'startswith': data_format is a word, not {data_format!r}")
    return data_format or default
