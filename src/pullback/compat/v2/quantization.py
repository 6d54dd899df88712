"""The names of `tf.quantization`."""

from ...interop.names import missing as _missing

__all__: list[str] = []

__getattr__ = _missing("tf.quantization", __all__)
