"""The names of `pullback.compat.v2`, written by docs/make_exports.py."""

from pullback import compat as compat
from pullback.api.endpoints import AggregationMethod as AggregationMethod
from pullback.api.endpoints import UnconnectedGradients as UnconnectedGradients
from pullback.api.gradients import gradients as gradients
from pullback.api.hessians import hessians as hessians
from pullback.api.initializers import Ones as ones_initializer
from pullback.api.initializers import Zeros as zeros_initializer
from pullback.api.names import control_dependencies as control_dependencies
from pullback.api.names import device as device
from pullback.api.names import get_current_name_scope as get_current_name_scope
from pullback.api.names import init_scope as init_scope
from pullback.api.names import name_scope as name_scope
from pullback.api.parallel_for import vectorized_map as vectorized_map
from pullback.api.recompute import recompute_grad as recompute_grad
from pullback.api.tape import GradientTape as GradientTape
from pullback.api.trace_state import inside_function as inside_function
from pullback.api.trace_state import is_symbolic_tensor as is_symbolic_tensor
from pullback.api.variable import Variable as Variable
from pullback.api.variable_creators import VariableAggregation as VariableAggregation
from pullback.api.variable_creators import VariableSynchronization as VariableSynchronization
from pullback.api.variable_creators import variable_creator_scope as variable_creator_scope
from pullback.base.device_spec import DeviceSpec as DeviceSpec
from pullback.base.dtypes import DType as DType
from pullback.base.dtypes import as_dtype as as_dtype
from pullback.base.dtypes import bfloat16 as bfloat16
from pullback.base.dtypes import bool as bool
from pullback.base.dtypes import complex128 as complex128
from pullback.base.dtypes import complex64 as complex64
from pullback.base.dtypes import float16 as float16
from pullback.base.dtypes import float16 as half
from pullback.base.dtypes import float32 as float32
from pullback.base.dtypes import float64 as double
from pullback.base.dtypes import float64 as float64
from pullback.base.dtypes import int16 as int16
from pullback.base.dtypes import int32 as int32
from pullback.base.dtypes import int64 as int64
from pullback.base.dtypes import int8 as int8
from pullback.base.dtypes import qint16 as qint16
from pullback.base.dtypes import qint32 as qint32
from pullback.base.dtypes import qint8 as qint8
from pullback.base.dtypes import quint16 as quint16
from pullback.base.dtypes import quint8 as quint8
from pullback.base.dtypes import resource as resource
from pullback.base.dtypes import string as string
from pullback.base.dtypes import uint16 as uint16
from pullback.base.dtypes import uint32 as uint32
from pullback.base.dtypes import uint64 as uint64
from pullback.base.dtypes import uint8 as uint8
from pullback.base.dtypes import variant as variant
from pullback.base.shapes import TensorShape as TensorShape
from pullback.compat.v2 import audio as audio
from pullback.compat.v2 import autodiff as autodiff
from pullback.compat.v2 import autograph as autograph
from pullback.compat.v2 import bitwise as bitwise
from pullback.compat.v2 import config as config
from pullback.compat.v2 import data as data
from pullback.compat.v2 import debugging as debugging
from pullback.compat.v2 import distribute as distribute
from pullback.compat.v2 import dtypes as dtypes
from pullback.compat.v2 import errors as errors
from pullback.compat.v2 import experimental as experimental
from pullback.compat.v2 import image as image
from pullback.compat.v2 import io as io
from pullback.compat.v2 import linalg as linalg
from pullback.compat.v2 import lookup as lookup
from pullback.compat.v2 import math as math
from pullback.compat.v2 import nest as nest
from pullback.compat.v2 import nn as nn
from pullback.compat.v2 import profiler as profiler
from pullback.compat.v2 import quantization as quantization
from pullback.compat.v2 import queue as queue
from pullback.compat.v2 import ragged as ragged
from pullback.compat.v2 import random as random
from pullback.compat.v2 import saved_model as saved_model
from pullback.compat.v2 import sets as sets
from pullback.compat.v2 import signal as signal
from pullback.compat.v2 import sparse as sparse
from pullback.compat.v2 import strings as strings
from pullback.compat.v2 import summary as summary
from pullback.compat.v2 import sysconfig as sysconfig
from pullback.compat.v2 import test as test
from pullback.compat.v2 import train as train
from pullback.compat.v2 import types as types
from pullback.compat.v2 import version as version
from pullback.compat.v2 import xla as xla
from pullback.control.cond import case as case
from pullback.control.cond import cond as cond
from pullback.control.cond import switch_case as switch_case
from pullback.control.custom import custom_gradient as custom_gradient
from pullback.control.custom import grad_pass_through as grad_pass_through
from pullback.control.functional import foldl as foldl
from pullback.control.functional import foldr as foldr
from pullback.control.functional import map_fn as map_fn
from pullback.control.functional import scan as scan
from pullback.control.py_function import py_function as py_function
from pullback.control.tensor_array import TensorArray as TensorArray
from pullback.control.tensor_array import TensorArraySpec as TensorArraySpec
from pullback.control.while_loop import while_loop as while_loop
from pullback.interop.keras import initializers as initializers
from pullback.interop.keras import keras as keras
from pullback.interop.keras import losses as losses
from pullback.interop.keras import metrics as metrics
from pullback.interop.keras import optimizers as optimizers
from pullback.ir.apply import convert_to_tensor as convert_to_tensor
from pullback.ir.context import executing_eagerly as executing_eagerly
from pullback.ir.conversions import register_tensor_conversion_function as register_tensor_conversion_function
from pullback.ir.graph import Graph as Graph
from pullback.ir.indexed_slices import IndexedSlices as IndexedSlices
from pullback.ir.node import Node as Operation
from pullback.ir.tensor import Tensor as Tensor
from pullback.ir.type_spec import TypeSpec as TypeSpec
from pullback.ir.type_spec import type_spec_from_value as type_spec_from_value
from pullback.nn.convolution_any import conv as conv
from pullback.nn.initializers_v2 import ConstantV2 as constant_initializer
from pullback.nn.initializers_v2 import RandomNormalV2 as random_normal_initializer
from pullback.nn.initializers_v2 import RandomUniformV2 as random_uniform_initializer
from pullback.ops.aliases.math import parallel_stack as parallel_stack
from pullback.ops.array.basic import broadcast_to as broadcast_to
from pullback.ops.array.basic import fill as fill
from pullback.ops.array.basic import identity as identity
from pullback.ops.array.basic import reshape as reshape
from pullback.ops.array.basic import shape as shape
from pullback.ops.array.blocks import batch_to_space as batch_to_space
from pullback.ops.array.blocks import required_space_to_batch_paddings as required_space_to_batch_paddings
from pullback.ops.array.blocks import space_to_batch as space_to_batch
from pullback.ops.array.blocks import space_to_batch_nd as space_to_batch_nd
from pullback.ops.array.conversion import get_static_value as get_static_value
from pullback.ops.array.create import one_hot as one_hot
from pullback.ops.array.create import ones as ones
from pullback.ops.array.create import ones_like as ones_like
from pullback.ops.array.create import range as range
from pullback.ops.array.create import zeros as zeros
from pullback.ops.array.create import zeros_like as zeros_like
from pullback.ops.array.eye import eye as eye
from pullback.ops.array.gather import gather as gather
from pullback.ops.array.gather_nd import gather_nd as gather_nd
from pullback.ops.array.gather_nd import scatter_nd as scatter_nd
from pullback.ops.array.identity import bitcast as bitcast
from pullback.ops.array.identity import guarantee_const as guarantee_const
from pullback.ops.array.identity import identity_n as identity_n
from pullback.ops.array.identity import stop_gradient as stop_gradient
from pullback.ops.array.join import concat as concat
from pullback.ops.array.join import split as split
from pullback.ops.array.join import stack as stack
from pullback.ops.array.join import unstack as unstack
from pullback.ops.array.order import reverse as reverse
from pullback.ops.array.order import reverse_sequence as reverse_sequence
from pullback.ops.array.order import roll as roll
from pullback.ops.array.pad import pad as pad
from pullback.ops.array.scatter import tensor_scatter_nd_add as tensor_scatter_nd_add
from pullback.ops.array.scatter import tensor_scatter_nd_max as tensor_scatter_nd_max
from pullback.ops.array.scatter import tensor_scatter_nd_min as tensor_scatter_nd_min
from pullback.ops.array.scatter import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from pullback.ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from pullback.ops.array.shape import broadcast_dynamic_shape as broadcast_dynamic_shape
from pullback.ops.array.shape import broadcast_static_shape as broadcast_static_shape
from pullback.ops.array.shape import ensure_shape as ensure_shape
from pullback.ops.array.shape import expand_dims as expand_dims
from pullback.ops.array.shape import rank as rank
from pullback.ops.array.shape import shape_n as shape_n
from pullback.ops.array.shape import size as size
from pullback.ops.array.shape import squeeze as squeeze
from pullback.ops.array.slice import slice as slice
from pullback.ops.array.strided_slice import strided_slice as strided_slice
from pullback.ops.array.tile import tile as tile
from pullback.ops.array.transpose import transpose as transpose
from pullback.ops.array.where import where as where
from pullback.ops.constant import TensorSpec as TensorSpec
from pullback.ops.constant import constant as constant
from pullback.ops.constant import is_tensor as is_tensor
from pullback.ops.effects.asserts import assert_equal as assert_equal
from pullback.ops.effects.asserts import assert_greater as assert_greater
from pullback.ops.effects.asserts import assert_less as assert_less
from pullback.ops.effects.debugging import timestamp as timestamp
from pullback.ops.effects.operations import Assert as Assert
from pullback.ops.effects.operations import group as group
from pullback.ops.effects.operations import no_op as no_op
from pullback.ops.effects.operations import print as print
from pullback.ops.effects.operations import tuple_ as tuple
from pullback.ops.effects.py_func import numpy_function as numpy_function
from pullback.ops.effects.shapes import assert_rank as assert_rank
from pullback.ops.indexing.index import newaxis as newaxis
from pullback.ops.indexing.mask import boolean_mask as boolean_mask
from pullback.ops.linalg.eig import eig as eig
from pullback.ops.linalg.eig import eigvals as eigvals
from pullback.ops.linalg.einsum import einsum as einsum
from pullback.ops.linalg.functions import sqrtm as matrix_square_root
from pullback.ops.linalg.norms import norm as norm
from pullback.ops.linalg.products import matmul as matmul
from pullback.ops.linalg.products import tensordot as tensordot
from pullback.ops.math.arithmetic import add as add
from pullback.ops.math.arithmetic import atan2 as atan2
from pullback.ops.math.arithmetic import floor as floor
from pullback.ops.math.arithmetic import maximum as maximum
from pullback.ops.math.arithmetic import minimum as minimum
from pullback.ops.math.arithmetic import multiply as multiply
from pullback.ops.math.arithmetic import negative as negative
from pullback.ops.math.arithmetic import round as round
from pullback.ops.math.arithmetic import square as square
from pullback.ops.math.arithmetic import subtract as subtract
from pullback.ops.math.complex import complex as complex
from pullback.ops.math.division import divide as divide
from pullback.ops.math.division import realdiv as realdiv
from pullback.ops.math.division import truediv as truediv
from pullback.ops.math.division import truncatediv as truncatediv
from pullback.ops.math.division import truncatemod as truncatemod
from pullback.ops.math.functions import exp as exp
from pullback.ops.math.functions import sigmoid as sigmoid
from pullback.ops.math.functions import sqrt as sqrt
from pullback.ops.math.functions import tanh as tanh
from pullback.ops.math.magnitude import abs as abs
from pullback.ops.math.magnitude import sign as sign
from pullback.ops.math.power import pow as pow
from pullback.ops.math.saturate import clip_by_value as clip_by_value
from pullback.ops.math.saturate import saturate_cast as saturate_cast
from pullback.ops.math.sums import add_n as add_n
from pullback.ops.math.sums import scalar_mul as scalar_mul
from pullback.ops.math.trigonometric import acos as acos
from pullback.ops.math.trigonometric import acosh as acosh
from pullback.ops.math.trigonometric import asin as asin
from pullback.ops.math.trigonometric import asinh as asinh
from pullback.ops.math.trigonometric import atan as atan
from pullback.ops.math.trigonometric import atanh as atanh
from pullback.ops.math.trigonometric import cos as cos
from pullback.ops.math.trigonometric import cosh as cosh
from pullback.ops.math.trigonometric import sin as sin
from pullback.ops.math.trigonometric import sinh as sinh
from pullback.ops.math.trigonometric import tan as tan
from pullback.ops.nn.clip import clip_by_global_norm as clip_by_global_norm
from pullback.ops.nn.clip import clip_by_norm as clip_by_norm
from pullback.ops.primitives.cast import cast as cast
from pullback.ops.primitives.compare import equal as equal
from pullback.ops.primitives.compare import greater as greater
from pullback.ops.primitives.compare import greater_equal as greater_equal
from pullback.ops.primitives.compare import less as less
from pullback.ops.primitives.compare import less_equal as less_equal
from pullback.ops.primitives.compare import logical_and as logical_and
from pullback.ops.primitives.compare import logical_not as logical_not
from pullback.ops.primitives.compare import logical_or as logical_or
from pullback.ops.primitives.compare import not_equal as not_equal
from pullback.ops.random.index_shuffle import random_index_shuffle as random_index_shuffle
from pullback.ops.reduce.composed import reduce_logsumexp as reduce_logsumexp
from pullback.ops.reduce.reductions import reduce_all as reduce_all
from pullback.ops.reduce.reductions import reduce_any as reduce_any
from pullback.ops.reduce.reductions import reduce_max as reduce_max
from pullback.ops.reduce.reductions import reduce_mean as reduce_mean
from pullback.ops.reduce.reductions import reduce_min as reduce_min
from pullback.ops.reduce.reductions import reduce_prod as reduce_prod
from pullback.ops.reduce.reductions import reduce_sum as reduce_sum
from pullback.ops.reduce.scan import cumsum as cumsum
from pullback.ops.search.composed import linspace as linspace
from pullback.ops.search.composed import meshgrid as meshgrid
from pullback.ops.search.composed import repeat as repeat
from pullback.ops.search.composed import sequence_mask as sequence_mask
from pullback.ops.search.counting import histogram_fixed_width as histogram_fixed_width
from pullback.ops.search.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from pullback.ops.search.partition import dynamic_partition as dynamic_partition
from pullback.ops.search.partition import dynamic_stitch as dynamic_stitch
from pullback.ops.search.search import searchsorted as searchsorted
from pullback.ops.search.search import unique as unique
from pullback.ops.search.search import unique_with_counts as unique_with_counts
from pullback.ops.search.search import unravel_index as unravel_index
from pullback.ops.search.sort import argmax as argmax
from pullback.ops.search.sort import argmin as argmin
from pullback.ops.search.sort import argsort as argsort
from pullback.ops.search.sort import sort as sort
from pullback.ops.search.sort_approximate import approx_top_k as approx_top_k
from pullback.ops.signal.fft_raw import fftnd as fftnd
from pullback.ops.signal.fft_raw import ifftnd as ifftnd
from pullback.ops.signal.fft_raw import irfftnd as irfftnd
from pullback.ops.signal.fft_raw import rfftnd as rfftnd
from pullback.ops.sparse.classes import SparseTensor as SparseTensor
from pullback.ops.sparse.classes import SparseTensorSpec as SparseTensorSpec
from pullback.ops.type_specs import IndexedSlicesSpec as IndexedSlicesSpec
from pullback.ops.type_specs import NoneTensorSpec as NoneTensorSpec
from pullback.ops.windows.conv_backprop_v2 import conv2d_backprop_filter_v2 as conv2d_backprop_filter_v2
from pullback.ops.windows.conv_backprop_v2 import conv2d_backprop_input_v2 as conv2d_backprop_input_v2
from pullback.ops.windows.patches import extract_volume_patches as extract_volume_patches
from pullback.tensorflow.datasets.optional import OptionalSpec as OptionalSpec
from pullback.tensorflow.files.tensor_messages import make_ndarray as make_ndarray
from pullback.tensorflow.files.tensor_messages import make_tensor_proto as make_tensor_proto
from pullback.tensorflow.logging import get_logger as get_logger
from pullback.tensorflow.ragged.classes import RaggedTensor as RaggedTensor
from pullback.tensorflow.ragged.classes import RaggedTensorSpec as RaggedTensorSpec
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows as ragged_fill_empty_rows
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows_grad as ragged_fill_empty_rows_grad
from pullback.tensorflow.raw_ops import operations as raw_ops
from pullback.tensorflow.strings.distance import edit_distance as edit_distance
from pullback.tensorflow.strings.hash import fingerprint as fingerprint
from pullback.tensorflow.strings.numbers import as_string as as_string
from pullback.trace.function import function as function
from pullback.train.module import Module as Module
from pullback.transforms.registry import RegisterGradient as RegisterGradient
from pullback.transforms.registry import not_differentiable as no_gradient

