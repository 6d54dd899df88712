"""The names of `pullback.compat.v1.math`, written by docs/make_exports.py."""

from pullback.compat.v1.math import special as special
from pullback.nn.normalization import l2_normalize as l2_normalize
from pullback.ops.array.order import invert_permutation as invert_permutation
from pullback.ops.effects.checks import is_non_decreasing as is_non_decreasing
from pullback.ops.effects.checks import is_strictly_increasing as is_strictly_increasing
from pullback.ops.math.arithmetic import add as add
from pullback.ops.math.arithmetic import atan2 as atan2
from pullback.ops.math.arithmetic import ceil as ceil
from pullback.ops.math.arithmetic import conj as conj
from pullback.ops.math.arithmetic import floor as floor
from pullback.ops.math.arithmetic import maximum as maximum
from pullback.ops.math.arithmetic import minimum as minimum
from pullback.ops.math.arithmetic import multiply as multiply
from pullback.ops.math.arithmetic import multiply_no_nan as multiply_no_nan
from pullback.ops.math.arithmetic import negative as negative
from pullback.ops.math.arithmetic import nextafter as nextafter
from pullback.ops.math.arithmetic import rint as rint
from pullback.ops.math.arithmetic import round as round
from pullback.ops.math.arithmetic import square as square
from pullback.ops.math.arithmetic import squared_difference as squared_difference
from pullback.ops.math.arithmetic import subtract as subtract
from pullback.ops.math.complex import angle as angle
from pullback.ops.math.complex import imag as imag
from pullback.ops.math.complex import real as real
from pullback.ops.math.division import divide as divide
from pullback.ops.math.division import divide_no_nan as divide_no_nan
from pullback.ops.math.division import floordiv as floordiv
from pullback.ops.math.division import floormod as floormod
from pullback.ops.math.division import floormod as mod
from pullback.ops.math.division import reciprocal_no_nan as reciprocal_no_nan
from pullback.ops.math.division import truediv as truediv
from pullback.ops.math.division import xdivy as xdivy
from pullback.ops.math.division import xlog1py as xlog1py
from pullback.ops.math.division import xlogy as xlogy
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
from pullback.ops.math.sums import accumulate_n as accumulate_n
from pullback.ops.math.sums import add_n as add_n
from pullback.ops.math.sums import polyval as polyval
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
from pullback.ops.nn.softplus import log_sigmoid as log_sigmoid
from pullback.ops.nn.softplus import softplus as softplus
from pullback.ops.nn.softplus import softsign as softsign
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
from pullback.ops.random.sobol import sobol_sample as sobol_sample
from pullback.ops.reduce.composed import reduce_std as reduce_std
from pullback.ops.reduce.composed import reduce_variance as reduce_variance
from pullback.ops.reduce.composed import zero_fraction as zero_fraction
from pullback.ops.reduce.reductions import reduce_euclidean_norm as reduce_euclidean_norm
from pullback.ops.reduce.scan import cumprod as cumprod
from pullback.ops.reduce.scan import cumsum as cumsum
from pullback.ops.reduce.scan import cumulative_logsumexp as cumulative_logsumexp
from pullback.ops.search.sort import top_k as top_k
from pullback.ops.search.sort_approximate import approx_max_k as approx_max_k
from pullback.ops.search.sort_approximate import approx_min_k as approx_min_k
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
from pullback.ops.special.errors import erf as erf
from pullback.ops.special.errors import erfc as erfc
from pullback.ops.special.errors import erfcinv as erfcinv
from pullback.ops.special.errors import erfinv as erfinv
from pullback.ops.special.errors import ndtri as ndtri
from pullback.ops.special.functions import bessel_i0 as bessel_i0
from pullback.ops.special.functions import bessel_i0e as bessel_i0e
from pullback.ops.special.functions import bessel_i1 as bessel_i1
from pullback.ops.special.functions import bessel_i1e as bessel_i1e
from pullback.ops.special.functions import betainc as betainc
from pullback.ops.special.functions import igamma as igamma
from pullback.ops.special.functions import igammac as igammac
from pullback.ops.special.functions import lbeta as lbeta
from pullback.ops.special.gamma import digamma as digamma
from pullback.ops.special.gamma import lgamma as lgamma
from pullback.ops.special.gamma import polygamma as polygamma
from pullback.ops.special.gamma import zeta as zeta
from pullback.tensorflow.legacy.nn import log_softmax as log_softmax
from pullback.tensorflow.legacy.nn import softmax as softmax
from pullback.tensorflow.legacy.reduce import argmax as argmax
from pullback.tensorflow.legacy.reduce import argmin as argmin
from pullback.tensorflow.legacy.reduce import bincount as bincount
from pullback.tensorflow.legacy.reduce import confusion_matrix as confusion_matrix
from pullback.tensorflow.legacy.reduce import count_nonzero as count_nonzero
from pullback.tensorflow.legacy.reduce import in_top_k as in_top_k
from pullback.tensorflow.legacy.reduce import reduce_all as reduce_all
from pullback.tensorflow.legacy.reduce import reduce_any as reduce_any
from pullback.tensorflow.legacy.reduce import reduce_logsumexp as reduce_logsumexp
from pullback.tensorflow.legacy.reduce import reduce_max as reduce_max
from pullback.tensorflow.legacy.reduce import reduce_mean as reduce_mean
from pullback.tensorflow.legacy.reduce import reduce_min as reduce_min
from pullback.tensorflow.legacy.reduce import reduce_prod as reduce_prod
from pullback.tensorflow.legacy.reduce import reduce_sum as reduce_sum

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
