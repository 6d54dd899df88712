"""The names of `pullback.compat.v1.examples`, written by docs/make_exports.py."""

from pullback.compat.v1.examples import tutorials as tutorials

__all__ = [
    "tutorials",
]
