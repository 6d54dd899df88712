"""The names of `tf.compat.v1.autograph.experimental`."""

from ....compile.autograph import do_not_convert, set_loop_options
from ....interop.names import missing as _missing

__all__ = [
    "do_not_convert",
    "set_loop_options",
]

__getattr__ = _missing("tf1.autograph.experimental", __all__)
