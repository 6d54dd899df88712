"""The names of `pullback.numpy_api`, written by docs/make_exports.py."""

from pullback.ir.tensor import Tensor as ndarray
from pullback.numpy_api import random as random
from pullback.numpy_api.arrays import array as array
from pullback.numpy_api.arrays import asanyarray as asanyarray
from pullback.numpy_api.arrays import asarray as asarray
from pullback.numpy_api.arrays import ascontiguousarray as ascontiguousarray
from pullback.numpy_api.arrays import copy as copy
from pullback.numpy_api.behavior import experimental_enable_numpy_behavior as experimental_enable_numpy_behavior
from pullback.numpy_api.binary import add as add
from pullback.numpy_api.binary import allclose as allclose
from pullback.numpy_api.binary import arctan2 as arctan2
from pullback.numpy_api.binary import array_equal as array_equal
from pullback.numpy_api.binary import bitwise_and as bitwise_and
from pullback.numpy_api.binary import bitwise_or as bitwise_or
from pullback.numpy_api.binary import bitwise_xor as bitwise_xor
from pullback.numpy_api.binary import clip as clip
from pullback.numpy_api.binary import divide as divide
from pullback.numpy_api.binary import divmod as divmod
from pullback.numpy_api.binary import equal as equal
from pullback.numpy_api.binary import float_power as float_power
from pullback.numpy_api.binary import floor_divide as floor_divide
from pullback.numpy_api.binary import gcd as gcd
from pullback.numpy_api.binary import greater as greater
from pullback.numpy_api.binary import greater_equal as greater_equal
from pullback.numpy_api.binary import heaviside as heaviside
from pullback.numpy_api.binary import hypot as hypot
from pullback.numpy_api.binary import isclose as isclose
from pullback.numpy_api.binary import lcm as lcm
from pullback.numpy_api.binary import less as less
from pullback.numpy_api.binary import less_equal as less_equal
from pullback.numpy_api.binary import logaddexp as logaddexp
from pullback.numpy_api.binary import logaddexp2 as logaddexp2
from pullback.numpy_api.binary import logical_and as logical_and
from pullback.numpy_api.binary import logical_not as logical_not
from pullback.numpy_api.binary import logical_or as logical_or
from pullback.numpy_api.binary import logical_xor as logical_xor
from pullback.numpy_api.binary import maximum as maximum
from pullback.numpy_api.binary import minimum as minimum
from pullback.numpy_api.binary import mod as mod
from pullback.numpy_api.binary import multiply as multiply
from pullback.numpy_api.binary import nextafter as nextafter
from pullback.numpy_api.binary import not_equal as not_equal
from pullback.numpy_api.binary import polyval as polyval
from pullback.numpy_api.binary import power as power
from pullback.numpy_api.binary import remainder as remainder
from pullback.numpy_api.binary import subtract as subtract
from pullback.numpy_api.binary import true_divide as true_divide
from pullback.numpy_api.creation import arange as arange
from pullback.numpy_api.creation import diag_indices as diag_indices
from pullback.numpy_api.creation import empty as empty
from pullback.numpy_api.creation import empty_like as empty_like
from pullback.numpy_api.creation import eye as eye
from pullback.numpy_api.creation import full as full
from pullback.numpy_api.creation import full_like as full_like
from pullback.numpy_api.creation import geomspace as geomspace
from pullback.numpy_api.creation import identity as identity
from pullback.numpy_api.creation import linspace as linspace
from pullback.numpy_api.creation import logspace as logspace
from pullback.numpy_api.creation import meshgrid as meshgrid
from pullback.numpy_api.creation import ones as ones
from pullback.numpy_api.creation import ones_like as ones_like
from pullback.numpy_api.creation import tri as tri
from pullback.numpy_api.creation import tril as tril
from pullback.numpy_api.creation import triu as triu
from pullback.numpy_api.creation import vander as vander
from pullback.numpy_api.creation import zeros as zeros
from pullback.numpy_api.creation import zeros_like as zeros_like
from pullback.numpy_api.dtypes import bool_ as bool_
from pullback.numpy_api.dtypes import complex128 as complex128
from pullback.numpy_api.dtypes import complex64 as complex64
from pullback.numpy_api.dtypes import complex_ as complex_
from pullback.numpy_api.dtypes import finfo as finfo
from pullback.numpy_api.dtypes import float16 as float16
from pullback.numpy_api.dtypes import float32 as float32
from pullback.numpy_api.dtypes import float64 as float64
from pullback.numpy_api.dtypes import float_ as float_
from pullback.numpy_api.dtypes import iinfo as iinfo
from pullback.numpy_api.dtypes import inexact as inexact
from pullback.numpy_api.dtypes import int16 as int16
from pullback.numpy_api.dtypes import int32 as int32
from pullback.numpy_api.dtypes import int64 as int64
from pullback.numpy_api.dtypes import int8 as int8
from pullback.numpy_api.dtypes import int_ as int_
from pullback.numpy_api.dtypes import iscomplexobj as iscomplexobj
from pullback.numpy_api.dtypes import isrealobj as isrealobj
from pullback.numpy_api.dtypes import issubdtype as issubdtype
from pullback.numpy_api.dtypes import object_ as object_
from pullback.numpy_api.dtypes import promote_types as promote_types
from pullback.numpy_api.dtypes import result_type as result_type
from pullback.numpy_api.dtypes import string_ as string_
from pullback.numpy_api.dtypes import uint16 as uint16
from pullback.numpy_api.dtypes import uint32 as uint32
from pullback.numpy_api.dtypes import uint64 as uint64
from pullback.numpy_api.dtypes import uint8 as uint8
from pullback.numpy_api.dtypes import unicode_ as unicode_
from pullback.numpy_api.indexing import argmax as argmax
from pullback.numpy_api.indexing import argmin as argmin
from pullback.numpy_api.indexing import argsort as argsort
from pullback.numpy_api.indexing import compress as compress
from pullback.numpy_api.indexing import diag as diag
from pullback.numpy_api.indexing import diagflat as diagflat
from pullback.numpy_api.indexing import diagonal as diagonal
from pullback.numpy_api.indexing import ix_ as ix_
from pullback.numpy_api.indexing import nonzero as nonzero
from pullback.numpy_api.indexing import select as select
from pullback.numpy_api.indexing import sort as sort
from pullback.numpy_api.indexing import take as take
from pullback.numpy_api.indexing import take_along_axis as take_along_axis
from pullback.numpy_api.indexing import where as where
from pullback.numpy_api.joins import append as append
from pullback.numpy_api.joins import concatenate as concatenate
from pullback.numpy_api.joins import dsplit as dsplit
from pullback.numpy_api.joins import dstack as dstack
from pullback.numpy_api.joins import hsplit as hsplit
from pullback.numpy_api.joins import hstack as hstack
from pullback.numpy_api.joins import split as split
from pullback.numpy_api.joins import stack as stack
from pullback.numpy_api.joins import vsplit as vsplit
from pullback.numpy_api.joins import vstack as vstack
from pullback.numpy_api.products import cross as cross
from pullback.numpy_api.products import dot as dot
from pullback.numpy_api.products import einsum as einsum
from pullback.numpy_api.products import inner as inner
from pullback.numpy_api.products import kron as kron
from pullback.numpy_api.products import matmul as matmul
from pullback.numpy_api.products import outer as outer
from pullback.numpy_api.products import tensordot as tensordot
from pullback.numpy_api.products import trace as trace
from pullback.numpy_api.products import vdot as vdot
from pullback.numpy_api.reductions import all as all
from pullback.numpy_api.reductions import amax as amax
from pullback.numpy_api.reductions import amin as amin
from pullback.numpy_api.reductions import any as any
from pullback.numpy_api.reductions import average as average
from pullback.numpy_api.reductions import count_nonzero as count_nonzero
from pullback.numpy_api.reductions import cumprod as cumprod
from pullback.numpy_api.reductions import cumsum as cumsum
from pullback.numpy_api.reductions import diff as diff
from pullback.numpy_api.reductions import max as max
from pullback.numpy_api.reductions import mean as mean
from pullback.numpy_api.reductions import min as min
from pullback.numpy_api.reductions import nanmean as nanmean
from pullback.numpy_api.reductions import nanprod as nanprod
from pullback.numpy_api.reductions import nansum as nansum
from pullback.numpy_api.reductions import prod as prod
from pullback.numpy_api.reductions import ptp as ptp
from pullback.numpy_api.reductions import std as std
from pullback.numpy_api.reductions import sum as sum
from pullback.numpy_api.reductions import var as var
from pullback.numpy_api.shapes import atleast_1d as atleast_1d
from pullback.numpy_api.shapes import atleast_2d as atleast_2d
from pullback.numpy_api.shapes import atleast_3d as atleast_3d
from pullback.numpy_api.shapes import broadcast_arrays as broadcast_arrays
from pullback.numpy_api.shapes import broadcast_to as broadcast_to
from pullback.numpy_api.shapes import expand_dims as expand_dims
from pullback.numpy_api.shapes import flatten as flatten
from pullback.numpy_api.shapes import flip as flip
from pullback.numpy_api.shapes import fliplr as fliplr
from pullback.numpy_api.shapes import flipud as flipud
from pullback.numpy_api.shapes import isscalar as isscalar
from pullback.numpy_api.shapes import moveaxis as moveaxis
from pullback.numpy_api.shapes import ndim as ndim
from pullback.numpy_api.shapes import pad as pad
from pullback.numpy_api.shapes import ravel as ravel
from pullback.numpy_api.shapes import repeat as repeat
from pullback.numpy_api.shapes import reshape as reshape
from pullback.numpy_api.shapes import roll as roll
from pullback.numpy_api.shapes import rot90 as rot90
from pullback.numpy_api.shapes import shape as shape
from pullback.numpy_api.shapes import size as size
from pullback.numpy_api.shapes import squeeze as squeeze
from pullback.numpy_api.shapes import swapaxes as swapaxes
from pullback.numpy_api.shapes import tile as tile
from pullback.numpy_api.shapes import transpose as transpose
from pullback.numpy_api.unary import abs as abs
from pullback.numpy_api.unary import absolute as absolute
from pullback.numpy_api.unary import angle as angle
from pullback.numpy_api.unary import arccos as arccos
from pullback.numpy_api.unary import arccosh as arccosh
from pullback.numpy_api.unary import arcsin as arcsin
from pullback.numpy_api.unary import arcsinh as arcsinh
from pullback.numpy_api.unary import arctan as arctan
from pullback.numpy_api.unary import arctanh as arctanh
from pullback.numpy_api.unary import around as around
from pullback.numpy_api.unary import bitwise_not as bitwise_not
from pullback.numpy_api.unary import cbrt as cbrt
from pullback.numpy_api.unary import ceil as ceil
from pullback.numpy_api.unary import conj as conj
from pullback.numpy_api.unary import conjugate as conjugate
from pullback.numpy_api.unary import cos as cos
from pullback.numpy_api.unary import cosh as cosh
from pullback.numpy_api.unary import deg2rad as deg2rad
from pullback.numpy_api.unary import e as e
from pullback.numpy_api.unary import exp as exp
from pullback.numpy_api.unary import exp2 as exp2
from pullback.numpy_api.unary import expm1 as expm1
from pullback.numpy_api.unary import fabs as fabs
from pullback.numpy_api.unary import fix as fix
from pullback.numpy_api.unary import floor as floor
from pullback.numpy_api.unary import imag as imag
from pullback.numpy_api.unary import inf as inf
from pullback.numpy_api.unary import iscomplex as iscomplex
from pullback.numpy_api.unary import isfinite as isfinite
from pullback.numpy_api.unary import isinf as isinf
from pullback.numpy_api.unary import isnan as isnan
from pullback.numpy_api.unary import isneginf as isneginf
from pullback.numpy_api.unary import isposinf as isposinf
from pullback.numpy_api.unary import isreal as isreal
from pullback.numpy_api.unary import log as log
from pullback.numpy_api.unary import log10 as log10
from pullback.numpy_api.unary import log1p as log1p
from pullback.numpy_api.unary import log2 as log2
from pullback.numpy_api.unary import negative as negative
from pullback.numpy_api.unary import pi as pi
from pullback.numpy_api.unary import positive as positive
from pullback.numpy_api.unary import rad2deg as rad2deg
from pullback.numpy_api.unary import real as real
from pullback.numpy_api.unary import reciprocal as reciprocal
from pullback.numpy_api.unary import round as round
from pullback.numpy_api.unary import sign as sign
from pullback.numpy_api.unary import signbit as signbit
from pullback.numpy_api.unary import sin as sin
from pullback.numpy_api.unary import sinc as sinc
from pullback.numpy_api.unary import sinh as sinh
from pullback.numpy_api.unary import sqrt as sqrt
from pullback.numpy_api.unary import square as square
from pullback.numpy_api.unary import tan as tan
from pullback.numpy_api.unary import tanh as tanh
from pullback.ops.indexing.index import newaxis as newaxis

