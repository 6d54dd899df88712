"""The names of `tf.compat.v1.random.experimental`."""

from ....interop.names import missing as _missing
from ....ops.random_stateless_draws import fold_in as stateless_fold_in
from ....ops.random_stateless_draws import split as stateless_split
from ....ops.random_stateless_draws import stateless_shuffle

__all__ = [
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]

__getattr__ = _missing("tf1.random.experimental", __all__)
