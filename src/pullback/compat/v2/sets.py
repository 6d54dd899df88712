"""The names of `tf.sets`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.sets", __all__)
