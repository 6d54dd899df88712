"""TensorFlow 1's face: every name of `tf.compat.v1` that Pullback has. Importing it changes nothing, as in TensorFlow 2:
`disable_v2_behavior()` or `disable_eager_execution()` turn graph mode on for the whole program, `Graph().as_default()` for a block.

>>> import pullback.compat.v1 as tf
>>> with tf.Graph().as_default(), tf.Session() as sess:
...     x = tf.placeholder(tf.float32, [None])
...     sess.run(tf.gradients(x * x, x), {x: [1.0, 2.0]})
[array([2., 4.], dtype=float32)]
"""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

newaxis = None
VERSION = "2.21.0"
GIT_VERSION = "pullback"
__version__ = "2.21.0"  # of the TensorFlow whose names and answers these are

if TYPE_CHECKING:  # these load when first asked for
    from ... import compat
    from ...api.accumulators import ConditionalAccumulator, ConditionalAccumulatorBase, SparseConditionalAccumulator
    from ...api.collections import (
        all_variables,
        assert_variables_initialized,
        assign,
        assign_add,
        assign_sub,
        global_variables,
        global_variables_initializer,
        initialize_all_variables,
        initialize_variables,
        is_variable_initialized,
        local_variables,
        local_variables_initializer,
        model_variables,
        moving_average_variables,
        report_uninitialized_variables,
        tables_initializer,
        trainable_variables,
        variables_initializer,
    )
    from ...api.collections import local_variables_initializer as initialize_local_variables
    from ...api.collections import tables_initializer as initialize_all_tables
    from ...api.default import get_default_graph, init_scope, reset_default_graph
    from ...api.gradients import gradients_v1 as gradients
    from ...api.here import is_symbolic_tensor
    from ...api.names import (
        GraphKeys,
        add_to_collection,
        add_to_collections,
        colocate_with,
        container,
        control_dependencies,
        get_collection,
        get_collection_ref,
        name_scope,
        placeholder,
        placeholder_with_default,
    )
    from ...api.parallel_for import vectorized_map
    from ...api.partitioners import (
        create_partitioned_variables,
        fixed_size_partitioner,
        min_max_variable_partitioner,
        variable_axis_size_partitioner,
    )
    from ...api.queues import FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue
    from ...api.recompute import recompute_grad
    from ...api.session import InteractiveSession, Session, get_default_session
    from ...api.tape import GradientTape
    from ...api.templates import make_template, op_scope
    from ...api.unconnected import AggregationMethod, UnconnectedGradients
    from ...api.variable_creators import variable_creator_scope
    from ...api.variable_scope import (
        AUTO_REUSE,
        VariableScope,
        get_variable,
        get_variable_scope,
        no_regularizer,
        variable_op_scope,
        variable_scope,
    )
    from ...api.variable_v1 import VariableV1 as Variable
    from ...base.dtypes import QUANTIZED as QUANTIZED_DTYPES
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
    from ...base.errors import OpError
    from ...base.shapes import Dimension, TensorShape
    from ...compat.legacy.array import (
        batch_to_space,
        batch_to_space_nd,
        boolean_mask,
        depth_to_space,
        expand_dims,
        gather,
        gather_nd,
        lin_space,
        ones_like,
        pad,
        parallel_stack,
        reverse_sequence,
        reverse_v2,
        shape,
        size,
        space_to_batch,
        space_to_depth,
        squeeze,
        tensor_scatter_add,
        tensor_scatter_sub,
        tensor_scatter_update,
        transpose,
        zeros_like,
    )
    from ...compat.legacy.asserts import (
        assert_equal,
        assert_greater,
        assert_greater_equal,
        assert_less,
        assert_less_equal,
        assert_near,
        assert_negative,
        assert_non_negative,
        assert_non_positive,
        assert_none_equal,
        assert_positive,
        assert_rank,
        assert_rank_at_least,
        assert_rank_in,
        assert_scalar,
    )
    from ...compat.legacy.core import convert_to_tensor, device, get_local_variable, hessians, tuple
    from ...compat.legacy.image import extract_image_patches
    from ...compat.legacy.linalg import diag, diag_part, sparse_matmul
    from ...compat.legacy.math import (
        div,
        floor_div,
        to_bfloat16,
        to_complex64,
        to_complex128,
        to_double,
        to_float,
        to_int32,
        to_int64,
        verify_tensor_all_finite,
        where,
    )
    from ...compat.legacy.quantization import quantize_v2
    from ...compat.legacy.random import multinomial, random_poisson, set_random_seed
    from ...compat.legacy.reduce import (
        arg_max,
        arg_min,
        argmax,
        argmin,
        bincount,
        confusion_matrix,
        count_nonzero,
        norm,
        reduce_all,
        reduce_any,
        reduce_logsumexp,
        reduce_max,
        reduce_mean,
        reduce_min,
        reduce_prod,
        reduce_sum,
    )
    from ...compat.legacy.sparse import (
        sparse_add,
        sparse_concat,
        sparse_merge,
        sparse_placeholder,
        sparse_reduce_max,
        sparse_reduce_max_sparse,
        sparse_reduce_sum,
        sparse_reduce_sum_sparse,
        sparse_segment_mean,
        sparse_segment_sqrt_n,
        sparse_segment_sum,
        sparse_split,
        sparse_to_dense,
    )
    from ...compat.legacy.state import (
        scatter_add,
        scatter_div,
        scatter_max,
        scatter_min,
        scatter_mul,
        scatter_nd_add,
        scatter_nd_sub,
        scatter_nd_update,
        scatter_sub,
        scatter_update,
    )
    from ...compat.legacy.strings import decode_raw, reduce_join, string_split, substr
    from ...compat.legacy.strings import to_hash_bucket as string_to_hash_bucket
    from ...compat.legacy.strings import to_number as string_to_number
    from ...compile.function import function
    from ...compile.wrapped import wrap_function
    from ...control.cond import case, switch_case
    from ...control.cond import cond_v1 as cond
    from ...control.custom import custom_gradient, grad_pass_through
    from ...control.functional import foldl, foldr, map_fn, scan
    from ...control.py_function import py_function
    from ...control.tensor_array import TensorArray
    from ...control.tensor_array_spec import TensorArraySpec
    from ...control.while_loop import while_loop_v1 as while_loop
    from ...interop import raw_ops
    from ...interop.behavior import (
        control_flow_v2_enabled,
        disable_control_flow_v2,
        disable_eager_execution,
        disable_resource_variables,
        disable_tensor_equality,
        disable_v2_behavior,
        disable_v2_tensorshape,
        enable_control_flow_v2,
        enable_eager_execution,
        enable_resource_variables,
        enable_tensor_equality,
        enable_v2_behavior,
        enable_v2_tensorshape,
        executing_eagerly_outside_functions,
        resource_variables_enabled,
    )
    from ...interop.logging import get_logger
    from ...interop.options import (
        ConfigProto,
        GPUOptions,
        GraphOptions,
        OptimizerOptions,
        RunMetadata,
        RunOptions,
        VariableAggregation,
        VariableSynchronization,
    )
    from ...interop.summary_message import HistogramProto, Summary
    from ...interop.text import dimension_at_index, dimension_value
    from ...ir.context import executing_eagerly
    from ...ir.conversions import register_tensor_conversion_function
    from ...ir.graph import Graph
    from ...ir.indexed_slices import IndexedSlices
    from ...ir.node import Node as Operation
    from ...ir.tensor import Tensor
    from ...ir.type_spec import TypeSpec, type_spec_from_value
    from ...nn.convolution_any import conv
    from ...nn.image_random import random_crop
    from ...nn.initializers import Constant as constant_initializer
    from ...nn.initializers import GlorotNormal as glorot_normal_initializer
    from ...nn.initializers import GlorotUniform as glorot_uniform_initializer
    from ...nn.initializers import Ones as ones_initializer
    from ...nn.initializers import Orthogonal as orthogonal_initializer
    from ...nn.initializers import RandomNormal as random_normal_initializer
    from ...nn.initializers import RandomUniform as random_uniform_initializer
    from ...nn.initializers import TruncatedNormal as truncated_normal_initializer
    from ...nn.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
    from ...nn.initializers import VarianceScaling as variance_scaling_initializer
    from ...nn.initializers import Zeros as zeros_initializer
    from ...ops.array.basic import broadcast_to, fill, identity, reshape
    from ...ops.array.blocks import required_space_to_batch_paddings, space_to_batch_nd
    from ...ops.array.create import one_hot, ones, range, zeros
    from ...ops.array.gather import batch_gather, scatter_nd
    from ...ops.array.identity import bitcast, guarantee_const, identity_n, stop_gradient
    from ...ops.array.join import concat, split, stack, tile, unstack
    from ...ops.array.order import invert_permutation, reverse, roll
    from ...ops.array.scatter import (
        tensor_scatter_nd_add,
        tensor_scatter_nd_max,
        tensor_scatter_nd_min,
        tensor_scatter_nd_sub,
        tensor_scatter_nd_update,
    )
    from ...ops.array.shape import broadcast_dynamic_shape, broadcast_static_shape, ensure_shape, rank, shape_n
    from ...ops.array.slice import slice
    from ...ops.array.strided_slice import strided_slice
    from ...ops.array.where import where as where_v2
    from ...ops.constant import TensorSpec, is_tensor
    from ...ops.constant import constant_v1 as constant
    from ...ops.effects.checks import check_numerics, is_non_decreasing, is_numeric_tensor, is_strictly_increasing
    from ...ops.effects.debugging import timestamp
    from ...ops.effects.operations import Assert, Print, group, no_op, print
    from ...ops.effects.py_func import numpy_function, py_func
    from ...ops.effects.shapes import assert_integer, assert_proper_iterable, assert_same_float_dtype, assert_type
    from ...ops.files import read_file, write_file
    from ...ops.linalg.diag import band_part as matrix_band_part
    from ...ops.linalg.diag import cross, trace
    from ...ops.linalg.diag import diag as matrix_diag
    from ...ops.linalg.diag import diag_part as matrix_diag_part
    from ...ops.linalg.diag import set_diag as matrix_set_diag
    from ...ops.linalg.einsum import einsum
    from ...ops.linalg.factor import cholesky, cholesky_solve
    from ...ops.linalg.factor import det as matrix_determinant
    from ...ops.linalg.factor import inv as matrix_inverse
    from ...ops.linalg.factor import solve as matrix_solve
    from ...ops.linalg.factor import triangular_solve as matrix_triangular_solve
    from ...ops.linalg.functions import sqrtm as matrix_square_root
    from ...ops.linalg.least_squares import lstsq as matrix_solve_ls
    from ...ops.linalg.products import matmul, matrix_transpose, tensordot
    from ...ops.linalg.spectral import eigh as self_adjoint_eig
    from ...ops.linalg.spectral import eigvalsh as self_adjoint_eigvals
    from ...ops.linalg.spectral import qr, svd
    from ...ops.math.arithmetic import (
        abs,
        add,
        atan2,
        ceil,
        conj,
        floor,
        maximum,
        minimum,
        multiply,
        negative,
        rint,
        round,
        sign,
        square,
        squared_difference,
        subtract,
    )
    from ...ops.math.cast import cast, saturate_cast
    from ...ops.math.clip import clip_by_average_norm, clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
    from ...ops.math.compare import (
        equal,
        greater,
        greater_equal,
        is_finite,
        is_inf,
        is_nan,
        less,
        less_equal,
        logical_and,
        logical_not,
        logical_or,
        logical_xor,
        not_equal,
    )
    from ...ops.math.complex import angle, complex, imag, real
    from ...ops.math.division import divide, floordiv, floormod, mod, pow, realdiv, truediv, truncatediv, truncatemod
    from ...ops.math.division import divide_no_nan as div_no_nan
    from ...ops.math.functions import (
        acos,
        acosh,
        asin,
        asinh,
        atan,
        atanh,
        cos,
        cosh,
        exp,
        expm1,
        log,
        log1p,
        log_sigmoid,
        reciprocal,
        rsqrt,
        sigmoid,
        sin,
        sinh,
        sqrt,
        tan,
        tanh,
    )
    from ...ops.math.sums import accumulate_n, add_n, scalar_mul
    from ...ops.quantization.simulated import (
        fake_quant_with_min_max_args,
        fake_quant_with_min_max_args_gradient,
        fake_quant_with_min_max_vars,
        fake_quant_with_min_max_vars_gradient,
        fake_quant_with_min_max_vars_per_channel,
    )
    from ...ops.quantization.simulated import (
        fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient,
    )
    from ...ops.quantization.types import dequantize, quantize, quantized_concat
    from ...ops.ragged.math import ragged_fill_empty_rows, ragged_fill_empty_rows_grad
    from ...ops.ragged.whole import RaggedTensor, RaggedTensorSpec
    from ...ops.random.functions import gamma as random_gamma
    from ...ops.random.functions import normal as random_normal
    from ...ops.random.functions import shuffle as random_shuffle
    from ...ops.random.functions import truncated_normal
    from ...ops.random.functions import uniform as random_uniform
    from ...ops.random.index_shuffle import random_index_shuffle
    from ...ops.random.seed import get_seed
    from ...ops.reduce.scan import cumprod, cumsum
    from ...ops.resources.operations import count_up_to
    from ...ops.search.composed import eye, linspace, meshgrid, repeat, sequence_mask
    from ...ops.search.counting import histogram_fixed_width, histogram_fixed_width_bins
    from ...ops.search.more import batch_scatter_update, convert_to_tensor_or_indexed_slices, get_static_value
    from ...ops.search.partition import dynamic_partition, dynamic_stitch
    from ...ops.search.search import searchsorted, setdiff1d, unique, unique_with_counts, unravel_index
    from ...ops.search.sort import argsort, sort
    from ...ops.search.sort_approximate import approx_top_k
    from ...ops.segment.dense import (
        segment_max,
        segment_mean,
        segment_min,
        segment_prod,
        segment_sum,
        unsorted_segment_max,
        unsorted_segment_mean,
        unsorted_segment_min,
        unsorted_segment_prod,
        unsorted_segment_sqrt_n,
        unsorted_segment_sum,
    )
    from ...ops.signal.fft_raw import fftnd, ifftnd, irfftnd, rfftnd
    from ...ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
    from ...ops.sparse.arithmetic import sparse_dense_matmul as sparse_tensor_dense_matmul
    from ...ops.sparse.arithmetic import sparse_maximum, sparse_minimum, sparse_softmax
    from ...ops.sparse.functions import mask as sparse_mask
    from ...ops.sparse.functions import (
        sparse_fill_empty_rows,
        sparse_reorder,
        sparse_reset_shape,
        sparse_reshape,
        sparse_retain,
        sparse_slice,
        sparse_to_indicator,
        sparse_transpose,
    )
    from ...ops.sparse.functions import to_dense as sparse_tensor_to_dense
    from ...ops.sparse.whole import SparseTensor, SparseTensorSpec, SparseTensorValue, convert_to_tensor_or_sparse_tensor
    from ...ops.special.functions import betainc, digamma, erf, erfc, igamma, igammac, lbeta, lgamma, polygamma, zeta
    from ...ops.string.base64 import decode_base64, encode_base64
    from ...ops.string.distance import edit_distance
    from ...ops.string.hash import fingerprint
    from ...ops.string.hash import to_hash_bucket_fast as string_to_hash_bucket_fast
    from ...ops.string.hash import to_hash_bucket_strong as string_to_hash_bucket_strong
    from ...ops.string.join import join as string_join
    from ...ops.string.numbers import as_string
    from ...ops.string.parts import strip as string_strip
    from ...ops.string.regex import regex_replace
    from ...ops.type_specs import IndexedSlicesSpec, NoneTensorSpec
    from ...ops.windows.conv_older import conv2d_backprop_filter_v2, conv2d_backprop_input_v2
    from ...ops.windows.patches import extract_volume_patches
    from ...train.module import Module
    from ...transforms.registry import RegisterGradient
    from ...transforms.registry import not_differentiable as NoGradient
    from ...transforms.registry import not_differentiable as NotDifferentiable
    from ...transforms.registry import not_differentiable as no_gradient
    from ..legacy.debugging import add_check_numerics_ops
    from ..v2 import keras
    from . import (
        app,
        autodiff,
        autograph,
        bitwise,
        config,
        contrib,
        debugging,
        distributions,
        dtypes,
        errors,
        experimental,
        flags,
        gfile,
        image,
        initializers,
        io,
        layers,
        linalg,
        logging,
        losses,
        manip,
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
        spectral,
        strings,
        summary,
        test,
        train,
        types,
        version,
    )

