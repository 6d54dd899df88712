"""The names of `pullback.compat.v1.manip`, written by docs/make_exports.py."""

from pullback.ops.array.basic import reshape
from pullback.ops.array.blocks import space_to_batch_nd
from pullback.ops.array.gather_nd import scatter_nd
from pullback.ops.array.join import tile
from pullback.ops.array.order import reverse
from pullback.ops.array.order import roll
from pullback.tensorflow.legacy.array import batch_to_space_nd
from pullback.tensorflow.legacy.array import gather_nd

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
