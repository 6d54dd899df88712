"""The names of `tf.metrics`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.metrics", __all__)
