"""The names of `pullback.compat.v1`, written by docs/make_exports.py."""

from pullback.api.collections import all_variables
from pullback.api.collections import assert_variables_initialized
from pullback.api.collections import assign
from pullback.api.collections import assign_add
from pullback.api.collections import assign_sub
from pullback.api.collections import global_variables
from pullback.api.collections import global_variables_initializer
from pullback.api.collections import initialize_all_variables
from pullback.api.collections import initialize_variables
from pullback.api.collections import is_variable_initialized
from pullback.api.collections import local_variables
from pullback.api.collections import local_variables_initializer as initialize_local_variables
from pullback.api.collections import local_variables_initializer
from pullback.api.collections import model_variables
from pullback.api.collections import moving_average_variables
from pullback.api.collections import report_uninitialized_variables
from pullback.api.collections import tables_initializer as initialize_all_tables
from pullback.api.collections import tables_initializer
from pullback.api.collections import trainable_variables
from pullback.api.collections import variables_initializer
from pullback.api.default import get_default_graph
from pullback.api.default import init_scope
from pullback.api.default import reset_default_graph
from pullback.api.gradients import gradients_v1 as gradients
from pullback.api.names import GraphKeys
from pullback.api.names import add_to_collection
from pullback.api.names import add_to_collections
from pullback.api.names import colocate_with
from pullback.api.names import container
from pullback.api.names import control_dependencies
from pullback.api.names import get_collection
from pullback.api.names import get_collection_ref
from pullback.api.names import name_scope
from pullback.api.names import placeholder
from pullback.api.names import placeholder_with_default
from pullback.api.parallel_for import vectorized_map
from pullback.api.partitioners import create_partitioned_variables
from pullback.api.partitioners import fixed_size_partitioner
from pullback.api.partitioners import min_max_variable_partitioner
from pullback.api.partitioners import variable_axis_size_partitioner
from pullback.api.recompute import recompute_grad
from pullback.api.session import InteractiveSession
from pullback.api.session import Session
from pullback.api.session import get_default_session
from pullback.api.tape import GradientTape
from pullback.api.templates import make_template
from pullback.api.templates import op_scope
from pullback.api.trace_state import is_symbolic_tensor
from pullback.api.unconnected import AggregationMethod
from pullback.api.unconnected import UnconnectedGradients
from pullback.api.variable_creators import variable_creator_scope
from pullback.api.variable_scope import AUTO_REUSE
from pullback.api.variable_scope import VariableScope
from pullback.api.variable_scope import get_variable
from pullback.api.variable_scope import get_variable_scope
from pullback.api.variable_scope import no_regularizer
from pullback.api.variable_scope import variable_op_scope
from pullback.api.variable_scope import variable_scope
from pullback.api.variable_v1 import VariableV1 as Variable
from pullback.base.device_spec import DeviceSpecV1 as DeviceSpec
from pullback.base.dtypes import DType
from pullback.base.dtypes import QUANTIZED as QUANTIZED_DTYPES
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
from pullback.base.errors import OpError
from pullback.base.shapes import Dimension
from pullback.base.shapes import TensorShape
from pullback.base.version import GIT_VERSION
from pullback.base.version import TENSORFLOW_VERSION as VERSION
from pullback.compat.v1 import app
from pullback.compat.v1 import audio
from pullback.compat.v1 import autodiff
from pullback.compat.v1 import autograph
from pullback.compat.v1 import bitwise
from pullback.compat.v1 import compat
from pullback.compat.v1 import config
from pullback.compat.v1 import contrib
from pullback.compat.v1 import data
from pullback.compat.v1 import debugging
from pullback.compat.v1 import distribute
from pullback.compat.v1 import distributions
from pullback.compat.v1 import dtypes
from pullback.compat.v1 import errors
from pullback.compat.v1 import examples
from pullback.compat.v1 import experimental
from pullback.compat.v1 import flags
from pullback.compat.v1 import gfile
from pullback.compat.v1 import image
from pullback.compat.v1 import initializers
from pullback.compat.v1 import io
from pullback.compat.v1 import layers
from pullback.compat.v1 import linalg
from pullback.compat.v1 import logging
from pullback.compat.v1 import lookup
from pullback.compat.v1 import losses
from pullback.compat.v1 import manip
from pullback.compat.v1 import math
from pullback.compat.v1 import metrics
from pullback.compat.v1 import nest
from pullback.compat.v1 import nn
from pullback.compat.v1 import python_io
from pullback.compat.v1 import quantization
from pullback.compat.v1 import queue
from pullback.compat.v1 import ragged
from pullback.compat.v1 import random
from pullback.compat.v1 import saved_model
from pullback.compat.v1 import sets
from pullback.compat.v1 import signal
from pullback.compat.v1 import sparse
from pullback.compat.v1 import spectral
from pullback.compat.v1 import strings
from pullback.compat.v1 import summary
from pullback.compat.v1 import test
from pullback.compat.v1 import train
from pullback.compat.v1 import types
from pullback.compat.v1 import version
from pullback.compat.v1 import xla
from pullback.control.cond import case
from pullback.control.cond import cond_v1 as cond
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
from pullback.control.while_loop import while_loop_v1 as while_loop
from pullback.interop.behavior import control_flow_v2_enabled
from pullback.interop.behavior import disable_control_flow_v2
from pullback.interop.behavior import disable_eager_execution
from pullback.interop.behavior import disable_resource_variables
from pullback.interop.behavior import disable_tensor_equality
from pullback.interop.behavior import disable_v2_behavior
from pullback.interop.behavior import disable_v2_tensorshape
from pullback.interop.behavior import enable_control_flow_v2
from pullback.interop.behavior import enable_eager_execution
from pullback.interop.behavior import enable_resource_variables
from pullback.interop.behavior import enable_tensor_equality
from pullback.interop.behavior import enable_v2_behavior
from pullback.interop.behavior import enable_v2_tensorshape
from pullback.interop.behavior import executing_eagerly_outside_functions
from pullback.interop.behavior import resource_variables_enabled
from pullback.interop.keras import keras
from pullback.interop.options import ConfigProto
from pullback.interop.options import GPUOptions
from pullback.interop.options import GraphOptions
from pullback.interop.options import OptimizerOptions
from pullback.interop.options import RunMetadata
from pullback.interop.options import RunOptions
from pullback.interop.options import VariableAggregation
from pullback.interop.options import VariableSynchronization
from pullback.interop.text import dimension_at_index
from pullback.interop.text import dimension_value
from pullback.ir.context import executing_eagerly
from pullback.ir.conversions import register_tensor_conversion_function
from pullback.ir.graph import Graph
from pullback.ir.indexed_slices import IndexedSlices
from pullback.ir.node import Node as Operation
from pullback.ir.tensor import Tensor
from pullback.ir.type_spec import TypeSpec
from pullback.ir.type_spec import type_spec_from_value
from pullback.nn.convolution_any import conv
from pullback.nn.initializers import Constant as constant_initializer
from pullback.nn.initializers import GlorotNormal as glorot_normal_initializer
from pullback.nn.initializers import GlorotUniform as glorot_uniform_initializer
from pullback.nn.initializers import Ones as ones_initializer
from pullback.nn.initializers import Orthogonal as orthogonal_initializer
from pullback.nn.initializers import RandomNormal as random_normal_initializer
from pullback.nn.initializers import RandomUniform as random_uniform_initializer
from pullback.nn.initializers import TruncatedNormal as truncated_normal_initializer
from pullback.nn.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
from pullback.nn.initializers import VarianceScaling as variance_scaling_initializer
from pullback.nn.initializers import Zeros as zeros_initializer
from pullback.ops.array.basic import broadcast_to
from pullback.ops.array.basic import fill
from pullback.ops.array.basic import identity
from pullback.ops.array.basic import reshape
from pullback.ops.array.blocks import required_space_to_batch_paddings
from pullback.ops.array.blocks import space_to_batch_nd
from pullback.ops.array.conversion import convert_to_tensor_or_indexed_slices
from pullback.ops.array.conversion import get_static_value
from pullback.ops.array.create import one_hot
from pullback.ops.array.create import ones
from pullback.ops.array.create import range
from pullback.ops.array.create import zeros
from pullback.ops.array.gather import batch_gather
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
from pullback.ops.array.order import invert_permutation
from pullback.ops.array.order import reverse
from pullback.ops.array.order import roll
from pullback.ops.array.scatter import tensor_scatter_nd_add
from pullback.ops.array.scatter import tensor_scatter_nd_max
from pullback.ops.array.scatter import tensor_scatter_nd_min
from pullback.ops.array.scatter import tensor_scatter_nd_sub
from pullback.ops.array.scatter import tensor_scatter_nd_update
from pullback.ops.array.shape import broadcast_dynamic_shape
from pullback.ops.array.shape import broadcast_static_shape
from pullback.ops.array.shape import ensure_shape
from pullback.ops.array.shape import rank
from pullback.ops.array.shape import shape_n
from pullback.ops.array.slice import slice
from pullback.ops.array.strided_slice import strided_slice
from pullback.ops.array.transpose import matrix_transpose
from pullback.ops.array.where import where as where_v2
from pullback.ops.constant import TensorSpec
from pullback.ops.constant import constant_v1 as constant
from pullback.ops.constant import is_tensor
from pullback.ops.effects.checks import check_numerics
from pullback.ops.effects.checks import is_non_decreasing
from pullback.ops.effects.checks import is_numeric_tensor
from pullback.ops.effects.checks import is_strictly_increasing
from pullback.ops.effects.debugging import timestamp
from pullback.ops.effects.operations import Assert
from pullback.ops.effects.operations import Print
from pullback.ops.effects.operations import group
from pullback.ops.effects.operations import no_op
from pullback.ops.effects.operations import print
from pullback.ops.effects.py_func import numpy_function
from pullback.ops.effects.py_func import py_func
from pullback.ops.effects.shapes import assert_integer
from pullback.ops.effects.shapes import assert_proper_iterable
from pullback.ops.effects.shapes import assert_same_float_dtype
from pullback.ops.effects.shapes import assert_type
from pullback.ops.files import read_file
from pullback.ops.files import write_file
from pullback.ops.indexing.index import newaxis
from pullback.ops.linalg.diag import band_part as matrix_band_part
from pullback.ops.linalg.diag import cross
from pullback.ops.linalg.diag import diag as matrix_diag
from pullback.ops.linalg.diag import diag_part as matrix_diag_part
from pullback.ops.linalg.diag import set_diag as matrix_set_diag
from pullback.ops.linalg.diag import trace
from pullback.ops.linalg.einsum import einsum
from pullback.ops.linalg.factor import cholesky
from pullback.ops.linalg.factor import cholesky_solve
from pullback.ops.linalg.factor import det as matrix_determinant
from pullback.ops.linalg.factor import inv as matrix_inverse
from pullback.ops.linalg.factor import solve as matrix_solve
from pullback.ops.linalg.factor import triangular_solve as matrix_triangular_solve
from pullback.ops.linalg.functions import sqrtm as matrix_square_root
from pullback.ops.linalg.least_squares import lstsq as matrix_solve_ls
from pullback.ops.linalg.products import matmul
from pullback.ops.linalg.products import tensordot
from pullback.ops.linalg.spectral import eigh as self_adjoint_eig
from pullback.ops.linalg.spectral import eigvalsh as self_adjoint_eigvals
from pullback.ops.linalg.spectral import qr
from pullback.ops.linalg.spectral import svd
from pullback.ops.math.arithmetic import add
from pullback.ops.math.arithmetic import atan2
from pullback.ops.math.arithmetic import ceil
from pullback.ops.math.arithmetic import conj
from pullback.ops.math.arithmetic import floor
from pullback.ops.math.arithmetic import maximum
from pullback.ops.math.arithmetic import minimum
from pullback.ops.math.arithmetic import multiply
from pullback.ops.math.arithmetic import negative
from pullback.ops.math.arithmetic import rint
from pullback.ops.math.arithmetic import round
from pullback.ops.math.arithmetic import square
from pullback.ops.math.arithmetic import squared_difference
from pullback.ops.math.arithmetic import subtract
from pullback.ops.math.complex import angle
from pullback.ops.math.complex import complex
from pullback.ops.math.complex import imag
from pullback.ops.math.complex import real
from pullback.ops.math.division import divide
from pullback.ops.math.division import divide_no_nan as div_no_nan
from pullback.ops.math.division import floordiv
from pullback.ops.math.division import floormod
from pullback.ops.math.division import floormod as mod
from pullback.ops.math.division import realdiv
from pullback.ops.math.division import truediv
from pullback.ops.math.division import truncatediv
from pullback.ops.math.division import truncatemod
from pullback.ops.math.functions import exp
from pullback.ops.math.functions import expm1
from pullback.ops.math.functions import log
from pullback.ops.math.functions import log1p
from pullback.ops.math.functions import reciprocal
from pullback.ops.math.functions import rsqrt
from pullback.ops.math.functions import sigmoid
from pullback.ops.math.functions import sqrt
from pullback.ops.math.functions import tanh
from pullback.ops.math.magnitude import abs
from pullback.ops.math.magnitude import sign
from pullback.ops.math.power import pow
from pullback.ops.math.saturate import clip_by_value
from pullback.ops.math.saturate import saturate_cast
from pullback.ops.math.sums import accumulate_n
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
from pullback.ops.nn.activations import log_sigmoid
from pullback.ops.nn.clip import clip_by_average_norm
from pullback.ops.nn.clip import clip_by_global_norm
from pullback.ops.nn.clip import clip_by_norm
from pullback.ops.nn.clip import global_norm
from pullback.ops.primitives.cast import cast
from pullback.ops.primitives.compare import equal
from pullback.ops.primitives.compare import greater
from pullback.ops.primitives.compare import greater_equal
from pullback.ops.primitives.compare import is_finite
from pullback.ops.primitives.compare import is_inf
from pullback.ops.primitives.compare import is_nan
from pullback.ops.primitives.compare import less
from pullback.ops.primitives.compare import less_equal
from pullback.ops.primitives.compare import logical_and
from pullback.ops.primitives.compare import logical_not
from pullback.ops.primitives.compare import logical_or
from pullback.ops.primitives.compare import logical_xor
from pullback.ops.primitives.compare import not_equal
from pullback.ops.random.functions import gamma as random_gamma
from pullback.ops.random.functions import normal as random_normal
from pullback.ops.random.functions import shuffle as random_shuffle
from pullback.ops.random.functions import truncated_normal
from pullback.ops.random.functions import uniform as random_uniform
from pullback.ops.random.index_shuffle import random_index_shuffle
from pullback.ops.random.seed import get_seed
from pullback.ops.reduce.scan import cumprod
from pullback.ops.reduce.scan import cumsum
from pullback.ops.resources.operations import count_up_to
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
from pullback.ops.search.search import setdiff1d
from pullback.ops.search.search import unique
from pullback.ops.search.search import unique_with_counts
from pullback.ops.search.search import unravel_index
from pullback.ops.search.sort import argsort
from pullback.ops.search.sort import sort
from pullback.ops.search.sort_approximate import approx_top_k
from pullback.ops.segment.dense import segment_max
from pullback.ops.segment.dense import segment_mean
from pullback.ops.segment.dense import segment_min
from pullback.ops.segment.dense import segment_prod
from pullback.ops.segment.dense import segment_sum
from pullback.ops.segment.dense import unsorted_segment_max
from pullback.ops.segment.dense import unsorted_segment_mean
from pullback.ops.segment.dense import unsorted_segment_min
from pullback.ops.segment.dense import unsorted_segment_prod
from pullback.ops.segment.dense import unsorted_segment_sqrt_n
from pullback.ops.segment.dense import unsorted_segment_sum
from pullback.ops.signal.fft_raw import fftnd
from pullback.ops.signal.fft_raw import ifftnd
from pullback.ops.signal.fft_raw import irfftnd
from pullback.ops.signal.fft_raw import rfftnd
from pullback.ops.signal.fourier import fft
from pullback.ops.signal.fourier import fft2d
from pullback.ops.signal.fourier import fft3d
from pullback.ops.signal.fourier import ifft
from pullback.ops.signal.fourier import ifft2d
from pullback.ops.signal.fourier import ifft3d
from pullback.ops.sparse.arithmetic import sparse_dense_matmul as sparse_tensor_dense_matmul
from pullback.ops.sparse.arithmetic import sparse_maximum
from pullback.ops.sparse.arithmetic import sparse_minimum
from pullback.ops.sparse.arithmetic import sparse_softmax
from pullback.ops.sparse.classes import SparseTensor
from pullback.ops.sparse.classes import SparseTensorSpec
from pullback.ops.sparse.classes import SparseTensorValue
from pullback.ops.sparse.classes import convert_to_tensor_or_sparse_tensor
from pullback.ops.sparse.functions import mask as sparse_mask
from pullback.ops.sparse.functions import sparse_fill_empty_rows
from pullback.ops.sparse.functions import sparse_reorder
from pullback.ops.sparse.functions import sparse_reset_shape
from pullback.ops.sparse.functions import sparse_reshape
from pullback.ops.sparse.functions import sparse_retain
from pullback.ops.sparse.functions import sparse_slice
from pullback.ops.sparse.functions import sparse_to_indicator
from pullback.ops.sparse.functions import sparse_transpose
from pullback.ops.sparse.functions import to_dense as sparse_tensor_to_dense
from pullback.ops.special.functions import betainc
from pullback.ops.special.functions import erf
from pullback.ops.special.functions import erfc
from pullback.ops.special.functions import igamma
from pullback.ops.special.functions import igammac
from pullback.ops.special.functions import lbeta
from pullback.ops.special.gamma import digamma
from pullback.ops.special.gamma import lgamma
from pullback.ops.special.gamma import polygamma
from pullback.ops.special.gamma import zeta
from pullback.ops.type_specs import IndexedSlicesSpec
from pullback.ops.type_specs import NoneTensorSpec
from pullback.ops.windows.conv_older import conv2d_backprop_filter_v2
from pullback.ops.windows.conv_older import conv2d_backprop_input_v2
from pullback.ops.windows.patches import extract_volume_patches
from pullback.tensorflow.datasets.features import FixedLenFeature
from pullback.tensorflow.datasets.features import FixedLenSequenceFeature
from pullback.tensorflow.datasets.features import SparseFeature
from pullback.tensorflow.datasets.features import VarLenFeature
from pullback.tensorflow.datasets.optional import OptionalSpec
from pullback.tensorflow.datasets.parsing import parse_example_v1 as parse_example
from pullback.tensorflow.datasets.parsing import parse_single_example_v1 as parse_single_example
from pullback.tensorflow.datasets.parsing import parse_single_sequence_example
from pullback.tensorflow.images.random import random_crop
from pullback.tensorflow.legacy.array import batch_to_space
from pullback.tensorflow.legacy.array import batch_to_space_nd
from pullback.tensorflow.legacy.array import boolean_mask
from pullback.tensorflow.legacy.array import depth_to_space
from pullback.tensorflow.legacy.array import expand_dims
from pullback.tensorflow.legacy.array import gather
from pullback.tensorflow.legacy.array import gather_nd
from pullback.tensorflow.legacy.array import lin_space
from pullback.tensorflow.legacy.array import ones_like
from pullback.tensorflow.legacy.array import pad
from pullback.tensorflow.legacy.array import parallel_stack
from pullback.tensorflow.legacy.array import reverse_sequence
from pullback.tensorflow.legacy.array import reverse_v2
from pullback.tensorflow.legacy.array import shape
from pullback.tensorflow.legacy.array import size
from pullback.tensorflow.legacy.array import space_to_batch
from pullback.tensorflow.legacy.array import space_to_depth
from pullback.tensorflow.legacy.array import squeeze
from pullback.tensorflow.legacy.array import tensor_scatter_add
from pullback.tensorflow.legacy.array import tensor_scatter_sub
from pullback.tensorflow.legacy.array import tensor_scatter_update
from pullback.tensorflow.legacy.array import transpose
from pullback.tensorflow.legacy.array import zeros_like
from pullback.tensorflow.legacy.asserts import assert_equal
from pullback.tensorflow.legacy.asserts import assert_greater
from pullback.tensorflow.legacy.asserts import assert_greater_equal
from pullback.tensorflow.legacy.asserts import assert_less
from pullback.tensorflow.legacy.asserts import assert_less_equal
from pullback.tensorflow.legacy.asserts import assert_near
from pullback.tensorflow.legacy.asserts import assert_negative
from pullback.tensorflow.legacy.asserts import assert_non_negative
from pullback.tensorflow.legacy.asserts import assert_non_positive
from pullback.tensorflow.legacy.asserts import assert_none_equal
from pullback.tensorflow.legacy.asserts import assert_positive
from pullback.tensorflow.legacy.asserts import assert_rank
from pullback.tensorflow.legacy.asserts import assert_rank_at_least
from pullback.tensorflow.legacy.asserts import assert_rank_in
from pullback.tensorflow.legacy.asserts import assert_scalar
from pullback.tensorflow.legacy.core import convert_to_tensor
from pullback.tensorflow.legacy.core import device
from pullback.tensorflow.legacy.core import get_local_variable
from pullback.tensorflow.legacy.core import hessians
from pullback.tensorflow.legacy.core import tuple
from pullback.tensorflow.legacy.debugging import add_check_numerics_ops
from pullback.tensorflow.legacy.image import extract_image_patches
from pullback.tensorflow.legacy.linalg import diag
from pullback.tensorflow.legacy.linalg import diag_part
from pullback.tensorflow.legacy.linalg import sparse_matmul
from pullback.tensorflow.legacy.math import div
from pullback.tensorflow.legacy.math import floor_div
from pullback.tensorflow.legacy.math import to_bfloat16
from pullback.tensorflow.legacy.math import to_complex128
from pullback.tensorflow.legacy.math import to_complex64
from pullback.tensorflow.legacy.math import to_double
from pullback.tensorflow.legacy.math import to_float
from pullback.tensorflow.legacy.math import to_int32
from pullback.tensorflow.legacy.math import to_int64
from pullback.tensorflow.legacy.math import verify_tensor_all_finite
from pullback.tensorflow.legacy.math import where
from pullback.tensorflow.legacy.quantization import quantize_v2
from pullback.tensorflow.legacy.random import multinomial
from pullback.tensorflow.legacy.random import random_poisson
from pullback.tensorflow.legacy.random import set_random_seed
from pullback.tensorflow.legacy.reduce import arg_max
from pullback.tensorflow.legacy.reduce import arg_min
from pullback.tensorflow.legacy.reduce import argmax
from pullback.tensorflow.legacy.reduce import argmin
from pullback.tensorflow.legacy.reduce import bincount
from pullback.tensorflow.legacy.reduce import confusion_matrix
from pullback.tensorflow.legacy.reduce import count_nonzero
from pullback.tensorflow.legacy.reduce import norm
from pullback.tensorflow.legacy.reduce import reduce_all
from pullback.tensorflow.legacy.reduce import reduce_any
from pullback.tensorflow.legacy.reduce import reduce_logsumexp
from pullback.tensorflow.legacy.reduce import reduce_max
from pullback.tensorflow.legacy.reduce import reduce_mean
from pullback.tensorflow.legacy.reduce import reduce_min
from pullback.tensorflow.legacy.reduce import reduce_prod
from pullback.tensorflow.legacy.reduce import reduce_sum
from pullback.tensorflow.legacy.sparse import sparse_add
from pullback.tensorflow.legacy.sparse import sparse_concat
from pullback.tensorflow.legacy.sparse import sparse_merge
from pullback.tensorflow.legacy.sparse import sparse_placeholder
from pullback.tensorflow.legacy.sparse import sparse_reduce_max
from pullback.tensorflow.legacy.sparse import sparse_reduce_max_sparse
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum_sparse
from pullback.tensorflow.legacy.sparse import sparse_segment_mean
from pullback.tensorflow.legacy.sparse import sparse_segment_sqrt_n
from pullback.tensorflow.legacy.sparse import sparse_segment_sum
from pullback.tensorflow.legacy.sparse import sparse_split
from pullback.tensorflow.legacy.sparse import sparse_to_dense
from pullback.tensorflow.legacy.state import batch_scatter_update
from pullback.tensorflow.legacy.state import scatter_add
from pullback.tensorflow.legacy.state import scatter_div
from pullback.tensorflow.legacy.state import scatter_max
from pullback.tensorflow.legacy.state import scatter_min
from pullback.tensorflow.legacy.state import scatter_mul
from pullback.tensorflow.legacy.state import scatter_nd_add
from pullback.tensorflow.legacy.state import scatter_nd_sub
from pullback.tensorflow.legacy.state import scatter_nd_update
from pullback.tensorflow.legacy.state import scatter_sub
from pullback.tensorflow.legacy.state import scatter_update
from pullback.tensorflow.legacy.strings import decode_raw
from pullback.tensorflow.legacy.strings import reduce_join
from pullback.tensorflow.legacy.strings import string_split
from pullback.tensorflow.legacy.strings import substr
from pullback.tensorflow.legacy.strings import to_hash_bucket as string_to_hash_bucket
from pullback.tensorflow.legacy.strings import to_number as string_to_number
from pullback.tensorflow.logging import get_logger
from pullback.tensorflow.quantization.quantize import dequantize
from pullback.tensorflow.quantization.quantize import quantize
from pullback.tensorflow.quantization.quantize import quantized_concat
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel_gradient
from pullback.tensorflow.queues.accumulator_classes import ConditionalAccumulator
from pullback.tensorflow.queues.accumulator_classes import ConditionalAccumulatorBase
from pullback.tensorflow.queues.accumulator_classes import SparseConditionalAccumulator
from pullback.tensorflow.queues.classes import FIFOQueue
from pullback.tensorflow.queues.classes import PaddingFIFOQueue
from pullback.tensorflow.queues.classes import PriorityQueue
from pullback.tensorflow.queues.classes import QueueBase
from pullback.tensorflow.queues.classes import RandomShuffleQueue
from pullback.tensorflow.ragged.classes import RaggedTensor
from pullback.tensorflow.ragged.classes import RaggedTensorSpec
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows_grad
from pullback.tensorflow.raw_ops import operations as raw_ops
from pullback.tensorflow.strings.base64 import decode_base64
from pullback.tensorflow.strings.base64 import encode_base64
from pullback.tensorflow.strings.distance import edit_distance
from pullback.tensorflow.strings.hash import fingerprint
from pullback.tensorflow.strings.hash import to_hash_bucket_fast as string_to_hash_bucket_fast
from pullback.tensorflow.strings.hash import to_hash_bucket_strong as string_to_hash_bucket_strong
from pullback.tensorflow.strings.join import join as string_join
from pullback.tensorflow.strings.numbers import as_string
from pullback.tensorflow.strings.regex import regex_replace
from pullback.tensorflow.strings.substrings import strip as string_strip
from pullback.tensorflow.summary.message import HistogramProto
from pullback.tensorflow.summary.message import Summary
from pullback.tensorflow.summary.message import SummaryMetadata
from pullback.trace.function import function
from pullback.trace.wrapped import wrap_function
from pullback.train.module import Module
from pullback.transforms.registry import RegisterGradient
from pullback.transforms.registry import not_differentiable as NoGradient
from pullback.transforms.registry import not_differentiable as NotDifferentiable
from pullback.transforms.registry import not_differentiable as no_gradient

