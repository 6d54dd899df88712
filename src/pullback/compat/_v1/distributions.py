"""The names of `tf.compat.v1.distributions`."""

from ...interop.distributions import Normal, kl_divergence
from ...interop.names import missing as _missing

__all__ = [
    "Normal",
    "kl_divergence",
]

__getattr__ = _missing("tf1.distributions", __all__)
