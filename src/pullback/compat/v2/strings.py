"""The names of `tf.strings`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.strings", __all__)