__all__ = [
    "AUTO_REUSE",
    "AggregationMethod",
    "Assert",
    "ConditionalAccumulator",
    "ConditionalAccumulatorBase",
    "ConfigProto",
    "DType",
    "DeviceSpec",
    "Dimension",
    "FIFOQueue",
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "GIT_VERSION",
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
    "OptionalSpec",
    "PaddingFIFOQueue",
    "Print",
    "PriorityQueue",
    "QUANTIZED_DTYPES",
    "QueueBase",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RandomShuffleQueue",
    "RegisterGradient",
    "RunMetadata",
    "RunOptions",
    "Session",
    "SparseConditionalAccumulator",
    "SparseFeature",
    "SparseTensor",
    "SparseTensorSpec",
    "SparseTensorValue",
    "Summary",
    "SummaryMetadata",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "VERSION",
    "VarLenFeature",
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
    "audio",
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
    "complex128",
    "complex64",
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
    "data",
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
    "distribute",
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
    "examples",
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
    "int16",
    "int32",
    "int64",
    "int8",
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
    "lookup",
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
    "parse_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "placeholder",
    "placeholder_with_default",
    "polygamma",
    "pow",
    "print",
    "py_func",
    "py_function",
    "python_io",
    "qint16",
    "qint32",
    "qint8",
    "qr",
    "quantization",
    "quantize",
    "quantize_v2",
    "quantized_concat",
    "queue",
    "quint16",
    "quint8",
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
    "saved_model",
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
    "to_complex128",
    "to_complex64",
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
    "uint16",
    "uint32",
    "uint64",
    "uint8",
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
    "xla",
    "zeros",
    "zeros_initializer",
    "zeros_like",
    "zeta",
]
__version__: str
