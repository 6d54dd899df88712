"""The names of `tf.compat.v1.manip`."""

from ...compat.legacy.array import batch_to_space_nd, gather_nd
from ...interop.names import missing as _missing
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

__getattr__ = _missing("tf1.manip", __all__)
