"""The names of `tf.ragged`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.ragged", __all__)
