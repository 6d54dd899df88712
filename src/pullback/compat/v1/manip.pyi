"""The names of `pullback.compat.v1.manip`, written by docs/make_exports.py."""

from pullback.ops.array.basic import reshape as reshape
from pullback.ops.array.blocks import space_to_batch_nd as space_to_batch_nd
from pullback.ops.array.gather_nd import scatter_nd as scatter_nd
from pullback.ops.array.order import reverse as reverse
from pullback.ops.array.order import roll as roll
from pullback.ops.array.tile import tile as tile
from pullback.tensorflow.legacy.array import batch_to_space_nd as batch_to_space_nd
from pullback.tensorflow.legacy.array import gather_nd as gather_nd

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
