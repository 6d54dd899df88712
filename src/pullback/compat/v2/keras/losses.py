"""The names of `tf.keras.losses`, those of `tf.losses`."""

from ....interop.names import missing as _missing
from ..losses import *  # noqa: F403  # the same names in both namespaces
from ..losses import __all__

__getattr__ = _missing("tf.keras.losses", __all__)
