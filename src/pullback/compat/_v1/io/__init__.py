"""The names of `tf.compat.v1.io`."""

from typing import TYPE_CHECKING

from ....interop.names import missing as _missing
from . import gfile

if TYPE_CHECKING:  # these load when first asked for
    from ....compat.legacy.strings import decode_raw as decode_raw
    from ....ops.string_bytes import decode_base64 as decode_base64
    from ....ops.string_bytes import encode_base64 as encode_base64

__all__ = [
    "decode_base64",
    "decode_raw",
    "encode_base64",
    "gfile",
]

__getattr__ = _missing("tf1.io", __all__, __name__)
