"""The names of `pullback.compat.v1`, written by docs/make_exports.py."""

from pullback.api.collections import all_variables as all_variables
from pullback.api.collections import assert_variables_initialized as assert_variables_initialized
from pullback.api.collections import assign as assign
from pullback.api.collections import assign_add as assign_add
from pullback.api.collections import assign_sub as assign_sub
from pullback.api.collections import global_variables as global_variables
from pullback.api.collections import global_variables_initializer as global_variables_initializer
from pullback.api.collections import initialize_all_variables as initialize_all_variables
from pullback.api.collections import initialize_variables as initialize_variables
from pullback.api.collections import is_variable_initialized as is_variable_initialized
from pullback.api.collections import local_variables as local_variables
from pullback.api.collections import local_variables_initializer as initialize_local_variables
from pullback.api.collections import local_variables_initializer as local_variables_initializer
from pullback.api.collections import model_variables as model_variables
from pullback.api.collections import moving_average_variables as moving_average_variables
from pullback.api.collections import report_uninitialized_variables as report_uninitialized_variables
from pullback.api.collections import tables_initializer as initialize_all_tables
from pullback.api.collections import tables_initializer as tables_initializer
from pullback.api.collections import trainable_variables as trainable_variables
from pullback.api.collections import variables_initializer as variables_initializer
from pullback.api.default import get_default_graph as get_default_graph
from pullback.api.default import reset_default_graph as reset_default_graph
from pullback.api.endpoints import AggregationMethod as AggregationMethod
from pullback.api.endpoints import UnconnectedGradients as UnconnectedGradients
from pullback.api.gradients import gradients_v1 as gradients
from pullback.api.initializers import Constant as constant_initializer
from pullback.api.initializers import GlorotNormal as glorot_normal_initializer
from pullback.api.initializers import GlorotUniform as glorot_uniform_initializer
from pullback.api.initializers import Ones as ones_initializer
from pullback.api.initializers import Orthogonal as orthogonal_initializer
from pullback.api.initializers import RandomNormal as random_normal_initializer
from pullback.api.initializers import RandomUniform as random_uniform_initializer
from pullback.api.initializers import TruncatedNormal as truncated_normal_initializer
from pullback.api.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
from pullback.api.initializers import VarianceScaling as variance_scaling_initializer
from pullback.api.initializers import Zeros as zeros_initializer
from pullback.api.names import GraphKeys as GraphKeys
from pullback.api.names import add_to_collection as add_to_collection
from pullback.api.names import add_to_collections as add_to_collections
from pullback.api.names import colocate_with as colocate_with
from pullback.api.names import container as container
from pullback.api.names import control_dependencies as control_dependencies
from pullback.api.names import get_collection as get_collection
from pullback.api.names import get_collection_ref as get_collection_ref
from pullback.api.names import init_scope as init_scope
from pullback.api.names import name_scope as name_scope
from pullback.api.names import placeholder as placeholder
from pullback.api.names import placeholder_with_default as placeholder_with_default
from pullback.api.parallel_for import vectorized_map as vectorized_map
from pullback.api.partitioners import create_partitioned_variables as create_partitioned_variables
from pullback.api.partitioners import fixed_size_partitioner as fixed_size_partitioner
from pullback.api.partitioners import min_max_variable_partitioner as min_max_variable_partitioner
from pullback.api.partitioners import variable_axis_size_partitioner as variable_axis_size_partitioner
from pullback.api.recompute import recompute_grad as recompute_grad
from pullback.api.session import InteractiveSession as InteractiveSession
from pullback.api.session import Session as Session
from pullback.api.session import get_default_session as get_default_session
from pullback.api.tape import GradientTape as GradientTape
from pullback.api.templates import make_template as make_template
from pullback.api.templates import op_scope as op_scope
from pullback.api.trace_state import is_symbolic_tensor as is_symbolic_tensor
from pullback.api.variable_creators import VariableAggregation as VariableAggregation
from pullback.api.variable_creators import VariableSynchronization as VariableSynchronization
from pullback.api.variable_creators import variable_creator_scope as variable_creator_scope
from pullback.api.variable_scope import AUTO_REUSE as AUTO_REUSE
from pullback.api.variable_scope import VariableScope as VariableScope
from pullback.api.variable_scope import get_variable as get_variable
from pullback.api.variable_scope import get_variable_scope as get_variable_scope
from pullback.api.variable_scope import no_regularizer as no_regularizer
from pullback.api.variable_scope import variable_op_scope as variable_op_scope
from pullback.api.variable_scope import variable_scope as variable_scope
from pullback.api.variable_v1 import VariableV1 as Variable
from pullback.base.device_spec import DeviceSpecV1 as DeviceSpec
from pullback.base.dtypes import DType as DType
from pullback.base.dtypes import QUANTIZED as QUANTIZED_DTYPES
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
from pullback.base.errors import OpError as OpError
from pullback.base.shapes import Dimension as Dimension
from pullback.base.shapes import TensorShape as TensorShape
from pullback.base.version import GIT_VERSION as GIT_VERSION
from pullback.base.version import TENSORFLOW_VERSION as VERSION
from pullback.compat.v1 import app as app
from pullback.compat.v1 import audio as audio
from pullback.compat.v1 import autodiff as autodiff
from pullback.compat.v1 import autograph as autograph
from pullback.compat.v1 import bitwise as bitwise
from pullback.compat.v1 import compat as compat
from pullback.compat.v1 import config as config
from pullback.compat.v1 import contrib as contrib
from pullback.compat.v1 import data as data
from pullback.compat.v1 import debugging as debugging
from pullback.compat.v1 import distribute as distribute
from pullback.compat.v1 import distributions as distributions
from pullback.compat.v1 import dtypes as dtypes
from pullback.compat.v1 import errors as errors
from pullback.compat.v1 import examples as examples
from pullback.compat.v1 import experimental as experimental
from pullback.compat.v1 import flags as flags
from pullback.compat.v1 import gfile as gfile
from pullback.compat.v1 import graph_util as graph_util
from pullback.compat.v1 import image as image
from pullback.compat.v1 import initializers as initializers
from pullback.compat.v1 import io as io
from pullback.compat.v1 import layers as layers
from pullback.compat.v1 import linalg as linalg
from pullback.compat.v1 import logging as logging
from pullback.compat.v1 import lookup as lookup
from pullback.compat.v1 import losses as losses
from pullback.compat.v1 import manip as manip
from pullback.compat.v1 import math as math
from pullback.compat.v1 import metrics as metrics
from pullback.compat.v1 import nest as nest
from pullback.compat.v1 import nn as nn
from pullback.compat.v1 import python_io as python_io
from pullback.compat.v1 import quantization as quantization
from pullback.compat.v1 import queue as queue
from pullback.compat.v1 import ragged as ragged
from pullback.compat.v1 import random as random
from pullback.compat.v1 import saved_model as saved_model
from pullback.compat.v1 import sets as sets
from pullback.compat.v1 import signal as signal
from pullback.compat.v1 import sparse as sparse
from pullback.compat.v1 import spectral as spectral
from pullback.compat.v1 import strings as strings
from pullback.compat.v1 import summary as summary
from pullback.compat.v1 import sysconfig as sysconfig
from pullback.compat.v1 import test as test
from pullback.compat.v1 import train as train
from pullback.compat.v1 import types as types
from pullback.compat.v1 import version as version
from pullback.compat.v1 import xla as xla
from pullback.control.cond import case as case
from pullback.control.cond import cond_v1 as cond
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
from pullback.control.while_loop import while_loop_v1 as while_loop
from pullback.interop.behavior import control_flow_v2_enabled as control_flow_v2_enabled
from pullback.interop.behavior import disable_control_flow_v2 as disable_control_flow_v2
from pullback.interop.behavior import disable_eager_execution as disable_eager_execution
from pullback.interop.behavior import disable_resource_variables as disable_resource_variables
from pullback.interop.behavior import disable_tensor_equality as disable_tensor_equality
from pullback.interop.behavior import disable_v2_behavior as disable_v2_behavior
from pullback.interop.behavior import disable_v2_tensorshape as disable_v2_tensorshape
from pullback.interop.behavior import enable_control_flow_v2 as enable_control_flow_v2
from pullback.interop.behavior import enable_eager_execution as enable_eager_execution
from pullback.interop.behavior import enable_resource_variables as enable_resource_variables
from pullback.interop.behavior import enable_tensor_equality as enable_tensor_equality
from pullback.interop.behavior import enable_v2_behavior as enable_v2_behavior
from pullback.interop.behavior import enable_v2_tensorshape as enable_v2_tensorshape
from pullback.interop.behavior import executing_eagerly_outside_functions as executing_eagerly_outside_functions
from pullback.interop.behavior import resource_variables_enabled as resource_variables_enabled
from pullback.interop.keras import keras as keras
from pullback.interop.options import ConfigProto as ConfigProto
from pullback.interop.options import GPUOptions as GPUOptions
from pullback.interop.options import GraphOptions as GraphOptions
from pullback.interop.options import OptimizerOptions as OptimizerOptions
from pullback.interop.options import RunMetadata as RunMetadata
from pullback.interop.options import RunOptions as RunOptions
from pullback.interop.text import dimension_at_index as dimension_at_index
from pullback.interop.text import dimension_value as dimension_value
from pullback.ir.context import executing_eagerly as executing_eagerly
from pullback.ir.conversions import register_tensor_conversion_function as register_tensor_conversion_function
from pullback.ir.graph import Graph as Graph
from pullback.ir.indexed_slices import IndexedSlices as IndexedSlices
from pullback.ir.node import Node as Operation
from pullback.ir.tensor import Tensor as Tensor
from pullback.ir.type_spec import TypeSpec as TypeSpec
from pullback.ir.type_spec import type_spec_from_value as type_spec_from_value
from pullback.nn.convolution_any import conv as conv
from pullback.ops.array.basic import broadcast_to as broadcast_to
from pullback.ops.array.basic import fill as fill
from pullback.ops.array.basic import identity as identity
from pullback.ops.array.basic import reshape as reshape
from pullback.ops.array.blocks import required_space_to_batch_paddings as required_space_to_batch_paddings
from pullback.ops.array.blocks import space_to_batch_nd as space_to_batch_nd
from pullback.ops.array.conversion import convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices
from pullback.ops.array.conversion import get_static_value as get_static_value
from pullback.ops.array.create import one_hot as one_hot
from pullback.ops.array.create import ones as ones
from pullback.ops.array.create import range as range
from pullback.ops.array.create import zeros as zeros
from pullback.ops.array.eye import eye as eye
from pullback.ops.array.gather import batch_gather as batch_gather
from pullback.ops.array.gather_nd import scatter_nd as scatter_nd
from pullback.ops.array.identity import bitcast as bitcast
from pullback.ops.array.identity import guarantee_const as guarantee_const
from pullback.ops.array.identity import identity_n as identity_n
from pullback.ops.array.identity import stop_gradient as stop_gradient
from pullback.ops.array.join import concat as concat
from pullback.ops.array.join import split as split
from pullback.ops.array.join import stack as stack
from pullback.ops.array.join import unstack as unstack
from pullback.ops.array.order import invert_permutation as invert_permutation
from pullback.ops.array.order import reverse as reverse
from pullback.ops.array.order import roll as roll
from pullback.ops.array.scatter import tensor_scatter_nd_add as tensor_scatter_nd_add
from pullback.ops.array.scatter import tensor_scatter_nd_max as tensor_scatter_nd_max
from pullback.ops.array.scatter import tensor_scatter_nd_min as tensor_scatter_nd_min
from pullback.ops.array.scatter import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from pullback.ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from pullback.ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_update
from pullback.ops.array.shape import broadcast_dynamic_shape as broadcast_dynamic_shape
from pullback.ops.array.shape import broadcast_static_shape as broadcast_static_shape
from pullback.ops.array.shape import ensure_shape as ensure_shape
from pullback.ops.array.shape import rank as rank
from pullback.ops.array.shape import shape_n as shape_n
from pullback.ops.array.slice import slice as slice
from pullback.ops.array.strided_slice import strided_slice as strided_slice
from pullback.ops.array.tile import tile as tile
from pullback.ops.array.transpose import matrix_transpose as matrix_transpose
from pullback.ops.array.where import where as where_v2
from pullback.ops.constant import TensorSpec as TensorSpec
from pullback.ops.constant import constant_v1 as constant
from pullback.ops.constant import is_tensor as is_tensor
from pullback.ops.effects.checks import check_numerics as check_numerics
from pullback.ops.effects.checks import is_non_decreasing as is_non_decreasing
from pullback.ops.effects.checks import is_numeric_tensor as is_numeric_tensor
from pullback.ops.effects.checks import is_strictly_increasing as is_strictly_increasing
from pullback.ops.effects.debugging import timestamp as timestamp
from pullback.ops.effects.operations import Assert as Assert
from pullback.ops.effects.operations import Print as Print
from pullback.ops.effects.operations import group as group
from pullback.ops.effects.operations import no_op as no_op
from pullback.ops.effects.operations import print as print
from pullback.ops.effects.py_func import numpy_function as numpy_function
from pullback.ops.effects.py_func import py_func as py_func
from pullback.ops.effects.shapes import assert_proper_iterable as assert_proper_iterable
from pullback.ops.effects.shapes import assert_same_float_dtype as assert_same_float_dtype
from pullback.ops.files import read_file as read_file
from pullback.ops.files import write_file as write_file
from pullback.ops.indexing.index import newaxis as newaxis
from pullback.ops.linalg.diag import band_part as matrix_band_part
from pullback.ops.linalg.diag import cross as cross
from pullback.ops.linalg.diag import diag as matrix_diag
from pullback.ops.linalg.diag import diag_part as matrix_diag_part
from pullback.ops.linalg.diag import set_diag as matrix_set_diag
from pullback.ops.linalg.diag import tensor_diag_part as diag_part
from pullback.ops.linalg.diag import trace as trace
from pullback.ops.linalg.einsum import einsum as einsum
from pullback.ops.linalg.factor import cholesky as cholesky
from pullback.ops.linalg.factor import cholesky_solve as cholesky_solve
from pullback.ops.linalg.factor import det as matrix_determinant
from pullback.ops.linalg.factor import inv as matrix_inverse
from pullback.ops.linalg.factor import solve as matrix_solve
from pullback.ops.linalg.factor import triangular_solve as matrix_triangular_solve
from pullback.ops.linalg.functions import sqrtm as matrix_square_root
from pullback.ops.linalg.least_squares import lstsq as matrix_solve_ls
from pullback.ops.linalg.products import matmul as matmul
from pullback.ops.linalg.products import tensordot as tensordot
from pullback.ops.linalg.spectral import eigh as self_adjoint_eig
from pullback.ops.linalg.spectral import eigvalsh as self_adjoint_eigvals
from pullback.ops.linalg.spectral import qr as qr
from pullback.ops.linalg.spectral import svd as svd
from pullback.ops.math.arithmetic import add as add
from pullback.ops.math.arithmetic import atan2 as atan2
from pullback.ops.math.arithmetic import ceil as ceil
from pullback.ops.math.arithmetic import conj as conj
from pullback.ops.math.arithmetic import floor as floor
from pullback.ops.math.arithmetic import maximum as maximum
from pullback.ops.math.arithmetic import minimum as minimum
from pullback.ops.math.arithmetic import multiply as multiply
from pullback.ops.math.arithmetic import negative as negative
from pullback.ops.math.arithmetic import rint as rint
from pullback.ops.math.arithmetic import round as round
from pullback.ops.math.arithmetic import square as square
from pullback.ops.math.arithmetic import squared_difference as squared_difference
from pullback.ops.math.arithmetic import subtract as subtract
from pullback.ops.math.complex import angle as angle
from pullback.ops.math.complex import complex as complex
from pullback.ops.math.complex import imag as imag
from pullback.ops.math.complex import real as real
from pullback.ops.math.division import div as div
from pullback.ops.math.division import divide as divide
from pullback.ops.math.division import divide_no_nan as div_no_nan
from pullback.ops.math.division import floordiv as floordiv
from pullback.ops.math.division import floormod as floormod
from pullback.ops.math.division import floormod as mod
from pullback.ops.math.division import realdiv as realdiv
from pullback.ops.math.division import truediv as truediv
from pullback.ops.math.division import truncatediv as truncatediv
from pullback.ops.math.division import truncatemod as truncatemod
from pullback.ops.math.functions import exp as exp
from pullback.ops.math.functions import expm1 as expm1
from pullback.ops.math.functions import log as log
from pullback.ops.math.functions import log1p as log1p
from pullback.ops.math.functions import reciprocal as reciprocal
from pullback.ops.math.functions import rsqrt as rsqrt
from pullback.ops.math.functions import sigmoid as sigmoid
from pullback.ops.math.functions import sqrt as sqrt
from pullback.ops.math.functions import tanh as tanh
from pullback.ops.math.magnitude import abs as abs
from pullback.ops.math.magnitude import sign as sign
from pullback.ops.math.power import pow as pow
from pullback.ops.math.saturate import clip_by_value as clip_by_value
from pullback.ops.math.saturate import saturate_cast as saturate_cast
from pullback.ops.math.sums import accumulate_n as accumulate_n
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
from pullback.ops.nn.clip import clip_by_average_norm as clip_by_average_norm
from pullback.ops.nn.clip import clip_by_global_norm as clip_by_global_norm
from pullback.ops.nn.clip import clip_by_norm as clip_by_norm
from pullback.ops.nn.clip import global_norm as global_norm
from pullback.ops.nn.softplus import log_sigmoid as log_sigmoid
from pullback.ops.primitives.cast import cast as cast
from pullback.ops.primitives.compare import equal as equal
from pullback.ops.primitives.compare import greater as greater
from pullback.ops.primitives.compare import greater_equal as greater_equal
from pullback.ops.primitives.compare import is_finite as is_finite
from pullback.ops.primitives.compare import is_inf as is_inf
from pullback.ops.primitives.compare import is_nan as is_nan
from pullback.ops.primitives.compare import less as less
from pullback.ops.primitives.compare import less_equal as less_equal
from pullback.ops.primitives.compare import logical_and as logical_and
from pullback.ops.primitives.compare import logical_not as logical_not
from pullback.ops.primitives.compare import logical_or as logical_or
from pullback.ops.primitives.compare import logical_xor as logical_xor
from pullback.ops.primitives.compare import not_equal as not_equal
from pullback.ops.random.functions import gamma as random_gamma
from pullback.ops.random.functions import normal as random_normal
from pullback.ops.random.functions import shuffle as random_shuffle
from pullback.ops.random.functions import truncated_normal as truncated_normal
from pullback.ops.random.functions import uniform as random_uniform
from pullback.ops.random.index_shuffle import random_index_shuffle as random_index_shuffle
from pullback.ops.random.seed import get_seed as get_seed
from pullback.ops.reduce.scan import cumprod as cumprod
from pullback.ops.reduce.scan import cumsum as cumsum
from pullback.ops.resources.operations import count_up_to as count_up_to
from pullback.ops.search.composed import linspace as lin_space
from pullback.ops.search.composed import linspace as linspace
from pullback.ops.search.composed import meshgrid as meshgrid
from pullback.ops.search.composed import repeat as repeat
from pullback.ops.search.composed import sequence_mask as sequence_mask
from pullback.ops.search.counting import histogram_fixed_width as histogram_fixed_width
from pullback.ops.search.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from pullback.ops.search.partition import dynamic_partition as dynamic_partition
from pullback.ops.search.partition import dynamic_stitch as dynamic_stitch
from pullback.ops.search.search import searchsorted as searchsorted
from pullback.ops.search.search import setdiff1d as setdiff1d
from pullback.ops.search.search import unique as unique
from pullback.ops.search.search import unique_with_counts as unique_with_counts
from pullback.ops.search.search import unravel_index as unravel_index
from pullback.ops.search.sort import argsort as argsort
from pullback.ops.search.sort import sort as sort
from pullback.ops.search.sort_approximate import approx_top_k as approx_top_k
from pullback.ops.segment.dense import segment_max as segment_max
from pullback.ops.segment.dense import segment_mean as segment_mean
from pullback.ops.segment.dense import segment_min as segment_min
from pullback.ops.segment.dense import segment_prod as segment_prod
from pullback.ops.segment.dense import segment_sum as segment_sum
from pullback.ops.segment.dense import unsorted_segment_max as unsorted_segment_max
from pullback.ops.segment.dense import unsorted_segment_mean as unsorted_segment_mean
from pullback.ops.segment.dense import unsorted_segment_min as unsorted_segment_min
from pullback.ops.segment.dense import unsorted_segment_prod as unsorted_segment_prod
from pullback.ops.segment.dense import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from pullback.ops.segment.dense import unsorted_segment_sum as unsorted_segment_sum
from pullback.ops.signal.fft_raw import fftnd as fftnd
from pullback.ops.signal.fft_raw import ifftnd as ifftnd
from pullback.ops.signal.fft_raw import irfftnd as irfftnd
from pullback.ops.signal.fft_raw import rfftnd as rfftnd
from pullback.ops.signal.fourier import fft as fft
from pullback.ops.signal.fourier import fft2d as fft2d
from pullback.ops.signal.fourier import fft3d as fft3d
from pullback.ops.signal.fourier import ifft as ifft
from pullback.ops.signal.fourier import ifft2d as ifft2d
from pullback.ops.signal.fourier import ifft3d as ifft3d
from pullback.ops.sparse.arithmetic import sparse_dense_matmul as sparse_tensor_dense_matmul
from pullback.ops.sparse.arithmetic import sparse_maximum as sparse_maximum
from pullback.ops.sparse.arithmetic import sparse_minimum as sparse_minimum
from pullback.ops.sparse.arithmetic import sparse_softmax as sparse_softmax
from pullback.ops.sparse.classes import SparseTensor as SparseTensor
from pullback.ops.sparse.classes import SparseTensorSpec as SparseTensorSpec
from pullback.ops.sparse.classes import SparseTensorValue as SparseTensorValue
from pullback.ops.sparse.classes import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from pullback.ops.sparse.functions import mask as sparse_mask
from pullback.ops.sparse.functions import sparse_fill_empty_rows as sparse_fill_empty_rows
from pullback.ops.sparse.functions import sparse_reorder as sparse_reorder
from pullback.ops.sparse.functions import sparse_reset_shape as sparse_reset_shape
from pullback.ops.sparse.functions import sparse_reshape as sparse_reshape
from pullback.ops.sparse.functions import sparse_retain as sparse_retain
from pullback.ops.sparse.functions import sparse_slice as sparse_slice
from pullback.ops.sparse.functions import sparse_to_indicator as sparse_to_indicator
from pullback.ops.sparse.functions import sparse_transpose as sparse_transpose
from pullback.ops.sparse.functions import to_dense as sparse_tensor_to_dense
from pullback.ops.special.errors import erf as erf
from pullback.ops.special.errors import erfc as erfc
from pullback.ops.special.functions import betainc as betainc
from pullback.ops.special.functions import igamma as igamma
from pullback.ops.special.functions import igammac as igammac
from pullback.ops.special.functions import lbeta as lbeta
from pullback.ops.special.gamma import digamma as digamma
from pullback.ops.special.gamma import lgamma as lgamma
from pullback.ops.special.gamma import polygamma as polygamma
from pullback.ops.special.gamma import zeta as zeta
from pullback.ops.type_specs import IndexedSlicesSpec as IndexedSlicesSpec
from pullback.ops.type_specs import NoneTensorSpec as NoneTensorSpec
from pullback.ops.windows.conv_backprop_v2 import conv2d_backprop_filter_v2 as conv2d_backprop_filter_v2
from pullback.ops.windows.conv_backprop_v2 import conv2d_backprop_input_v2 as conv2d_backprop_input_v2
from pullback.ops.windows.patches import extract_volume_patches as extract_volume_patches
from pullback.tensorflow.datasets.features import FixedLenFeature as FixedLenFeature
from pullback.tensorflow.datasets.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from pullback.tensorflow.datasets.features import SparseFeature as SparseFeature
from pullback.tensorflow.datasets.features import VarLenFeature as VarLenFeature
from pullback.tensorflow.datasets.optional import OptionalSpec as OptionalSpec
from pullback.tensorflow.datasets.parsing import parse_example_v1 as parse_example
from pullback.tensorflow.datasets.parsing import parse_single_example_v1 as parse_single_example
from pullback.tensorflow.datasets.parsing import parse_single_sequence_example as parse_single_sequence_example
from pullback.tensorflow.files.tensor_messages import make_ndarray as make_ndarray
from pullback.tensorflow.files.tensor_messages import make_tensor_proto as make_tensor_proto
from pullback.tensorflow.files.tensor_messages import parse_tensor as parse_tensor
from pullback.tensorflow.files.tensor_messages import serialize_tensor as serialize_tensor
from pullback.tensorflow.images.random import random_crop as random_crop
from pullback.tensorflow.legacy.array import batch_to_space as batch_to_space
from pullback.tensorflow.legacy.array import batch_to_space_nd as batch_to_space_nd
from pullback.tensorflow.legacy.array import boolean_mask as boolean_mask
from pullback.tensorflow.legacy.array import depth_to_space as depth_to_space
from pullback.tensorflow.legacy.array import expand_dims as expand_dims
from pullback.tensorflow.legacy.array import gather as gather
from pullback.tensorflow.legacy.array import gather_nd as gather_nd
from pullback.tensorflow.legacy.array import ones_like as ones_like
from pullback.tensorflow.legacy.array import pad as pad
from pullback.tensorflow.legacy.array import parallel_stack as parallel_stack
from pullback.tensorflow.legacy.array import reverse_sequence as reverse_sequence
from pullback.tensorflow.legacy.array import reverse_v2 as reverse_v2
from pullback.tensorflow.legacy.array import shape as shape
from pullback.tensorflow.legacy.array import size as size
from pullback.tensorflow.legacy.array import space_to_batch as space_to_batch
from pullback.tensorflow.legacy.array import space_to_depth as space_to_depth
from pullback.tensorflow.legacy.array import squeeze as squeeze
from pullback.tensorflow.legacy.array import tensor_scatter_add as tensor_scatter_add
from pullback.tensorflow.legacy.array import tensor_scatter_sub as tensor_scatter_sub
from pullback.tensorflow.legacy.array import transpose as transpose
from pullback.tensorflow.legacy.array import zeros_like as zeros_like
from pullback.tensorflow.legacy.asserts import assert_equal as assert_equal
from pullback.tensorflow.legacy.asserts import assert_greater as assert_greater
from pullback.tensorflow.legacy.asserts import assert_greater_equal as assert_greater_equal
from pullback.tensorflow.legacy.asserts import assert_integer as assert_integer
from pullback.tensorflow.legacy.asserts import assert_less as assert_less
from pullback.tensorflow.legacy.asserts import assert_less_equal as assert_less_equal
from pullback.tensorflow.legacy.asserts import assert_near as assert_near
from pullback.tensorflow.legacy.asserts import assert_negative as assert_negative
from pullback.tensorflow.legacy.asserts import assert_non_negative as assert_non_negative
from pullback.tensorflow.legacy.asserts import assert_non_positive as assert_non_positive
from pullback.tensorflow.legacy.asserts import assert_none_equal as assert_none_equal
from pullback.tensorflow.legacy.asserts import assert_positive as assert_positive
from pullback.tensorflow.legacy.asserts import assert_rank as assert_rank
from pullback.tensorflow.legacy.asserts import assert_rank_at_least as assert_rank_at_least
from pullback.tensorflow.legacy.asserts import assert_rank_in as assert_rank_in
from pullback.tensorflow.legacy.asserts import assert_scalar as assert_scalar
from pullback.tensorflow.legacy.asserts import assert_type as assert_type
from pullback.tensorflow.legacy.core import convert_to_tensor as convert_to_tensor
from pullback.tensorflow.legacy.core import device as device
from pullback.tensorflow.legacy.core import get_local_variable as get_local_variable
from pullback.tensorflow.legacy.core import hessians as hessians
from pullback.tensorflow.legacy.core import tuple as tuple
from pullback.tensorflow.legacy.debugging import add_check_numerics_ops as add_check_numerics_ops
from pullback.tensorflow.legacy.image import extract_image_patches as extract_image_patches
from pullback.tensorflow.legacy.linalg import diag as diag
from pullback.tensorflow.legacy.linalg import sparse_matmul as sparse_matmul
from pullback.tensorflow.legacy.math import floor_div as floor_div
from pullback.tensorflow.legacy.math import to_bfloat16 as to_bfloat16
from pullback.tensorflow.legacy.math import to_complex128 as to_complex128
from pullback.tensorflow.legacy.math import to_complex64 as to_complex64
from pullback.tensorflow.legacy.math import to_double as to_double
from pullback.tensorflow.legacy.math import to_float as to_float
from pullback.tensorflow.legacy.math import to_int32 as to_int32
from pullback.tensorflow.legacy.math import to_int64 as to_int64
from pullback.tensorflow.legacy.math import verify_tensor_all_finite as verify_tensor_all_finite
from pullback.tensorflow.legacy.math import where as where
from pullback.tensorflow.legacy.quantization import quantize_v2 as quantize_v2
from pullback.tensorflow.legacy.random import multinomial as multinomial
from pullback.tensorflow.legacy.random import random_poisson as random_poisson
from pullback.tensorflow.legacy.random import set_random_seed as set_random_seed
from pullback.tensorflow.legacy.reduce import arg_max as arg_max
from pullback.tensorflow.legacy.reduce import arg_min as arg_min
from pullback.tensorflow.legacy.reduce import argmax as argmax
from pullback.tensorflow.legacy.reduce import argmin as argmin
from pullback.tensorflow.legacy.reduce import bincount as bincount
from pullback.tensorflow.legacy.reduce import confusion_matrix as confusion_matrix
from pullback.tensorflow.legacy.reduce import count_nonzero as count_nonzero
from pullback.tensorflow.legacy.reduce import norm as norm
from pullback.tensorflow.legacy.reduce import reduce_all as reduce_all
from pullback.tensorflow.legacy.reduce import reduce_any as reduce_any
from pullback.tensorflow.legacy.reduce import reduce_logsumexp as reduce_logsumexp
from pullback.tensorflow.legacy.reduce import reduce_max as reduce_max
from pullback.tensorflow.legacy.reduce import reduce_mean as reduce_mean
from pullback.tensorflow.legacy.reduce import reduce_min as reduce_min
from pullback.tensorflow.legacy.reduce import reduce_prod as reduce_prod
from pullback.tensorflow.legacy.reduce import reduce_sum as reduce_sum
from pullback.tensorflow.legacy.sparse import sparse_add as sparse_add
from pullback.tensorflow.legacy.sparse import sparse_concat as sparse_concat
from pullback.tensorflow.legacy.sparse import sparse_merge as sparse_merge
from pullback.tensorflow.legacy.sparse import sparse_placeholder as sparse_placeholder
from pullback.tensorflow.legacy.sparse import sparse_reduce_max as sparse_reduce_max
from pullback.tensorflow.legacy.sparse import sparse_reduce_max_sparse as sparse_reduce_max_sparse
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum as sparse_reduce_sum
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum_sparse as sparse_reduce_sum_sparse
from pullback.tensorflow.legacy.sparse import sparse_segment_mean as sparse_segment_mean
from pullback.tensorflow.legacy.sparse import sparse_segment_sqrt_n as sparse_segment_sqrt_n
from pullback.tensorflow.legacy.sparse import sparse_segment_sum as sparse_segment_sum
from pullback.tensorflow.legacy.sparse import sparse_split as sparse_split
from pullback.tensorflow.legacy.sparse import sparse_to_dense as sparse_to_dense
from pullback.tensorflow.legacy.state import batch_scatter_update as batch_scatter_update
from pullback.tensorflow.legacy.state import scatter_add as scatter_add
from pullback.tensorflow.legacy.state import scatter_div as scatter_div
from pullback.tensorflow.legacy.state import scatter_max as scatter_max
from pullback.tensorflow.legacy.state import scatter_min as scatter_min
from pullback.tensorflow.legacy.state import scatter_mul as scatter_mul
from pullback.tensorflow.legacy.state import scatter_nd_add as scatter_nd_add
from pullback.tensorflow.legacy.state import scatter_nd_sub as scatter_nd_sub
from pullback.tensorflow.legacy.state import scatter_nd_update as scatter_nd_update
from pullback.tensorflow.legacy.state import scatter_sub as scatter_sub
from pullback.tensorflow.legacy.state import scatter_update as scatter_update
from pullback.tensorflow.legacy.strings import decode_raw as decode_raw
from pullback.tensorflow.legacy.strings import reduce_join as reduce_join
from pullback.tensorflow.legacy.strings import string_split as string_split
from pullback.tensorflow.legacy.strings import substr as substr
from pullback.tensorflow.legacy.strings import to_hash_bucket as string_to_hash_bucket
from pullback.tensorflow.legacy.strings import to_number as string_to_number
from pullback.tensorflow.logging import get_logger as get_logger
from pullback.tensorflow.meta_graphs.meta_graph import MetaGraph as MetaGraphDef
from pullback.tensorflow.pipelines.producers import matching_files as matching_files
from pullback.tensorflow.pipelines.readers import FixedLengthRecordReader as FixedLengthRecordReader
from pullback.tensorflow.pipelines.readers import IdentityReader as IdentityReader
from pullback.tensorflow.pipelines.readers import ReaderBase as ReaderBase
from pullback.tensorflow.pipelines.readers import TFRecordReader as TFRecordReader
from pullback.tensorflow.pipelines.readers import TextLineReader as TextLineReader
from pullback.tensorflow.pipelines.readers import WholeFileReader as WholeFileReader
from pullback.tensorflow.quantization.quantize import dequantize as dequantize
from pullback.tensorflow.quantization.quantize import quantize as quantize
from pullback.tensorflow.quantization.quantize import quantized_concat as quantized_concat
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from pullback.tensorflow.queues.accumulator_classes import ConditionalAccumulator as ConditionalAccumulator
from pullback.tensorflow.queues.accumulator_classes import ConditionalAccumulatorBase as ConditionalAccumulatorBase
from pullback.tensorflow.queues.accumulator_classes import SparseConditionalAccumulator as SparseConditionalAccumulator
from pullback.tensorflow.queues.classes import FIFOQueue as FIFOQueue
from pullback.tensorflow.queues.classes import PaddingFIFOQueue as PaddingFIFOQueue
from pullback.tensorflow.queues.classes import PriorityQueue as PriorityQueue
from pullback.tensorflow.queues.classes import QueueBase as QueueBase
from pullback.tensorflow.queues.classes import RandomShuffleQueue as RandomShuffleQueue
from pullback.tensorflow.ragged.classes import RaggedTensor as RaggedTensor
from pullback.tensorflow.ragged.classes import RaggedTensorSpec as RaggedTensorSpec
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows as ragged_fill_empty_rows
from pullback.tensorflow.ragged.math import ragged_fill_empty_rows_grad as ragged_fill_empty_rows_grad
from pullback.tensorflow.raw_ops import operations as raw_ops
from pullback.tensorflow.strings.base64 import decode_base64 as decode_base64
from pullback.tensorflow.strings.base64 import encode_base64 as encode_base64
from pullback.tensorflow.strings.csv import decode_csv_v1 as decode_csv
from pullback.tensorflow.strings.distance import edit_distance as edit_distance
from pullback.tensorflow.strings.hash import fingerprint as fingerprint
from pullback.tensorflow.strings.hash import to_hash_bucket_fast as string_to_hash_bucket_fast
from pullback.tensorflow.strings.hash import to_hash_bucket_strong as string_to_hash_bucket_strong
from pullback.tensorflow.strings.join import join as string_join
from pullback.tensorflow.strings.numbers import as_string as as_string
from pullback.tensorflow.strings.regex import regex_replace as regex_replace
from pullback.tensorflow.strings.substrings import strip as string_strip
from pullback.tensorflow.summary.message import Event as Event
from pullback.tensorflow.summary.message import HistogramProto as HistogramProto
from pullback.tensorflow.summary.message import Summary as Summary
from pullback.tensorflow.summary.message import SummaryMetadata as SummaryMetadata
from pullback.trace.function import function as function
from pullback.trace.wrapped import wrap_function as wrap_function
from pullback.train.module import Module as Module
from pullback.transforms.registry import RegisterGradient as RegisterGradient
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
    "Event",
    "FIFOQueue",
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "FixedLengthRecordReader",
    "GIT_VERSION",
    "GPUOptions",
    "GradientTape",
    "Graph",
    "GraphKeys",
    "GraphOptions",
    "HistogramProto",
    "IdentityReader",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "InteractiveSession",
    "MetaGraphDef",
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
    "ReaderBase",
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
    "TFRecordReader",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TextLineReader",
    "TypeSpec",
    "UnconnectedGradients",
    "VERSION",
    "VarLenFeature",
    "Variable",
    "VariableAggregation",
    "VariableScope",
    "VariableSynchronization",
    "WholeFileReader",
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
    "decode_csv",
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
    "graph_util",
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
    "make_ndarray",
    "make_template",
    "make_tensor_proto",
    "manip",
    "map_fn",
    "matching_files",
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
    "parse_tensor",
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
    "serialize_tensor",
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
    "sysconfig",
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
