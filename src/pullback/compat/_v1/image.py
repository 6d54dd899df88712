"""The names of `tf.compat.v1.image`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf1.image", __all__)
