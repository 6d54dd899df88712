"""The names of `pullback.compat.v2.math`, written by docs/make_exports.py."""

from pullback.compat.v2.math import special
from pullback.nn.activations import log_softmax
from pullback.nn.activations import softmax
from pullback.nn.normalization import l2_normalize
from pullback.ops.array.order import invert_permutation
from pullback.ops.effects.checks import is_non_decreasing
from pullback.ops.effects.checks import is_strictly_increasing
from pullback.ops.math.arithmetic import add
from pullback.ops.math.arithmetic import atan2
from pullback.ops.math.arithmetic import ceil
from pullback.ops.math.arithmetic import conj
from pullback.ops.math.arithmetic import floor
from pullback.ops.math.arithmetic import maximum
from pullback.ops.math.arithmetic import minimum
from pullback.ops.math.arithmetic import multiply
from pullback.ops.math.arithmetic import multiply_no_nan
from pullback.ops.math.arithmetic import negative
from pullback.ops.math.arithmetic import nextafter
from pullback.ops.math.arithmetic import rint
from pullback.ops.math.arithmetic import round
from pullback.ops.math.arithmetic import square
from pullback.ops.math.arithmetic import squared_difference
from pullback.ops.math.arithmetic import subtract
from pullback.ops.math.complex import angle
from pullback.ops.math.complex import imag
from pullback.ops.math.complex import real
from pullback.ops.math.division import divide
from pullback.ops.math.division import divide_no_nan
from pullback.ops.math.division import floordiv
from pullback.ops.math.division import floormod
from pullback.ops.math.division import floormod as mod
from pullback.ops.math.division import reciprocal_no_nan
from pullback.ops.math.division import truediv
from pullback.ops.math.division import xdivy
from pullback.ops.math.division import xlog1py
from pullback.ops.math.division import xlogy
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
from pullback.ops.math.sums import accumulate_n
from pullback.ops.math.sums import add_n
from pullback.ops.math.sums import polyval
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
from pullback.ops.nn.activations import softplus
from pullback.ops.nn.activations import softsign
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
from pullback.ops.random.sobol import sobol_sample
from pullback.ops.reduce.composed import count_nonzero
from pullback.ops.reduce.composed import reduce_logsumexp
from pullback.ops.reduce.composed import reduce_std
from pullback.ops.reduce.composed import reduce_variance
from pullback.ops.reduce.composed import zero_fraction
from pullback.ops.reduce.reductions import reduce_all
from pullback.ops.reduce.reductions import reduce_any
from pullback.ops.reduce.reductions import reduce_euclidean_norm
from pullback.ops.reduce.reductions import reduce_max
from pullback.ops.reduce.reductions import reduce_mean
from pullback.ops.reduce.reductions import reduce_min
from pullback.ops.reduce.reductions import reduce_prod
from pullback.ops.reduce.reductions import reduce_sum
from pullback.ops.reduce.scan import cumprod
from pullback.ops.reduce.scan import cumsum
from pullback.ops.reduce.scan import cumulative_logsumexp
from pullback.ops.search.counting import bincount
from pullback.ops.search.counting import confusion_matrix
from pullback.ops.search.sort import argmax
from pullback.ops.search.sort import argmin
from pullback.ops.search.sort import in_top_k
from pullback.ops.search.sort import top_k
from pullback.ops.search.sort_approximate import approx_max_k
from pullback.ops.search.sort_approximate import approx_min_k
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
from pullback.ops.special.functions import bessel_i0
from pullback.ops.special.functions import bessel_i0e
from pullback.ops.special.functions import bessel_i1
from pullback.ops.special.functions import bessel_i1e
from pullback.ops.special.functions import betainc
from pullback.ops.special.functions import erf
from pullback.ops.special.functions import erfc
from pullback.ops.special.functions import erfcinv
from pullback.ops.special.functions import erfinv
from pullback.ops.special.functions import igamma
from pullback.ops.special.functions import igammac
from pullback.ops.special.functions import lbeta
from pullback.ops.special.functions import ndtri
from pullback.ops.special.gamma import digamma
from pullback.ops.special.gamma import lgamma
from pullback.ops.special.gamma import polygamma
from pullback.ops.special.gamma import zeta

__all__ = [
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_n",
    "angle",
    "approx_max_k",
    "approx_min_k",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "betainc",
    "bincount",
    "ceil",
    "confusion_matrix",
    "conj",
    "cos",
    "cosh",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "digamma",
    "divide",
    "divide_no_nan",
    "equal",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "expm1",
    "floor",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "igamma",
    "igammac",
    "imag",
    "in_top_k",
    "invert_permutation",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_strictly_increasing",
    "l2_normalize",
    "lbeta",
    "less",
    "less_equal",
    "lgamma",
    "log",
    "log1p",
    "log_sigmoid",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "multiply_no_nan",
    "ndtri",
    "negative",
    "nextafter",
    "not_equal",
    "polygamma",
    "polyval",
    "pow",
    "real",
    "reciprocal",
    "reciprocal_no_nan",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "rint",
    "round",
    "rsqrt",
    "scalar_mul",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sobol_sample",
    "softmax",
    "softplus",
    "softsign",
    "special",
    "sqrt",
    "square",
    "squared_difference",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "truediv",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zero_fraction",
    "zeta",
]
