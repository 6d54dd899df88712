"""The names of `tf.sets`."""

from ...interop.names import missing as _missing
from ...ops.sets import set_difference as difference
from ...ops.sets import set_intersection as intersection
from ...ops.sets import set_size as size
from ...ops.sets import set_union as union

__all__ = [
    "difference",
    "intersection",
    "size",
    "union",
]

__getattr__ = _missing("tf.sets", __all__)
