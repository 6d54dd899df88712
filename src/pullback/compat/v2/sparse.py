"""The names of `tf.sparse`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.sparse", __all__)
