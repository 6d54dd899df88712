"""The names of `tf.keras.metrics`, those of `tf.metrics`."""

from ....interop.names import missing as _missing
from ..metrics import *  # noqa: F403  # the same names in both namespaces
from ..metrics import __all__

__getattr__ = _missing("tf.keras.metrics", __all__)
