"""The names of `tf.compat.v1.manip`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...compat.legacy.array import batch_to_space_nd, gather_nd
    from ...ops.array.basic import reshape
    from ...ops.array.blocks import space_to_batch_nd
    from ...ops.array.gather import scatter_nd
    from ...ops.array.join import tile
    from ...ops.array.order import reverse, roll

__all__ = [
    "batch_to_space_nd",
    "gather_nd",
    "reshape",
    "reverse",
    "roll",
    "scatter_nd",
    "space_to_batch_nd",
    "tile",
]

__getattr__ = _missing("tf1.manip", __all__, __name__)
