"""The names of `tf.io`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.image_coding import (
        decode_and_crop_jpeg,
        decode_bmp,
        decode_gif,
        decode_image,
        decode_jpeg,
        decode_jxl,
        decode_png,
        decode_webp,
        encode_jpeg,
        encode_png,
        extract_jpeg_shape,
        is_jpeg,
    )
    from ....ops.files import read_file, write_file
    from ....ops.string.base64 import decode_base64, encode_base64
    from ....ops.string.bytes import decode_raw
    from . import gfile

__all__ = [
    "decode_and_crop_jpeg",
    "decode_base64",
    "decode_bmp",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_jxl",
    "decode_png",
    "decode_raw",
    "decode_webp",
    "encode_base64",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "gfile",
    "is_jpeg",
    "read_file",
    "write_file",
]

__getattr__ = _missing("tf.io", __all__, __name__)
