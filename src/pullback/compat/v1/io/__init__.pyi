"""The names of `pullback.compat.v1.io`, written by docs/make_exports.py."""

from pullback.compat.v1.io import gfile as gfile
from pullback.ops.files import read_file as read_file
from pullback.ops.files import write_file as write_file
from pullback.tensorflow.datasets.features import FixedLenFeature as FixedLenFeature
from pullback.tensorflow.datasets.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from pullback.tensorflow.datasets.features import RaggedFeature as RaggedFeature
from pullback.tensorflow.datasets.features import SparseFeature as SparseFeature
from pullback.tensorflow.datasets.features import VarLenFeature as VarLenFeature
from pullback.tensorflow.datasets.parsing import parse_example_v1 as parse_example
from pullback.tensorflow.datasets.parsing import parse_sequence_example as parse_sequence_example
from pullback.tensorflow.datasets.parsing import parse_single_example_v1 as parse_single_example
from pullback.tensorflow.datasets.parsing import parse_single_sequence_example as parse_single_sequence_example
from pullback.tensorflow.datasets.records import TFRecordOptions as TFRecordOptions
from pullback.tensorflow.datasets.records import TFRecordWriter as TFRecordWriter
from pullback.tensorflow.datasets.records import tf_record_iterator as tf_record_iterator
from pullback.tensorflow.files.tensor_messages import parse_tensor as parse_tensor
from pullback.tensorflow.files.tensor_messages import serialize_tensor as serialize_tensor
from pullback.tensorflow.images.coding import decode_and_crop_jpeg as decode_and_crop_jpeg
from pullback.tensorflow.images.coding import decode_bmp as decode_bmp
from pullback.tensorflow.images.coding import decode_gif as decode_gif
from pullback.tensorflow.images.coding import decode_image as decode_image
from pullback.tensorflow.images.coding import decode_jpeg as decode_jpeg
from pullback.tensorflow.images.coding import decode_jxl as decode_jxl
from pullback.tensorflow.images.coding import decode_png as decode_png
from pullback.tensorflow.images.coding import decode_webp as decode_webp
from pullback.tensorflow.images.coding import encode_jpeg as encode_jpeg
from pullback.tensorflow.images.coding import encode_png as encode_png
from pullback.tensorflow.images.coding import extract_jpeg_shape as extract_jpeg_shape
from pullback.tensorflow.images.coding import is_jpeg as is_jpeg
from pullback.tensorflow.legacy.strings import decode_raw as decode_raw
from pullback.tensorflow.meta_graphs.graph_files import write_graph as write_graph
from pullback.tensorflow.pipelines.producers import match_filenames_once as match_filenames_once
from pullback.tensorflow.pipelines.producers import matching_files as matching_files
from pullback.tensorflow.strings.base64 import decode_base64 as decode_base64
from pullback.tensorflow.strings.base64 import encode_base64 as encode_base64
from pullback.tensorflow.strings.csv import decode_csv_v1 as decode_csv

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
    "decode_csv",
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
    "match_filenames_once",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_tensor",
    "tf_record_iterator",
    "write_file",
    "write_graph",
]
