"""The names of `pullback.compat.v1.examples.tutorials`, written by docs/make_exports.py."""

from pullback.compat.v1.examples.tutorials import mnist as mnist

__all__ = [
    "mnist",
]
