"""The names of `pullback.numpy_api`, written by docs/make_exports.py."""

from pullback.ir.tensor import Tensor as ndarray
from pullback.numpy_api import random
from pullback.numpy_api.arrays import array
from pullback.numpy_api.arrays import asanyarray
from pullback.numpy_api.arrays import asarray
from pullback.numpy_api.arrays import ascontiguousarray
from pullback.numpy_api.arrays import copy
from pullback.numpy_api.behavior import experimental_enable_numpy_behavior
from pullback.numpy_api.binary import add
from pullback.numpy_api.binary import allclose
from pullback.numpy_api.binary import arctan2
from pullback.numpy_api.binary import array_equal
from pullback.numpy_api.binary import bitwise_and
from pullback.numpy_api.binary import bitwise_or
from pullback.numpy_api.binary import bitwise_xor
from pullback.numpy_api.binary import clip
from pullback.numpy_api.binary import divide
from pullback.numpy_api.binary import divmod
from pullback.numpy_api.binary import equal
from pullback.numpy_api.binary import float_power
from pullback.numpy_api.binary import floor_divide
from pullback.numpy_api.binary import gcd
from pullback.numpy_api.binary import greater
from pullback.numpy_api.binary import greater_equal
from pullback.numpy_api.binary import heaviside
from pullback.numpy_api.binary import hypot
from pullback.numpy_api.binary import isclose
from pullback.numpy_api.binary import lcm
from pullback.numpy_api.binary import less
from pullback.numpy_api.binary import less_equal
from pullback.numpy_api.binary import logaddexp
from pullback.numpy_api.binary import logaddexp2
from pullback.numpy_api.binary import logical_and
from pullback.numpy_api.binary import logical_not
from pullback.numpy_api.binary import logical_or
from pullback.numpy_api.binary import logical_xor
from pullback.numpy_api.binary import maximum
from pullback.numpy_api.binary import minimum
from pullback.numpy_api.binary import mod
from pullback.numpy_api.binary import multiply
from pullback.numpy_api.binary import nextafter
from pullback.numpy_api.binary import not_equal
from pullback.numpy_api.binary import polyval
from pullback.numpy_api.binary import power
from pullback.numpy_api.binary import remainder
from pullback.numpy_api.binary import subtract
from pullback.numpy_api.binary import true_divide
from pullback.numpy_api.creation import arange
from pullback.numpy_api.creation import diag_indices
from pullback.numpy_api.creation import empty
from pullback.numpy_api.creation import empty_like
from pullback.numpy_api.creation import eye
from pullback.numpy_api.creation import full
from pullback.numpy_api.creation import full_like
from pullback.numpy_api.creation import geomspace
from pullback.numpy_api.creation import identity
from pullback.numpy_api.creation import linspace
from pullback.numpy_api.creation import logspace
from pullback.numpy_api.creation import meshgrid
from pullback.numpy_api.creation import ones
from pullback.numpy_api.creation import ones_like
from pullback.numpy_api.creation import tri
from pullback.numpy_api.creation import tril
from pullback.numpy_api.creation import triu
from pullback.numpy_api.creation import vander
from pullback.numpy_api.creation import zeros
from pullback.numpy_api.creation import zeros_like
from pullback.numpy_api.dtypes import bool_
from pullback.numpy_api.dtypes import complex128
from pullback.numpy_api.dtypes import complex64
from pullback.numpy_api.dtypes import complex_
from pullback.numpy_api.dtypes import finfo
from pullback.numpy_api.dtypes import float16
from pullback.numpy_api.dtypes import float32
from pullback.numpy_api.dtypes import float64
from pullback.numpy_api.dtypes import float_
from pullback.numpy_api.dtypes import iinfo
from pullback.numpy_api.dtypes import inexact
from pullback.numpy_api.dtypes import int16
from pullback.numpy_api.dtypes import int32
from pullback.numpy_api.dtypes import int64
from pullback.numpy_api.dtypes import int8
from pullback.numpy_api.dtypes import int_
from pullback.numpy_api.dtypes import iscomplexobj
from pullback.numpy_api.dtypes import isrealobj
from pullback.numpy_api.dtypes import issubdtype
from pullback.numpy_api.dtypes import object_
from pullback.numpy_api.dtypes import promote_types
from pullback.numpy_api.dtypes import result_type
from pullback.numpy_api.dtypes import string_
from pullback.numpy_api.dtypes import uint16
from pullback.numpy_api.dtypes import uint32
from pullback.numpy_api.dtypes import uint64
from pullback.numpy_api.dtypes import uint8
from pullback.numpy_api.dtypes import unicode_
from pullback.numpy_api.indexing import argmax
from pullback.numpy_api.indexing import argmin
from pullback.numpy_api.indexing import argsort
from pullback.numpy_api.indexing import compress
from pullback.numpy_api.indexing import diag
from pullback.numpy_api.indexing import diagflat
from pullback.numpy_api.indexing import diagonal
from pullback.numpy_api.indexing import ix_
from pullback.numpy_api.indexing import nonzero
from pullback.numpy_api.indexing import select
from pullback.numpy_api.indexing import sort
from pullback.numpy_api.indexing import take
from pullback.numpy_api.indexing import take_along_axis
from pullback.numpy_api.indexing import where
from pullback.numpy_api.joins import append
from pullback.numpy_api.joins import concatenate
from pullback.numpy_api.joins import dsplit
from pullback.numpy_api.joins import dstack
from pullback.numpy_api.joins import hsplit
from pullback.numpy_api.joins import hstack
from pullback.numpy_api.joins import split
from pullback.numpy_api.joins import stack
from pullback.numpy_api.joins import vsplit
from pullback.numpy_api.joins import vstack
from pullback.numpy_api.products import cross
from pullback.numpy_api.products import dot
from pullback.numpy_api.products import einsum
from pullback.numpy_api.products import inner
from pullback.numpy_api.products import kron
from pullback.numpy_api.products import matmul
from pullback.numpy_api.products import outer
from pullback.numpy_api.products import tensordot
from pullback.numpy_api.products import trace
from pullback.numpy_api.products import vdot
from pullback.numpy_api.reductions import all
from pullback.numpy_api.reductions import amax
from pullback.numpy_api.reductions import amin
from pullback.numpy_api.reductions import any
from pullback.numpy_api.reductions import average
from pullback.numpy_api.reductions import count_nonzero
from pullback.numpy_api.reductions import cumprod
from pullback.numpy_api.reductions import cumsum
from pullback.numpy_api.reductions import diff
from pullback.numpy_api.reductions import max
from pullback.numpy_api.reductions import mean
from pullback.numpy_api.reductions import min
from pullback.numpy_api.reductions import nanmean
from pullback.numpy_api.reductions import nanprod
from pullback.numpy_api.reductions import nansum
from pullback.numpy_api.reductions import prod
from pullback.numpy_api.reductions import ptp
from pullback.numpy_api.reductions import std
from pullback.numpy_api.reductions import sum
from pullback.numpy_api.reductions import var
from pullback.numpy_api.shapes import atleast_1d
from pullback.numpy_api.shapes import atleast_2d
from pullback.numpy_api.shapes import atleast_3d
from pullback.numpy_api.shapes import broadcast_arrays
from pullback.numpy_api.shapes import broadcast_to
from pullback.numpy_api.shapes import expand_dims
from pullback.numpy_api.shapes import flatten
from pullback.numpy_api.shapes import flip
from pullback.numpy_api.shapes import fliplr
from pullback.numpy_api.shapes import flipud
from pullback.numpy_api.shapes import isscalar
from pullback.numpy_api.shapes import moveaxis
from pullback.numpy_api.shapes import ndim
from pullback.numpy_api.shapes import pad
from pullback.numpy_api.shapes import ravel
from pullback.numpy_api.shapes import repeat
from pullback.numpy_api.shapes import reshape
from pullback.numpy_api.shapes import roll
from pullback.numpy_api.shapes import rot90
from pullback.numpy_api.shapes import shape
from pullback.numpy_api.shapes import size
from pullback.numpy_api.shapes import squeeze
from pullback.numpy_api.shapes import swapaxes
from pullback.numpy_api.shapes import tile
from pullback.numpy_api.shapes import transpose
from pullback.numpy_api.unary import abs
from pullback.numpy_api.unary import absolute
from pullback.numpy_api.unary import angle
from pullback.numpy_api.unary import arccos
from pullback.numpy_api.unary import arccosh
from pullback.numpy_api.unary import arcsin
from pullback.numpy_api.unary import arcsinh
from pullback.numpy_api.unary import arctan
from pullback.numpy_api.unary import arctanh
from pullback.numpy_api.unary import around
from pullback.numpy_api.unary import bitwise_not
from pullback.numpy_api.unary import cbrt
from pullback.numpy_api.unary import ceil
from pullback.numpy_api.unary import conj
from pullback.numpy_api.unary import conjugate
from pullback.numpy_api.unary import cos
from pullback.numpy_api.unary import cosh
from pullback.numpy_api.unary import deg2rad
from pullback.numpy_api.unary import e
from pullback.numpy_api.unary import exp
from pullback.numpy_api.unary import exp2
from pullback.numpy_api.unary import expm1
from pullback.numpy_api.unary import fabs
from pullback.numpy_api.unary import fix
from pullback.numpy_api.unary import floor
from pullback.numpy_api.unary import imag
from pullback.numpy_api.unary import inf
from pullback.numpy_api.unary import iscomplex
from pullback.numpy_api.unary import isfinite
from pullback.numpy_api.unary import isinf
from pullback.numpy_api.unary import isnan
from pullback.numpy_api.unary import isneginf
from pullback.numpy_api.unary import isposinf
from pullback.numpy_api.unary import isreal
from pullback.numpy_api.unary import log
from pullback.numpy_api.unary import log10
from pullback.numpy_api.unary import log1p
from pullback.numpy_api.unary import log2
from pullback.numpy_api.unary import negative
from pullback.numpy_api.unary import pi
from pullback.numpy_api.unary import positive
from pullback.numpy_api.unary import rad2deg
from pullback.numpy_api.unary import real
from pullback.numpy_api.unary import reciprocal
from pullback.numpy_api.unary import round
from pullback.numpy_api.unary import sign
from pullback.numpy_api.unary import signbit
from pullback.numpy_api.unary import sin
from pullback.numpy_api.unary import sinc
from pullback.numpy_api.unary import sinh
from pullback.numpy_api.unary import sqrt
from pullback.numpy_api.unary import square
from pullback.numpy_api.unary import tan
from pullback.numpy_api.unary import tanh
from pullback.ops.indexing.index import newaxis

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