__all__ = [
    "abs",
    "absolute",
    "add",
    "all",
    "allclose",
    "amax",
    "amin",
    "angle",
    "any",
    "append",
    "arange",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "argmax",
    "argmin",
    "argsort",
    "around",
    "array",
    "array_equal",
    "asanyarray",
    "asarray",
    "ascontiguousarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "average",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "bool_",
    "broadcast_arrays",
    "broadcast_to",
    "cbrt",
    "ceil",
    "clip",
    "complex128",
    "complex64",
    "complex_",
    "compress",
    "concatenate",
    "conj",
    "conjugate",
    "copy",
    "cos",
    "cosh",
    "count_nonzero",
    "cross",
    "cumprod",
    "cumsum",
    "deg2rad",
    "diag",
    "diag_indices",
    "diagflat",
    "diagonal",
    "diff",
    "divide",
    "divmod",
    "dot",
    "dsplit",
    "dstack",
    "e",
    "einsum",
    "empty",
    "empty_like",
    "equal",
    "exp",
    "exp2",
    "expand_dims",
    "experimental_enable_numpy_behavior",
    "expm1",
    "eye",
    "fabs",
    "finfo",
    "fix",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "float16",
    "float32",
    "float64",
    "float_",
    "float_power",
    "floor",
    "floor_divide",
    "full",
    "full_like",
    "gcd",
    "geomspace",
    "greater",
    "greater_equal",
    "heaviside",
    "hsplit",
    "hstack",
    "hypot",
    "identity",
    "iinfo",
    "imag",
    "inexact",
    "inf",
    "inner",
    "int16",
    "int32",
    "int64",
    "int8",
    "int_",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "ix_",
    "kron",
    "lcm",
    "less",
    "less_equal",
    "linspace",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logspace",
    "matmul",
    "max",
    "maximum",
    "mean",
    "meshgrid",
    "min",
    "minimum",
    "mod",
    "moveaxis",
    "multiply",
    "nanmean",
    "nanprod",
    "nansum",
    "ndarray",
    "ndim",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "object_",
    "ones",
    "ones_like",
    "outer",
    "pad",
    "pi",
    "polyval",
    "positive",
    "power",
    "prod",
    "promote_types",
    "ptp",
    "rad2deg",
    "random",
    "ravel",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "roll",
    "rot90",
    "round",
    "select",
    "shape",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "size",
    "sort",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "string_",
    "subtract",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "tri",
    "tril",
    "triu",
    "true_divide",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unicode_",
    "vander",
    "var",
    "vdot",
    "vsplit",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]
