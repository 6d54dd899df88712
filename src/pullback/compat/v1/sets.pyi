"""The names of `pullback.compat.v1.sets`, written by docs/make_exports.py."""

from pullback.ops.sets import set_difference as difference
from pullback.ops.sets import set_difference as set_difference
from pullback.ops.sets import set_intersection as intersection
from pullback.ops.sets import set_intersection as set_intersection
from pullback.ops.sets import set_size as set_size
from pullback.ops.sets import set_size as size
from pullback.ops.sets import set_union as set_union
from pullback.ops.sets import set_union as union

__all__ = [
    "difference",
    "intersection",
    "set_difference",
    "set_intersection",
    "set_size",
    "set_union",
    "size",
    "union",
]