__all__ = [
    "AggregationMethod",
    "Assert",
    "DType",
    "DeviceSpec",
    "GradientTape",
    "Graph",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "Module",
    "NoneTensorSpec",
    "Operation",
    "OptionalSpec",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RegisterGradient",
    "SparseTensor",
    "SparseTensorSpec",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "approx_top_k",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "atan",
    "atan2",
    "atanh",
    "audio",
    "autodiff",
    "autograph",
    "batch_to_space",
    "bfloat16",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "compat",
    "complex",
    "complex128",
    "complex64",
    "concat",
    "cond",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "conv",
    "conv2d_backprop_filter_v2",
    "conv2d_backprop_input_v2",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "data",
    "debugging",
    "device",
    "distribute",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "edit_distance",
    "eig",
    "eigvals",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "experimental",
    "extract_volume_patches",
    "eye",
    "fftnd",
    "fill",
    "fingerprint",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_current_name_scope",
    "get_logger",
    "get_static_value",
    "grad_pass_through",
    "gradients",
    "greater",
    "greater_equal",
    "group",
    "guarantee_const",
    "half",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "ifftnd",
    "image",
    "init_scope",
    "initializers",
    "inside_function",
    "int16",
    "int32",
    "int64",
    "int8",
    "io",
    "irfftnd",
    "is_symbolic_tensor",
    "is_tensor",
    "keras",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "lookup",
    "losses",
    "make_ndarray",
    "make_tensor_proto",
    "map_fn",
    "math",
    "matmul",
    "matrix_square_root",
    "maximum",
    "meshgrid",
    "metrics",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_gradient",
    "no_op",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "optimizers",
    "pad",
    "parallel_stack",
    "pow",
    "print",
    "profiler",
    "py_function",
    "qint16",
    "qint32",
    "qint8",
    "quantization",
    "queue",
    "quint16",
    "quint8",
    "ragged",
    "ragged_fill_empty_rows",
    "ragged_fill_empty_rows_grad",
    "random",
    "random_index_shuffle",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "raw_ops",
    "realdiv",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "register_tensor_conversion_function",
    "repeat",
    "required_space_to_batch_paddings",
    "reshape",
    "resource",
    "reverse",
    "reverse_sequence",
    "rfftnd",
    "roll",
    "round",
    "saturate_cast",
    "saved_model",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "sets",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "sparse",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "strings",
    "subtract",
    "summary",
    "switch_case",
    "sysconfig",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "train",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "tuple",
    "type_spec_from_value",
    "types",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unstack",
    "variable_creator_scope",
    "variant",
    "vectorized_map",
    "version",
    "where",
    "while_loop",
    "xla",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]
__version__: str
