"""The names of `tf.losses`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.losses", __all__)