__all__ = [
    "AUTO_REUSE",
    "GIT_VERSION",
    "QUANTIZED_DTYPES",
    "VERSION",
    "AggregationMethod",
    "Assert",
    "ConditionalAccumulator",
    "ConditionalAccumulatorBase",
    "ConfigProto",
    "DType",
    "Dimension",
    "FIFOQueue",
    "GPUOptions",
    "GradientTape",
    "Graph",
    "GraphKeys",
    "GraphOptions",
    "HistogramProto",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "InteractiveSession",
    "Module",
    "NoGradient",
    "NoneTensorSpec",
    "NotDifferentiable",
    "OpError",
    "Operation",
    "OptimizerOptions",
    "PaddingFIFOQueue",
    "Print",
    "PriorityQueue",
    "QueueBase",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RandomShuffleQueue",
    "RegisterGradient",
    "RunMetadata",
    "RunOptions",
    "Session",
    "SparseConditionalAccumulator",
    "SparseTensor",
    "SparseTensorSpec",
    "SparseTensorValue",
    "Summary",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "Variable",
    "VariableAggregation",
    "VariableScope",
    "VariableSynchronization",
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_check_numerics_ops",
    "add_n",
    "add_to_collection",
    "add_to_collections",
    "all_variables",
    "angle",
    "app",
    "approx_top_k",
    "arg_max",
    "arg_min",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_type",
    "assert_variables_initialized",
    "assign",
    "assign_add",
    "assign_sub",
    "atan",
    "atan2",
    "atanh",
    "autodiff",
    "autograph",
    "batch_gather",
    "batch_scatter_update",
    "batch_to_space",
    "batch_to_space_nd",
    "betainc",
    "bfloat16",
    "bincount",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "ceil",
    "check_numerics",
    "cholesky",
    "cholesky_solve",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "colocate_with",
    "compat",
    "complex",
    "complex64",
    "complex128",
    "concat",
    "cond",
    "config",
    "confusion_matrix",
    "conj",
    "constant",
    "constant_initializer",
    "container",
    "contrib",
    "control_dependencies",
    "control_flow_v2_enabled",
    "conv",
    "conv2d_backprop_filter_v2",
    "conv2d_backprop_input_v2",
    "convert_to_tensor",
    "convert_to_tensor_or_indexed_slices",
    "convert_to_tensor_or_sparse_tensor",
    "cos",
    "cosh",
    "count_nonzero",
    "count_up_to",
    "create_partitioned_variables",
    "cross",
    "cumprod",
    "cumsum",
    "custom_gradient",
    "debugging",
    "decode_base64",
    "decode_raw",
    "depth_to_space",
    "dequantize",
    "device",
    "diag",
    "diag_part",
    "digamma",
    "dimension_at_index",
    "dimension_value",
    "disable_control_flow_v2",
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "disable_v2_behavior",
    "disable_v2_tensorshape",
    "distributions",
    "div",
    "div_no_nan",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "edit_distance",
    "einsum",
    "enable_control_flow_v2",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_tensor_equality",
    "enable_v2_behavior",
    "enable_v2_tensorshape",
    "encode_base64",
    "ensure_shape",
    "equal",
    "erf",
    "erfc",
    "errors",
    "executing_eagerly",
    "executing_eagerly_outside_functions",
    "exp",
    "expand_dims",
    "experimental",
    "expm1",
    "extract_image_patches",
    "extract_volume_patches",
    "eye",
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient",
    "fft",
    "fft2d",
    "fft3d",
    "fftnd",
    "fill",
    "fingerprint",
    "fixed_size_partitioner",
    "flags",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_div",
    "floordiv",
    "floormod",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_collection",
    "get_collection_ref",
    "get_default_graph",
    "get_default_session",
    "get_local_variable",
    "get_logger",
    "get_seed",
    "get_static_value",
    "get_variable",
    "get_variable_scope",
    "gfile",
    "global_norm",
    "global_variables",
    "global_variables_initializer",
    "glorot_normal_initializer",
    "glorot_uniform_initializer",
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
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftnd",
    "igamma",
    "igammac",
    "imag",
    "image",
    "init_scope",
    "initialize_all_tables",
    "initialize_all_variables",
    "initialize_local_variables",
    "initialize_variables",
    "initializers",
    "int8",
    "int16",
    "int32",
    "int64",
    "invert_permutation",
    "io",
    "irfftnd",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
    "is_symbolic_tensor",
    "is_tensor",
    "is_variable_initialized",
    "keras",
    "layers",
    "lbeta",
    "less",
    "less_equal",
    "lgamma",
    "lin_space",
    "linalg",
    "linspace",
    "local_variables",
    "local_variables_initializer",
    "log",
    "log1p",
    "log_sigmoid",
    "logging",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "losses",
    "make_template",
    "manip",
    "map_fn",
    "math",
    "matmul",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_inverse",
    "matrix_set_diag",
    "matrix_solve",
    "matrix_solve_ls",
    "matrix_square_root",
    "matrix_transpose",
    "matrix_triangular_solve",
    "maximum",
    "meshgrid",
    "metrics",
    "min_max_variable_partitioner",
    "minimum",
    "mod",
    "model_variables",
    "moving_average_variables",
    "multinomial",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_gradient",
    "no_op",
    "no_regularizer",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "op_scope",
    "orthogonal_initializer",
    "pad",
    "parallel_stack",
    "placeholder",
    "placeholder_with_default",
    "polygamma",
    "pow",
    "print",
    "py_func",
    "py_function",
    "qint8",
    "qint16",
    "qint32",
    "qr",
    "quantization",
    "quantize",
    "quantize_v2",
    "quantized_concat",
    "queue",
    "quint8",
    "quint16",
    "ragged",
    "ragged_fill_empty_rows",
    "ragged_fill_empty_rows_grad",
    "random",
    "random_crop",
    "random_gamma",
    "random_index_shuffle",
    "random_normal",
    "random_normal_initializer",
    "random_poisson",
    "random_shuffle",
    "random_uniform",
    "random_uniform_initializer",
    "range",
    "rank",
    "raw_ops",
    "read_file",
    "real",
    "realdiv",
    "reciprocal",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_join",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "regex_replace",
    "register_tensor_conversion_function",
    "repeat",
    "report_uninitialized_variables",
    "required_space_to_batch_paddings",
    "reset_default_graph",
    "reshape",
    "resource",
    "resource_variables_enabled",
    "reverse",
    "reverse_sequence",
    "reverse_v2",
    "rfftnd",
    "rint",
    "roll",
    "round",
    "rsqrt",
    "saturate_cast",
    "scalar_mul",
    "scan",
    "scatter_add",
    "scatter_div",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "scatter_nd",
    "scatter_nd_add",
    "scatter_nd_sub",
    "scatter_nd_update",
    "scatter_sub",
    "scatter_update",
    "searchsorted",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "self_adjoint_eig",
    "self_adjoint_eigvals",
    "sequence_mask",
    "set_random_seed",
    "setdiff1d",
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
    "space_to_depth",
    "sparse",
    "sparse_add",
    "sparse_concat",
    "sparse_fill_empty_rows",
    "sparse_mask",
    "sparse_matmul",
    "sparse_maximum",
    "sparse_merge",
    "sparse_minimum",
    "sparse_placeholder",
    "sparse_reduce_max",
    "sparse_reduce_max_sparse",
    "sparse_reduce_sum",
    "sparse_reduce_sum_sparse",
    "sparse_reorder",
    "sparse_reset_shape",
    "sparse_reshape",
    "sparse_retain",
    "sparse_segment_mean",
    "sparse_segment_sqrt_n",
    "sparse_segment_sum",
    "sparse_slice",
    "sparse_softmax",
    "sparse_split",
    "sparse_tensor_dense_matmul",
    "sparse_tensor_to_dense",
    "sparse_to_dense",
    "sparse_to_indicator",
    "sparse_transpose",
    "spectral",
    "split",
    "sqrt",
    "square",
    "squared_difference",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "string_join",
    "string_split",
    "string_strip",
    "string_to_hash_bucket",
    "string_to_hash_bucket_fast",
    "string_to_hash_bucket_strong",
    "string_to_number",
    "strings",
    "substr",
    "subtract",
    "summary",
    "svd",
    "switch_case",
    "tables_initializer",
    "tan",
    "tanh",
    "tensor_scatter_add",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensor_scatter_sub",
    "tensor_scatter_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "to_bfloat16",
    "to_complex64",
    "to_complex128",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
    "trace",
    "train",
    "trainable_variables",
    "transpose",
    "truediv",
    "truncated_normal",
    "truncated_normal_initializer",
    "truncatediv",
    "truncatemod",
    "tuple",
    "type_spec_from_value",
    "types",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uniform_unit_scaling_initializer",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "unstack",
    "variable_axis_size_partitioner",
    "variable_creator_scope",
    "variable_op_scope",
    "variable_scope",
    "variables_initializer",
    "variance_scaling_initializer",
    "variant",
    "vectorized_map",
    "verify_tensor_all_finite",
    "version",
    "where",
    "where_v2",
    "while_loop",
    "wrap_function",
    "write_file",
    "zeros",
    "zeros_initializer",
    "zeros_like",
    "zeta",
]

__getattr__ = _missing("tf1", __all__, __name__)
