"""The names of `tf.io`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.image_coding import decode_and_crop_jpeg as decode_and_crop_jpeg
    from ....nn.image_coding import decode_bmp as decode_bmp
    from ....nn.image_coding import decode_gif as decode_gif
    from ....nn.image_coding import decode_image as decode_image
    from ....nn.image_coding import decode_jpeg as decode_jpeg
    from ....nn.image_coding import decode_jxl as decode_jxl
    from ....nn.image_coding import decode_png as decode_png
    from ....nn.image_coding import decode_webp as decode_webp
    from ....nn.image_coding import encode_jpeg as encode_jpeg
    from ....nn.image_coding import encode_png as encode_png
    from ....nn.image_coding import extract_jpeg_shape as extract_jpeg_shape
    from ....nn.image_coding import is_jpeg as is_jpeg
    from ....ops.files import read_file as read_file
    from ....ops.files import write_file as write_file
    from ....ops.string.base64 import decode_base64 as decode_base64
    from ....ops.string.base64 import encode_base64 as encode_base64
    from ....ops.string.bytes import decode_raw as decode_raw
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
