"""The names of `tf.signal`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.signal", __all__)
