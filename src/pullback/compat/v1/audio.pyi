"""The names of `pullback.compat.v1.audio`, written by docs/make_exports.py."""

from pullback.tensorflow.audio import decode_wav as decode_wav
from pullback.tensorflow.audio import encode_wav as encode_wav

__all__ = [
    "decode_wav",
    "encode_wav",
]
