"""The names of `tf.compat.v1.math.special`, the same in both versions."""

from ...interop.names import missing as _missing
from ..v2.special import *  # noqa: F403  # the same names in both namespaces
from ..v2.special import __all__

__getattr__ = _missing("tf1.math.special", __all__)
