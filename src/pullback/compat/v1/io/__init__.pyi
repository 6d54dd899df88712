"""The names of `pullback.compat.v1.io`, written by docs/make_exports.py."""

from pullback.compat.legacy.strings import decode_raw
from pullback.compat.v1.io import gfile
from pullback.datasets.features import FixedLenFeature
from pullback.datasets.features import FixedLenSequenceFeature
from pullback.datasets.features import RaggedFeature
from pullback.datasets.features import SparseFeature
from pullback.datasets.features import VarLenFeature
from pullback.datasets.parsing import parse_example_v1 as parse_example
from pullback.datasets.parsing import parse_sequence_example
from pullback.datasets.parsing import parse_single_example_v1 as parse_single_example
from pullback.datasets.parsing import parse_single_sequence_example
from pullback.datasets.records import TFRecordOptions
from pullback.datasets.records import TFRecordWriter
from pullback.datasets.records import tf_record_iterator
from pullback.nn.image_coding import decode_and_crop_jpeg
from pullback.nn.image_coding import decode_bmp
from pullback.nn.image_coding import decode_gif
from pullback.nn.image_coding import decode_image
from pullback.nn.image_coding import decode_jpeg
from pullback.nn.image_coding import decode_jxl
from pullback.nn.image_coding import decode_png
from pullback.nn.image_coding import decode_webp
from pullback.nn.image_coding import encode_jpeg
from pullback.nn.image_coding import encode_png
from pullback.nn.image_coding import extract_jpeg_shape
from pullback.nn.image_coding import is_jpeg
from pullback.ops.files import read_file
from pullback.ops.files import write_file
from pullback.ops.string.base64 import decode_base64
from pullback.ops.string.base64 import encode_base64

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
    "tf_record_iterator",
    "write_file",
]
