"""The names of `pullback.compat.v1.examples.tutorials.mnist`, written by docs/make_exports.py."""

from pullback.compat.v1.examples.tutorials.mnist import input_data as input_data

__all__ = [
    "input_data",
]
