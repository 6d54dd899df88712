"""The names of `tf.sets`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
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

__getattr__ = _missing("tf.sets", __all__, __name__)
