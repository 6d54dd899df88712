"""The names of `pullback.tnp`, written by docs/make_exports.py."""

from pullback.ir.tensor import Tensor as ndarray
from pullback.ops.indexing.index import newaxis
from pullback.tnp import random
from pullback.tnp.arrays import array
from pullback.tnp.arrays import asanyarray
from pullback.tnp.arrays import asarray
from pullback.tnp.arrays import ascontiguousarray
from pullback.tnp.arrays import copy
from pullback.tnp.behavior import experimental_enable_numpy_behavior
from pullback.tnp.binary import add
from pullback.tnp.binary import allclose
from pullback.tnp.binary import arctan2
from pullback.tnp.binary import array_equal
from pullback.tnp.binary import bitwise_and
from pullback.tnp.binary import bitwise_or
from pullback.tnp.binary import bitwise_xor
from pullback.tnp.binary import clip
from pullback.tnp.binary import divide
from pullback.tnp.binary import divmod
from pullback.tnp.binary import equal
from pullback.tnp.binary import float_power
from pullback.tnp.binary import floor_divide
from pullback.tnp.binary import gcd
from pullback.tnp.binary import greater
from pullback.tnp.binary import greater_equal
from pullback.tnp.binary import heaviside
from pullback.tnp.binary import hypot
from pullback.tnp.binary import isclose
from pullback.tnp.binary import lcm
from pullback.tnp.binary import less
from pullback.tnp.binary import less_equal
from pullback.tnp.binary import logaddexp
from pullback.tnp.binary import logaddexp2
from pullback.tnp.binary import logical_and
from pullback.tnp.binary import logical_not
from pullback.tnp.binary import logical_or
from pullback.tnp.binary import logical_xor
from pullback.tnp.binary import maximum
from pullback.tnp.binary import minimum
from pullback.tnp.binary import mod
from pullback.tnp.binary import multiply
from pullback.tnp.binary import nextafter
from pullback.tnp.binary import not_equal
from pullback.tnp.binary import polyval
from pullback.tnp.binary import power
from pullback.tnp.binary import remainder
from pullback.tnp.binary import subtract
from pullback.tnp.binary import true_divide
from pullback.tnp.creation import arange
from pullback.tnp.creation import diag_indices
from pullback.tnp.creation import empty
from pullback.tnp.creation import empty_like
from pullback.tnp.creation import eye
from pullback.tnp.creation import full
from pullback.tnp.creation import full_like
from pullback.tnp.creation import geomspace
from pullback.tnp.creation import identity
from pullback.tnp.creation import linspace
from pullback.tnp.creation import logspace
from pullback.tnp.creation import meshgrid
from pullback.tnp.creation import ones
from pullback.tnp.creation import ones_like
from pullback.tnp.creation import tri
from pullback.tnp.creation import tril
from pullback.tnp.creation import triu
from pullback.tnp.creation import vander
from pullback.tnp.creation import zeros
from pullback.tnp.creation import zeros_like
from pullback.tnp.dtypes import bool_
from pullback.tnp.dtypes import complex128
from pullback.tnp.dtypes import complex64
from pullback.tnp.dtypes import complex_
from pullback.tnp.dtypes import finfo
from pullback.tnp.dtypes import float16
from pullback.tnp.dtypes import float32
from pullback.tnp.dtypes import float64
from pullback.tnp.dtypes import float_
from pullback.tnp.dtypes import iinfo
from pullback.tnp.dtypes import inexact
from pullback.tnp.dtypes import int16
from pullback.tnp.dtypes import int32
from pullback.tnp.dtypes import int64
from pullback.tnp.dtypes import int8
from pullback.tnp.dtypes import int_
from pullback.tnp.dtypes import iscomplexobj
from pullback.tnp.dtypes import isrealobj
from pullback.tnp.dtypes import issubdtype
from pullback.tnp.dtypes import object_
from pullback.tnp.dtypes import promote_types
from pullback.tnp.dtypes import result_type
from pullback.tnp.dtypes import string_
from pullback.tnp.dtypes import uint16
from pullback.tnp.dtypes import uint32
from pullback.tnp.dtypes import uint64
from pullback.tnp.dtypes import uint8
from pullback.tnp.dtypes import unicode_
from pullback.tnp.indexing import argmax
from pullback.tnp.indexing import argmin
from pullback.tnp.indexing import argsort
from pullback.tnp.indexing import compress
from pullback.tnp.indexing import diag
from pullback.tnp.indexing import diagflat
from pullback.tnp.indexing import diagonal
from pullback.tnp.indexing import ix_
from pullback.tnp.indexing import nonzero
from pullback.tnp.indexing import select
from pullback.tnp.indexing import sort
from pullback.tnp.indexing import take
from pullback.tnp.indexing import take_along_axis
from pullback.tnp.indexing import where
from pullback.tnp.joins import append
from pullback.tnp.joins import concatenate
from pullback.tnp.joins import dsplit
from pullback.tnp.joins import dstack
from pullback.tnp.joins import hsplit
from pullback.tnp.joins import hstack
from pullback.tnp.joins import split
from pullback.tnp.joins import stack
from pullback.tnp.joins import vsplit
from pullback.tnp.joins import vstack
from pullback.tnp.products import cross
from pullback.tnp.products import dot
from pullback.tnp.products import einsum
from pullback.tnp.products import inner
from pullback.tnp.products import kron
from pullback.tnp.products import matmul
from pullback.tnp.products import outer
from pullback.tnp.products import tensordot
from pullback.tnp.products import trace
from pullback.tnp.products import vdot
from pullback.tnp.reductions import all
from pullback.tnp.reductions import amax
from pullback.tnp.reductions import amin
from pullback.tnp.reductions import any
from pullback.tnp.reductions import average
from pullback.tnp.reductions import count_nonzero
from pullback.tnp.reductions import cumprod
from pullback.tnp.reductions import cumsum
from pullback.tnp.reductions import diff
from pullback.tnp.reductions import max
from pullback.tnp.reductions import mean
from pullback.tnp.reductions import min
from pullback.tnp.reductions import nanmean
from pullback.tnp.reductions import nanprod
from pullback.tnp.reductions import nansum
from pullback.tnp.reductions import prod
from pullback.tnp.reductions import ptp
from pullback.tnp.reductions import std
from pullback.tnp.reductions import sum
from pullback.tnp.reductions import var
from pullback.tnp.shapes import atleast_1d
from pullback.tnp.shapes import atleast_2d
from pullback.tnp.shapes import atleast_3d
from pullback.tnp.shapes import broadcast_arrays
from pullback.tnp.shapes import broadcast_to
from pullback.tnp.shapes import expand_dims
from pullback.tnp.shapes import flatten
from pullback.tnp.shapes import flip
from pullback.tnp.shapes import fliplr
from pullback.tnp.shapes import flipud
from pullback.tnp.shapes import isscalar
from pullback.tnp.shapes import moveaxis
from pullback.tnp.shapes import ndim
from pullback.tnp.shapes import pad
from pullback.tnp.shapes import ravel
from pullback.tnp.shapes import repeat
from pullback.tnp.shapes import reshape
from pullback.tnp.shapes import roll
from pullback.tnp.shapes import rot90
from pullback.tnp.shapes import shape
from pullback.tnp.shapes import size
from pullback.tnp.shapes import squeeze
from pullback.tnp.shapes import swapaxes
from pullback.tnp.shapes import tile
from pullback.tnp.shapes import transpose
from pullback.tnp.unary import abs
from pullback.tnp.unary import absolute
from pullback.tnp.unary import angle
from pullback.tnp.unary import arccos
from pullback.tnp.unary import arccosh
from pullback.tnp.unary import arcsin
from pullback.tnp.unary import arcsinh
from pullback.tnp.unary import arctan
from pullback.tnp.unary import arctanh
from pullback.tnp.unary import around
from pullback.tnp.unary import bitwise_not
from pullback.tnp.unary import cbrt
from pullback.tnp.unary import ceil
from pullback.tnp.unary import conj
from pullback.tnp.unary import conjugate
from pullback.tnp.unary import cos
from pullback.tnp.unary import cosh
from pullback.tnp.unary import deg2rad
from pullback.tnp.unary import e
from pullback.tnp.unary import exp
from pullback.tnp.unary import exp2
from pullback.tnp.unary import expm1
from pullback.tnp.unary import fabs
from pullback.tnp.unary import fix
from pullback.tnp.unary import floor
from pullback.tnp.unary import imag
from pullback.tnp.unary import inf
from pullback.tnp.unary import iscomplex
from pullback.tnp.unary import isfinite
from pullback.tnp.unary import isinf
from pullback.tnp.unary import isnan
from pullback.tnp.unary import isneginf
from pullback.tnp.unary import isposinf
from pullback.tnp.unary import isreal
from pullback.tnp.unary import log
from pullback.tnp.unary import log10
from pullback.tnp.unary import log1p
from pullback.tnp.unary import log2
from pullback.tnp.unary import negative
from pullback.tnp.unary import pi
from pullback.tnp.unary import positive
from pullback.tnp.unary import rad2deg
from pullback.tnp.unary import real
from pullback.tnp.unary import reciprocal
from pullback.tnp.unary import round
from pullback.tnp.unary import sign
from pullback.tnp.unary import signbit
from pullback.tnp.unary import sin
from pullback.tnp.unary import sinc
from pullback.tnp.unary import sinh
from pullback.tnp.unary import sqrt
from pullback.tnp.unary import square
from pullback.tnp.unary import tan
from pullback.tnp.unary import tanh

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
