"""Functions of matrices: exponential, logarithm, square root.

All have the gradient of a function f that is analytic on the spectrum: for the block matrix [[A, E], [0, A]] the upper right block of f is
the derivative of f at A in the direction E, so the cotangent is that block for A^H and the cotangent.  It is made of the op itself, and can
be differentiated again.  Formula: N. Higham, "Functions of Matrices" (2008), theorem 3.6.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import complex64, complex128
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly, scope
from ...ir.op import Op, Traits, define
from ...ir.tensor import NumberLike, Tensor
from ...kernels import lapack
from ..array.basic import ones_of, shape_of, zeros_of
from ..array.identity import stop_gradient
from ..array.join import concat
from ..array.type_rules import invalid_argument
from ..array.where import where
from ..batching import stack_rows
from ..indexing.index import getitem
from ..math.magnitude import abs as absolute
from ..primitives.cast import cast
from ..reduce.reductions import reduce_max
from . import eigen_many as many, exponential
from .factor import SOLVED, check_square, square_type, widen
from .products import adjoint, adjoint_array

Array = np.ndarray[Any, Any]


@cache
def _scipy(name: str) -> Callable[[Array], Array]:
    import scipy.linalg

    return getattr(scipy.linalg, name)


def _kernel(name: str, quick: Callable[[Array, Array], Array]) -> Callable[[Array], Array]:
    """SciPy's function of each matrix; NaN where there is none, or none of the matrix's own dtype.  SciPy goes through one matrix at a
    time, so those that eigenvectors say well are taken by them, all at once: `quick` puts these into its second argument, and says which.
    """

    def kernel(input: Array) -> Array:
        check_square(input)
        out = np.full(input.shape, np.nan, input.dtype)
        if not input.size:
            return out
        matrices, found = input.reshape(-1, *input.shape[-2:]), out.reshape(-1, *input.shape[-2:])
        done = quick(matrices, found) if np.isfinite(matrices).all() else np.zeros(len(matrices), bool)
        for i in np.flatnonzero(~done):
            one = _apply_to_one(name, matrices[i])
            if one is not None and (one.dtype.kind != "c" or input.dtype.kind == "c"):
                found[i] = one
        return out

    return widen(kernel)


_CONDITION = 100  # of eigenvectors, up to which they lose two digits of double precision; times sqrt(n) by Frobenius norms
_SPREAD, _ASIDE = 1e-4, 1e-3  # how small eigenvalues may be beside the largest, and how near to the negative axis
_DEFINITE = 1e-6  # the same for Hermitian matrices, whose eigenvectors lose nothing


def _logarithm(matrices: Array, out: Array) -> Array:
    """V log(values) V^-1, where V is far from singular and no eigenvalue near 0 or the negative axis."""
    values, vectors = many.eig(matrices) or np.linalg.eig(matrices.astype(np.complex128))
    size = np.abs(values)
    inside = ((values.real > 0) | (np.abs(values.imag) > _ASIDE * size)).all(axis=1)
    likely = np.flatnonzero(inside & (size.min(axis=1) > _SPREAD * size.max(axis=1)) & (np.abs(np.linalg.det(vectors)) > 0))
    v = vectors[likely]
    inverse = np.linalg.inv(v)
    well = _norm(v) * _norm(inverse) < _CONDITION * math.sqrt(v.shape[-1])
    good = np.zeros(len(matrices), bool)
    good[likely[well]] = True
    out[good] = (v[well] * np.log(values[good])[:, None, :]) @ inverse[well]
    return good


def _norm(x: Array) -> Array:
    """The Frobenius norms, none of which is below the largest singular value."""
    return np.asarray(np.sqrt((x.real**2 + x.imag**2).sum(axis=(1, 2))))


def _square_root(matrices: Array, out: Array) -> Array:
    """V sqrt(values) V^H, where a matrix is Hermitian and positive definite."""
    good = np.asarray((matrices == adjoint_array(matrices)).all(axis=(1, 2)))
    some = matrices if good.all() else matrices[good]
    wide = some.astype(np.complex128 if matrices.dtype.kind == "c" else np.float64, copy=False)
    values, v = many.eigh(wide) or lapack.eigh(wide)
    definite = values[:, 0] > _DEFINITE * values[:, -1]
    if not definite.all():
        good[good] = definite
        values, v = values[definite], v[definite]
    out[good] = (v * np.sqrt(values)[:, None, :]) @ adjoint_array(v)
    return good


def _apply_to_one(name: str, matrix: Array) -> Array | None:
    """In double precision; SciPy warns of what it cannot do exactly, and so would many a cotangent."""
    if not np.isfinite(matrix).all() or (name == "logm" and not np.linalg.det(matrix)):
        return None
    wide = matrix.astype(np.complex128 if matrix.dtype.kind == "c" else np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(_scipy(name)(wide))


def _exponential(input: Array) -> Array:
    check_square(input)
    if not input.size:
        return input.copy()
    wide = input.astype(np.complex128 if input.dtype.kind == "c" else np.float64, copy=False)
    return exponential.expm(wide).astype(input.dtype, copy=False)


def _derivative(op: Callable[[], Op]) -> Callable[[Any, Any], Any]:
    def pull_back(g: Any, input: Any) -> Tensor:
        turned, unit = adjoint(input), _unit(g)
        above, below = concat([turned, g / unit], -1), concat([zeros_of(turned), turned], -1)
        whole = op()(concat([above, below], -2))
        size = input.dims[-1] if input.dims is not None and input.dims[-1] is not None else _size(input)
        return getitem(whole, (..., slice(None, size), slice(size, None))) * unit

    return pull_back


def _unit(g: Any) -> Tensor:
    """The largest size in each matrix, a constant: beside a large E the block matrix would be scaled as if A were large too."""
    size = stop_gradient(reduce_max(absolute(g), [-2, -1], keepdims=True))
    return cast(where((size > 0) & (size < math.inf), size, ones_of(size)), g.dtype)


def _size(x: Any) -> Any:
    return getitem(convert_to_tensor(shape_of(x)), -1)


#: The derivative is the function of a matrix twice as wide.
_CUBIC = Traits(by_matrix=50)
EXPONENTIAL: Op = define(
    "MatrixExponential", "input", square_type, widen(_exponential), {"input": _derivative(lambda: EXPONENTIAL)},
    dtypes=SOLVED, holomorphic=False, batch=stack_rows(), traits=_CUBIC,
)  # fmt: skip
LOGARITHM: Op = define(
    "MatrixLogarithm", "input", square_type, _kernel("logm", _logarithm), {"input": _derivative(lambda: LOGARITHM)},
    dtypes={complex64, complex128}, holomorphic=False, batch=stack_rows(), traits=_CUBIC,
)  # fmt: skip
SQUARE_ROOT: Op = define(
    "MatrixSquareRoot", "input", square_type, _kernel("sqrtm", _square_root), {"input": _derivative(lambda: SQUARE_ROOT)},
    dtypes=SOLVED, holomorphic=False, batch=stack_rows(), traits=_CUBIC,
)  # fmt: skip


@export("linalg.expm")
def expm(input: NumberLike, name: str | None = None) -> Tensor:
    """The exponentials of the square matrices in `input`, by scaling and squaring.

    input: [..., n, n], float16 to complex128; of any dtype where n is 0.  Raises InvalidArgumentError for what is not square (in graphs
    ValueError).

    >>> tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy().tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    with scope(name, "matrix_exponential"):
        x = convert_to_tensor(input)
        if x.dtype not in SOLVED:
            if x.dims is not None and x.dims[-2:] == (0, 0):
                return x  # TensorFlow looks at the dtype after that
            if not x.dtype.is_numeric:
                text = f"expm: matrices of numbers are needed, not of dtype {x.dtype.name}"
                raise invalid_argument(text) if executing_eagerly() else TypeError(text)
            raise ValueError(f"tf.linalg.expm does not support matrices of type {x.dtype!r}")
        return EXPONENTIAL(x, name="Reshape_1")


@export("linalg.logm")
def logm(input: NumberLike, name: str | None = None) -> Tensor:
    """The principal logarithms of complex square matrices without eigenvalues on the negative real axis; NaN where there is none.

    input: [..., n, n], complex64 or complex128.  Errors as `expm`; other dtypes are an InvalidArgumentError (in graphs TypeError).

    >>> tf.linalg.logm(tf.constant([[1.0, 0.0], [0.0, 1.0]], tf.complex64)).numpy().tolist()
    [[0j, 0j], [0j, 0j]]
    """
    return LOGARITHM(input, name=name)


@export("matrix_square_root", "linalg.sqrtm")
def sqrtm(input: NumberLike, name: str | None = None) -> Tensor:
    """The principal square roots of square matrices; NaN where there is none, or none that is real for a real matrix.

    input: [..., n, n], float16 to complex128.  Errors as `expm`.

    >>> tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy().round(3).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return SQUARE_ROOT(input, name=name)
