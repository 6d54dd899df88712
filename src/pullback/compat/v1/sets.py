"""The names of `tf.compat.v1.sets`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.sets import set_difference, set_intersection, set_size, set_union
    from ...ops.sets import set_difference as difference
    from ...ops.sets import set_intersection as intersection
    from ...ops.sets import set_size as size
    from ...ops.sets import set_union as union

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

__getattr__ = _missing("tf1.sets", __all__, __name__)
