"""TensorFlow 2's face: every name of `tf` that Pullback has."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

newaxis = None
__version__ = "2.21.0"  # of the TensorFlow whose names and answers these are

if TYPE_CHECKING:  # these load when first asked for
    from ... import compat
    from ...api.default import init_scope
    from ...api.gradients import gradients
    from ...api.here import inside_function, is_symbolic_tensor
    from ...api.hessians import hessians
    from ...api.names import control_dependencies, device, get_current_name_scope, name_scope
    from ...api.parallel_for import vectorized_map
    from ...api.recompute import recompute_grad
    from ...api.tape import GradientTape
    from ...api.unconnected import AggregationMethod, UnconnectedGradients
    from ...api.variable import Variable
    from ...api.variable_creators import variable_creator_scope
    from ...base.dtypes import (
        DType,
        as_dtype,
        bfloat16,
        bool,
        complex64,
        complex128,
        float16,
        float32,
        float64,
        int8,
        int16,
        int32,
        int64,
        qint8,
        qint16,
        qint32,
        quint8,
        quint16,
        resource,
        string,
        uint8,
        uint16,
        uint32,
        uint64,
        variant,
    )
    from ...base.dtypes import float16 as half
    from ...base.dtypes import float64 as double
    from ...base.shapes import TensorShape
    from ...compile.function import function
    from ...control.cond import case, cond, switch_case
    from ...control.custom import custom_gradient, grad_pass_through
    from ...control.functional import foldl, foldr, map_fn, scan
    from ...control.py_function import py_function
    from ...control.tensor_array import TensorArray
    from ...control.tensor_array_spec import TensorArraySpec
    from ...control.while_loop import while_loop
    from ...interop import raw_ops
    from ...interop.logging import get_logger
    from ...interop.options import VariableAggregation, VariableSynchronization
    from ...ir.apply import convert_to_tensor
    from ...ir.context import executing_eagerly
    from ...ir.conversions import register_tensor_conversion_function
    from ...ir.graph import Graph
    from ...ir.indexed_slices import IndexedSlices
    from ...ir.node import Node as Operation
    from ...ir.tensor import Tensor
    from ...ir.type_spec import TypeSpec, type_spec_from_value
    from ...nn.convolution_any import conv
    from ...nn.initializers import Ones as ones_initializer
    from ...nn.initializers import Zeros as zeros_initializer
    from ...nn.keras_initializers import ConstantV2 as constant_initializer
    from ...nn.keras_initializers import RandomNormalV2 as random_normal_initializer
    from ...nn.keras_initializers import RandomUniformV2 as random_uniform_initializer
    from ...ops.array.basic import broadcast_to, fill, identity, reshape, shape, transpose
    from ...ops.array.blocks import batch_to_space, required_space_to_batch_paddings, space_to_batch, space_to_batch_nd
    from ...ops.array.create import one_hot, ones, ones_like, range, zeros, zeros_like
    from ...ops.array.gather import boolean_mask, gather, gather_nd, scatter_nd
    from ...ops.array.identity import bitcast, guarantee_const, identity_n, stop_gradient
    from ...ops.array.join import concat, split, stack, tile, unstack
    from ...ops.array.order import reverse, reverse_sequence, roll
    from ...ops.array.pad import pad
    from ...ops.array.scatter import (
        tensor_scatter_nd_add,
        tensor_scatter_nd_max,
        tensor_scatter_nd_min,
        tensor_scatter_nd_sub,
        tensor_scatter_nd_update,
    )
    from ...ops.array.shape import broadcast_dynamic_shape, broadcast_static_shape, ensure_shape, expand_dims, rank, shape_n, size, squeeze
    from ...ops.array.slice import slice
    from ...ops.array.strided_slice import strided_slice
    from ...ops.array.where import where
    from ...ops.constant import TensorSpec, constant, is_tensor
    from ...ops.effects.asserts import assert_equal, assert_greater, assert_less
    from ...ops.effects.debugging import timestamp
    from ...ops.effects.operations import Assert, group, no_op, print
    from ...ops.effects.operations import tuple_ as tuple
    from ...ops.effects.py_func import numpy_function
    from ...ops.effects.shapes import assert_rank
    from ...ops.linalg.eig import eig, eigvals
    from ...ops.linalg.einsum import einsum
    from ...ops.linalg.functions import sqrtm as matrix_square_root
    from ...ops.linalg.products import matmul, tensordot
    from ...ops.math.arithmetic import abs, add, atan2, floor, maximum, minimum, multiply, negative, round, sign, square, subtract
    from ...ops.math.cast import cast, saturate_cast
    from ...ops.math.clip import clip_by_global_norm, clip_by_norm, clip_by_value
    from ...ops.math.compare import equal, greater, greater_equal, less, less_equal, logical_and, logical_not, logical_or, not_equal
    from ...ops.math.complex import complex
    from ...ops.math.division import divide, pow, realdiv, truediv, truncatediv, truncatemod
    from ...ops.math.functions import acos, acosh, asin, asinh, atan, atanh, cos, cosh, exp, sigmoid, sin, sinh, sqrt, tan, tanh
    from ...ops.math.sums import add_n, scalar_mul
    from ...ops.ragged.math import ragged_fill_empty_rows, ragged_fill_empty_rows_grad
    from ...ops.ragged.whole import RaggedTensor, RaggedTensorSpec
    from ...ops.random.index_shuffle import random_index_shuffle
    from ...ops.reduce.composed import norm, reduce_logsumexp
    from ...ops.reduce.reductions import reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum
    from ...ops.reduce.scan import cumsum
    from ...ops.search.composed import eye, linspace, meshgrid, repeat, sequence_mask
    from ...ops.search.counting import histogram_fixed_width, histogram_fixed_width_bins
    from ...ops.search.more import get_static_value, parallel_stack
    from ...ops.search.partition import dynamic_partition, dynamic_stitch
    from ...ops.search.search import searchsorted, unique, unique_with_counts, unravel_index
    from ...ops.search.sort import argmax, argmin, argsort, sort
    from ...ops.search.sort_approximate import approx_top_k
    from ...ops.signal.fft_raw import fftnd, ifftnd, irfftnd, rfftnd
    from ...ops.sparse.whole import SparseTensor, SparseTensorSpec
    from ...ops.string.distance import edit_distance
    from ...ops.string.hash import fingerprint
    from ...ops.string.numbers import as_string
    from ...ops.type_specs import IndexedSlicesSpec, NoneTensorSpec
    from ...ops.windows.conv_older import conv2d_backprop_filter_v2, conv2d_backprop_input_v2
    from ...ops.windows.patches import extract_volume_patches
    from ...train.module import Module
    from ...transforms.registry import RegisterGradient
    from ...transforms.registry import not_differentiable as no_gradient
    from . import (
        autodiff,
        autograph,
        bitwise,
        config,
        data,
        debugging,
        dtypes,
        errors,
        experimental,
        image,
        io,
        keras,
        linalg,
        losses,
        math,
        metrics,
        nest,
        nn,
        quantization,
        queue,
        ragged,
        random,
        sets,
        signal,
        sparse,
        strings,
        summary,
        test,
        train,
        types,
        version,
    )
    from .keras import initializers, optimizers

__all__ = [
    "AggregationMethod",
    "Assert",
    "DType",
    "GradientTape",
    "Graph",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "Module",
    "NoneTensorSpec",
    "Operation",
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
    "complex64",
    "complex128",
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
    "int8",
    "int16",
    "int32",
    "int64",
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
    "optimizers",
    "pad",
    "parallel_stack",
    "pow",
    "print",
    "py_function",
    "qint8",
    "qint16",
    "qint32",
    "quantization",
    "queue",
    "quint8",
    "quint16",
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
    "uint8",
    "uint16",
    "uint32",
    "uint64",
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
    "zeros",
    "zeros_initializer",
    "zeros_like",
]

__getattr__ = _missing("tf", __all__, __name__)
