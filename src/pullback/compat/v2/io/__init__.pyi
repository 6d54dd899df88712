"""The names of `pullback.compat.v2.io`, written by docs/make_exports.py."""

from pullback.compat.v2.io import gfile
from pullback.ops.files import read_file
from pullback.ops.files import write_file
from pullback.tensorflow.datasets.features import FixedLenFeature
from pullback.tensorflow.datasets.features import FixedLenSequenceFeature
from pullback.tensorflow.datasets.features import RaggedFeature
from pullback.tensorflow.datasets.features import SparseFeature
from pullback.tensorflow.datasets.features import VarLenFeature
from pullback.tensorflow.datasets.parsing import parse_example
from pullback.tensorflow.datasets.parsing import parse_sequence_example
from pullback.tensorflow.datasets.parsing import parse_single_example
from pullback.tensorflow.datasets.parsing import parse_single_sequence_example
from pullback.tensorflow.datasets.records import TFRecordOptions
from pullback.tensorflow.datasets.records import TFRecordWriter
from pullback.tensorflow.images.coding import decode_and_crop_jpeg
from pullback.tensorflow.images.coding import decode_bmp
from pullback.tensorflow.images.coding import decode_gif
from pullback.tensorflow.images.coding import decode_image
from pullback.tensorflow.images.coding import decode_jpeg
from pullback.tensorflow.images.coding import decode_jxl
from pullback.tensorflow.images.coding import decode_png
from pullback.tensorflow.images.coding import decode_webp
from pullback.tensorflow.images.coding import encode_jpeg
from pullback.tensorflow.images.coding import encode_png
from pullback.tensorflow.images.coding import extract_jpeg_shape
from pullback.tensorflow.images.coding import is_jpeg
from pullback.tensorflow.strings.base64 import decode_base64
from pullback.tensorflow.strings.base64 import encode_base64
from pullback.tensorflow.strings.bytes import decode_raw

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "RaggedFeature",
    "SparseFeature",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
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
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "read_file",
    "write_file",
]
