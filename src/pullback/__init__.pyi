"""The names of `pullback`, written by docs/make_exports.py."""

from pullback import compat
from pullback import distribute
from pullback import optimize
from pullback.api.coloring import color_hessian
from pullback.api.coloring import color_jacobian
from pullback.api.default import init_scope
from pullback.api.derivatives import hvp
from pullback.api.derivatives import jvp
from pullback.api.derivatives import linearize
from pullback.api.derivatives import value_and_gradient
from pullback.api.derivatives import vjp
from pullback.api.gradients import gradients
from pullback.api.hessians import hessians
from pullback.api.jacobians import batch_jacobian
from pullback.api.jacobians import hessian
from pullback.api.jacobians import hessian_diagonal
from pullback.api.jacobians import jacobian
from pullback.api.jacobians import jacobian_plan
from pullback.api.names import control_dependencies
from pullback.api.names import device
from pullback.api.names import get_current_name_scope
from pullback.api.names import name_scope
from pullback.api.parallel_for import vectorized_map
from pullback.api.per_example import ExampleSlices
from pullback.api.per_example import per_example_gradients
from pullback.api.recompute import recompute_grad
from pullback.api.sparse_derivatives import hessian_pattern
from pullback.api.sparse_derivatives import jacobian_pattern
from pullback.api.sparse_derivatives import sparse_hessian
from pullback.api.sparse_derivatives import sparse_jacobian
from pullback.api.tape import GradientTape
from pullback.api.trace_state import inside_function
from pullback.api.trace_state import is_symbolic_tensor
from pullback.api.unconnected import AggregationMethod
from pullback.api.unconnected import UnconnectedGradients
from pullback.api.variable import Variable
from pullback.api.variable_creators import variable_creator_scope
from pullback.base.device_spec import DeviceSpec
from pullback.base.dtypes import DType
from pullback.base.dtypes import as_dtype
from pullback.base.dtypes import bfloat16
from pullback.base.dtypes import bool
from pullback.base.dtypes import complex128
from pullback.base.dtypes import complex64
from pullback.base.dtypes import float16
from pullback.base.dtypes import float16 as half
from pullback.base.dtypes import float32
from pullback.base.dtypes import float64 as double
from pullback.base.dtypes import float64
from pullback.base.dtypes import int16
from pullback.base.dtypes import int32
from pullback.base.dtypes import int64
from pullback.base.dtypes import int8
from pullback.base.dtypes import qint16
from pullback.base.dtypes import qint32
from pullback.base.dtypes import qint8
from pullback.base.dtypes import quint16
from pullback.base.dtypes import quint8
from pullback.base.dtypes import resource
from pullback.base.dtypes import string
from pullback.base.dtypes import uint16
from pullback.base.dtypes import uint32
from pullback.base.dtypes import uint64
from pullback.base.dtypes import uint8
from pullback.base.dtypes import variant
from pullback.base.shapes import TensorShape
from pullback.base.structures import register_structure
from pullback.compat.v2 import audio
from pullback.compat.v2 import autodiff
from pullback.compat.v2 import autograph
from pullback.compat.v2 import bitwise
from pullback.compat.v2 import config
from pullback.compat.v2 import data
from pullback.compat.v2 import debugging
from pullback.compat.v2 import dtypes
from pullback.compat.v2 import errors
from pullback.compat.v2 import experimental
from pullback.compat.v2 import image
from pullback.compat.v2 import io
from pullback.compat.v2 import linalg
from pullback.compat.v2 import lookup
from pullback.compat.v2 import math
from pullback.compat.v2 import nest
from pullback.compat.v2 import nn
from pullback.compat.v2 import quantization
from pullback.compat.v2 import queue
from pullback.compat.v2 import ragged
from pullback.compat.v2 import random
from pullback.compat.v2 import saved_model
from pullback.compat.v2 import sets
from pullback.compat.v2 import signal
from pullback.compat.v2 import sparse
from pullback.compat.v2 import strings
from pullback.compat.v2 import summary
from pullback.compat.v2 import test
from pullback.compat.v2 import train
from pullback.compat.v2 import types
from pullback.compat.v2 import version
from pullback.compat.v2 import xla
from pullback.control.checkpointed import checkpointed
from pullback.control.cond import case
from pullback.control.cond import cond
from pullback.control.cond import switch_case
from pullback.control.custom import custom_gradient
from pullback.control.custom import grad_pass_through
from pullback.control.functional import foldl
from pullback.control.functional import foldr
from pullback.control.functional import map_fn
from pullback.control.functional import scan
from pullback.control.py_function import py_function
from pullback.control.tensor_array import TensorArray
from pullback.control.tensor_array_spec import TensorArraySpec
from pullback.control.while_loop import while_loop
from pullback.diagnose.nans import trace_nans
from pullback.diagnose.why import Why
from pullback.diagnose.why import why
from pullback.interop.hook import serve_tensorflow
from pullback.interop.keras import initializers
from pullback.interop.keras import keras
from pullback.interop.keras import losses
from pullback.interop.keras import metrics
from pullback.interop.keras import optimizers
from pullback.interop.options import VariableAggregation
from pullback.interop.options import VariableSynchronization
from pullback.ir.apply import convert_to_tensor
from pullback.ir.context import executing_eagerly
from pullback.ir.conversions import register_tensor_conversion_function
from pullback.ir.graph import Graph
from pullback.ir.indexed_slices import IndexedSlices
from pullback.ir.node import Node as Operation
from pullback.ir.tensor import Tensor
from pullback.ir.type_spec import TypeSpec
from pullback.ir.type_spec import type_spec_from_value
from pullback.nn.convolution_any import conv
from pullback.nn.initializers import Ones as ones_initializer
from pullback.nn.initializers import Zeros as zeros_initializer
from pullback.nn.initializers_v2 import ConstantV2 as constant_initializer
from pullback.nn.initializers_v2 import RandomNormalV2 as random_normal_initializer
from pullback.nn.initializers_v2 import RandomUniformV2 as random_uniform_initializer
from pullback.ops.aliases.math import parallel_stack
from pullback.ops.array.basic import broadcast_to
from pullback.ops.array.basic import fill
from pullback.ops.array.basic import identity
from pullback.ops.array.basic import reshape
from pullback.ops.array.basic import shape
from pullback.ops.array.blocks import batch_to_space
from pullback.ops.array.blocks import required_space_to_batch_paddings
from pullback.ops.array.blocks import space_to_batch
from pullback.ops.array.blocks import space_to_batch_nd
from pullback.ops.array.conversion import get_static_value
from pullback.ops.array.create import one_hot
from pullback.ops.array.create import ones
from pullback.ops.array.create import ones_like
from pullback.ops.array.create import range
from pullback.ops.array.create import zeros
from pullback.ops.array.create import zeros_like
from pullback.ops.array.gather import gather
from pullback.ops.array.gather_nd import gather_nd
from pullback.ops.array.gather_nd import scatter_nd
from pullback.ops.array.identity import bitcast
from pullback.ops.array.identity import guarantee_const
from pullback.ops.array.identity import identity_n
from pullback.ops.array.identity import stop_gradient
from pullback.ops.array.join import concat
from pullback.ops.array.join import split
from pullback.ops.array.join import stack
from pullback.ops.array.join import tile
from pullback.ops.array.join import unstack
from pullback.ops.array.order import reverse
from pullback.ops.array.order import reverse_sequence
from pullback.ops.array.order import roll
from pullback.ops.array.scatter import tensor_scatter_nd_add
from pullback.ops.array.scatter import tensor_scatter_nd_max
from pullback.ops.array.scatter import tensor_scatter_nd_min
from pullback.ops.array.scatter import tensor_scatter_nd_sub
from pullback.ops.array.scatter import tensor_scatter_nd_update
from pullback.ops.array.shape import broadcast_dynamic_shape
from pullback.ops.array.shape import broadcast_static_shape
from pullback.ops.array.shape import ensure_shape
from pullback.ops.array.shape import expand_dims
from pullback.ops.array.shape import rank
from pullback.ops.array.shape import shape_n
from pullback.ops.array.shape import size
from pullback.ops.array.shape import squeeze
from pullback.ops.array.slice import pad
from pullback.ops.array.slice import slice
from pullback.ops.array.strided_slice import strided_slice
from pullback.ops.array.transpose import transpose
from pullback.ops.array.where import where
from pullback.ops.constant import TensorSpec
from pullback.ops.constant import constant
from pullback.ops.constant import is_tensor
from pullback.ops.effects.asserts import assert_equal
from pullback.ops.effects.asserts import assert_greater
from pullback.ops.effects.asserts import assert_less
from pullback.ops.effects.debugging import timestamp
from pullback.ops.effects.operations import Assert
from pullback.ops.effects.operations import group
from pullback.ops.effects.operations import no_op
from pullback.ops.effects.operations import print
from pullback.ops.effects.operations import tuple_ as tuple
from pullback.ops.effects.py_func import numpy_function
from pullback.ops.effects.shapes import assert_rank
from pullback.ops.indexing.index import newaxis
from pullback.ops.indexing.mask import boolean_mask
from pullback.ops.linalg.eig import eig
from pullback.ops.linalg.eig import eigvals
from pullback.ops.linalg.einsum import einsum
from pullback.ops.linalg.functions import sqrtm as matrix_square_root
from pullback.ops.linalg.norms import norm
from pullback.ops.linalg.products import matmul
from pullback.ops.linalg.products import tensordot
from pullback.ops.linalg.safe_norm import safe_norm
from pullback.ops.math.arithmetic import add
from pullback.ops.math.arithmetic import atan2
from pullback.ops.math.arithmetic import floor
from pullback.ops.math.arithmetic import maximum
from pullback.ops.math.arithmetic import minimum
from pullback.ops.math.arithmetic import multiply
from pullback.ops.math.arithmetic import negative
from pullback.ops.math.arithmetic import round
from pullback.ops.math.arithmetic import square
from pullback.ops.math.arithmetic import subtract
from pullback.ops.math.complex import complex
from pullback.ops.math.division import divide
from pullback.ops.math.division import realdiv
from pullback.ops.math.division import truediv
from pullback.ops.math.division import truncatediv
from pullback.ops.math.division import truncatemod
from pullback.ops.math.functions import exp
from pullback.ops.math.functions import sigmoid
from pullback.ops.math.functions import sqrt
from pullback.ops.math.functions import tanh
from pullback.ops.math.magnitude import abs
from pullback.ops.math.magnitude import sign
from pullback.ops.math.power import pow
from pullback.ops.math.saturate import clip_by_value
from pullback.ops.math.saturate import saturate_cast
from pullback.ops.math.sums import add_n
from pullback.ops.math.sums import scalar_mul
from pullback.ops.math.trigonometric import acos
from pullback.ops.math.trigonometric import acosh
from pullback.ops.math.trigonometric import asin
from pullback.ops.math.trigonometric import asinh
from pullback.ops.math.trigonometric import atan
from pullback.ops.math.trigonometric import atanh
from pullback.ops.math.trigonometric import cos
from pullback.ops.math.trigonometric import cosh
from pullback.ops.math.trigonometric import sin
from pullback.ops.math.trigonometric import sinh
from pullback.ops.math.trigonometric import tan
from pullback.ops.nn.clip import clip_by_global_norm
from pullback.ops.nn.clip import clip_by_norm
from pullback.ops.primitives.cast import cast
from pullback.ops.primitives.compare import equal
from pullback.ops.primitives.compare import greater
from pullback.ops.primitives.compare import greater_equal
from pullback.ops.primitives.compare import less
from pullback.ops.primitives.compare import less_equal
from pullback.ops.primitives.compare import logical_and
from pullback.ops.primitives.compare import logical_not
from pullback.ops.primitives.compare import logical_or
from pullback.ops.primitives.compare import not_equal
from pullback.ops.random.index_shuffle import random_index_shuffle
from pullback.ops.reduce.composed import reduce_logsumexp
from pullback.ops.reduce.reductions import reduce_all
from pullback.ops.reduce.reductions import reduce_any
from pullback.ops.reduce.reductions import reduce_max
from pullback.ops.reduce.reductions import reduce_mean
from pullback.ops.reduce.reductions import reduce_min
from pullback.ops.reduce.reductions import reduce_prod
from pullback.ops.reduce.reductions import reduce_sum
from pullback.ops.reduce.scan import cumsum
from pullback.ops.reduce.scan_extremes import cumulative_max
from pullback.ops.reduce.scan_extremes import cumulative_min
from pullback.ops.search.composed import eye
from pullback.ops.search.composed import linspace
from pullback.ops.search.composed import meshgrid
from pullback.ops.search.composed import repeat
from pullback.ops.search.composed import sequence_mask
from pullback.ops.search.counting import histogram_fixed_width
from pullback.ops.search.counting import histogram_fixed_width_bins
from pullback.ops.search.partition import dynamic_partition
from pullback.ops.search.partition import dynamic_stitch
from pullback.ops.search.search import searchsorted
from pullback.ops.search.search import unique
from pullback.ops.search.search import unique_with_counts
from pullback.ops.search.search import unravel_index
from pullback.ops.search.sort import argmax
from pullback.ops.search.sort import argmin
from pullback.ops.search.sort import argsort
from pullback.ops.search.sort import sort
from pullback.ops.search.sort_approximate import approx_top_k
from pullback.ops.signal.fft_raw import fftnd
from pullback.ops.signal.fft_raw import ifftnd
from pullback.ops.signal.fft_raw import irfftnd
from pullback.ops.signal.fft_raw import rfftnd
from pullback.ops.sparse.classes import SparseTensor
from pullback.ops.sparse.classes import SparseTensorSpec
from pullback.ops.type_specs import IndexedSlicesSpec
from pullback.ops.type_specs import NoneTensorSpec
from pullback.ops.windows.conv_older import conv2d_backprop_filter_v2
from pullback.ops.windows.conv_older import conv2d_backprop_input_v2
from pullback.ops.windows.patches import extract_volume_patches
from pullback.tensorflow.datasets.optional import OptionalSpec
from pullback.tensorflow.logging import get_logger
from pullback.tensorflow.ragged.classes import RaggedTensor
from pullback.tensorflow.ragged.classes import RaggedTensorSpec
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows_grad
from pullback.tensorflow.raw_ops import operations as raw_ops
from pullback.tensorflow.strings.distance import edit_distance
from pullback.tensorflow.strings.hash import fingerprint
from pullback.tensorflow.strings.numbers import as_string
from pullback.testing.check import check_gradients
from pullback.trace.function import function
from pullback.train.module import Module
from pullback.transforms.registry import RegisterGradient
from pullback.transforms.registry import not_differentiable as no_gradient

__all__ = [
    "AggregationMethod",
    "Assert",
    "DType",
    "DeviceSpec",
    "ExampleSlices",
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
    "Why",
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
    "batch_jacobian",
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
    "check_gradients",
    "checkpointed",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "color_hessian",
    "color_jacobian",
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
    "cumulative_max",
    "cumulative_min",
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
    "hessian",
    "hessian_diagonal",
    "hessian_pattern",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "hvp",
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
    "jacobian",
    "jacobian_pattern",
    "jacobian_plan",
    "jvp",
    "keras",
    "less",
    "less_equal",
    "linalg",
    "linearize",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "lookup",
    "losses",
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
    "optimize",
    "optimizers",
    "pad",
    "parallel_stack",
    "per_example_gradients",
    "pow",
    "print",
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
    "register_structure",
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
    "safe_norm",
    "saturate_cast",
    "saved_model",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "serve_tensorflow",
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
    "sparse_hessian",
    "sparse_jacobian",
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
    "trace_nans",
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
    "value_and_gradient",
    "variable_creator_scope",
    "variant",
    "vectorized_map",
    "version",
    "vjp",
    "where",
    "while_loop",
    "why",
    "xla",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]
__version__: str
