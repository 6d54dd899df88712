"""The names of `tf.image`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.image", __all__)
