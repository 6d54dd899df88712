"""The names of `tf.compat.v1.signal`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf1.signal", __all__)
