"""`LinearOperator`: a matrix, or a batch of them, known by what it does.

A kind of operator says its shape (`_dims`) and how it multiplies (`_times`); everything else has a default that follows from these,
through the whole matrix where nothing better is known, and that a kind overrides where its structure knows better.  All is made of
operations, so gradients flow to the tensors an operator was made of, to any order.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import convert_to_tensor
from ...ir.node import Node
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.eye import eye
from ...ops.array.shape import expand_dims
from ...ops.effects.operations import ASSERT
from ...ops.indexing.index import getitem
from ...ops.linalg.diag import diag_part, set_diag
from ...ops.linalg.factor import cholesky, cholesky_solve, det, slogdet
from ...ops.linalg.products import adjoint as conjugate_transpose, batch_matmul
from ...ops.linalg.spectral import eigvalsh, svd
from ...ops.math.complex import REAL_PART
from ...ops.math.functions import exp, log
from ...ops.math.magnitude import abs
from ...ops.primitives.compare import equal, greater, less
from ...ops.reduce.reductions import reduce_all, reduce_max, reduce_min, reduce_sum
from .facts import Facts, convert
from .solving import solve_with_broadcast


@export("linalg.LinearOperator")
class LinearOperator(Facts, metaclass=ABCMeta):  # as TensorFlow's: a program's subclass may have abstract methods
    """A batch of matrices that may never be written down.

    Hints say what is known of the matrix: `is_non_singular`, `is_self_adjoint`, `is_positive_definite` (in the sense that x^H A x has a
    positive real part), `is_square`; None is not known.  They are promises, and choose the way things are computed.  Hints that
    contradict each other are a ValueError.

    >>> operator = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    >>> (operator @ [[3.0], [4.0]]).numpy().tolist()
    [[3.0], [8.0]]
    """

    #: How operators that do not know each other are multiplied, adjoined and inverted: filled by `composed`.
    combine: ClassVar[dict[str, Callable[..., Any]]] = {}

    def _argument(self, x: Any, what: str = "argument") -> Any:
        given = convert_to_tensor(x, self._dtype) if not hasattr(x, "dtype") else convert(x)
        if given.dtype.base_dtype is not self._dtype:
            raise TypeError(f"Expected {what} to have dtype {self._dtype!r}.  Found: {given.dtype!r} in tensor {given}")
        return given

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _fits(self, mine: int, given: Any, theirs: int) -> None:
        """Refuse an argument whose size is known to differ."""
        dims = self._dims()
        a, b = (None if dims is None else dims[mine]), (None if given.dims is None else given.dims[theirs])
        if a is not None and b is not None and a != b:
            raise ValueError(f"Dimensions {a} and {b} are not compatible: operator {show_dims(dims)}, argument {show_dims(given.dims)}")

    # ---- products

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Tensor | Any:
        """A x, or with A^H (`adjoint`) or x^H (`adjoint_arg`).

        x: a tensor [..., n, k] of the operator's dtype, batches broadcast; or another operator: the result is then an operator.
        Raises TypeError for another dtype, ValueError for sizes known not to fit.
        """
        if isinstance(x, LinearOperator):
            left, right = (self.adjoint() if adjoint else self), (x.adjoint() if adjoint_arg else x)
            _operators_fit(left, right)
            return LinearOperator.combine["matmul"](left, right)
        with self._scope(name):
            given = self._argument(x)
            self._fits(-2 if adjoint else -1, given, -1 if adjoint_arg else -2)
            return self._times(conjugate_transpose(given) if adjoint_arg else given, adjoint)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def matvec(self, x: TensorLike, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """A x for vectors x, [..., n]; errors as `matmul`."""
        with self._scope(name):
            given = self._argument(x)
            self._fits(-2 if adjoint else -1, given, -1)
            return getitem(self._times(expand_dims(given, -1), adjoint), (..., 0))

    def _times(self, x: Any, adjoint: bool) -> Any:
        """The product with matrices."""
        return batch_matmul(self._dense(), x, adj_x=adjoint)

    # ---- solutions

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Tensor | Any:
        """x with A x = rhs, or with A^H (`adjoint`) or rhs^H (`adjoint_arg`).

        rhs: a tensor [..., n, k], batches broadcast, or another operator: the result is then an operator.  Raises NotImplementedError for
        an operator that is known to be singular or not square; other errors as `matmul`.
        """
        self._regular()
        if isinstance(rhs, LinearOperator):
            left, right = (self.adjoint() if adjoint else self), (rhs.adjoint() if adjoint_arg else rhs)
            _operators_fit(left, right)
            return LinearOperator.combine["solve"](left, right)
        with self._scope(name):
            given = self._argument(rhs)
            self._fits(-1 if adjoint else -2, given, -1 if adjoint_arg else -2)
            return self._solve_columns(conjugate_transpose(given) if adjoint_arg else given, adjoint)

    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str = "solve") -> Tensor:
        """x with A x = rhs for vectors; the rest as `solve`."""
        self._regular()
        with self._scope(name):
            given = self._argument(rhs)
            self._fits(-1 if adjoint else -2, given, -1)
            return getitem(self._solve_columns(expand_dims(given, -1), adjoint), (..., 0))

    def _regular(self) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to not be square.")

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        if self._can_use_cholesky():
            return cholesky_solve(cholesky(self._dense()), rhs)
        return solve_with_broadcast(self._dense(), rhs, adjoint)

    # ---- other operators

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The operator of the conjugate transpose."""
        return self if self.is_self_adjoint else self._adjoint()

    H = property(adjoint, doc="The adjoint.")

    def _adjoint(self) -> LinearOperator:
        return LinearOperator.combine["adjoint"](self)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The operator of the inverse; a ValueError where there is none."""
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        return self._inverse()

    def _inverse(self) -> LinearOperator:
        return LinearOperator.combine["inverse"](self)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The operator of the Cholesky factor; a ValueError unless the hints say that there is one."""
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        return self._cholesky()

    def _cholesky(self) -> LinearOperator:
        return LinearOperator.combine["cholesky"](self)

    # ---- the matrix and its numbers

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """The matrix, [..., m, n]."""
        with self._scope(name):
            return self._dense()

    def _dense(self) -> Any:
        sizes = self._sizes()
        return self._times(eye(sizes[-1], batch_shape=sizes[:-2], dtype=self._dtype), False)

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """The main diagonal, [..., min(m, n)]."""
        with self._scope(name):
            return self._diagonal()

    def _diagonal(self) -> Any:
        return diag_part(self._dense())

    def trace(self, name: str = "trace") -> Tensor:
        """The sum of the main diagonal, [...]."""
        with self._scope(name):
            return self._trace()

    def _trace(self) -> Any:
        return reduce_sum(self._diagonal(), [-1])

    def determinant(self, name: str = "det") -> Tensor:
        """The determinant, [...]; NotImplementedError for an operator that is not square."""
        self._square_only("Determinant")
        with self._scope(name):
            return self._determinant()

    def _determinant(self) -> Any:
        if self._can_use_cholesky():
            return exp(self._log_determinant())
        return det(self._dense())

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """The logarithm of the determinant's absolute value, [...], in the operator's dtype; errors as `determinant`."""
        self._square_only("Determinant")
        with self._scope(name):
            return self._log_determinant()

    def _log_determinant(self) -> Any:
        if self._can_use_cholesky():
            return 2.0 * reduce_sum(log(diag_part(cholesky(self._dense()))), [-1])
        return slogdet(self._dense())[1]

    def _square_only(self, what: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(f"{what} not implemented for an operator that is expected to not be square.")

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """The eigenvalues of a self-adjoint operator, in no order, [..., n]; NotImplementedError for others."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        with self._scope(name):
            return self._eigenvalues()

    def _eigenvalues(self) -> Any:
        return eigvalsh(self._dense())

    def cond(self, name: str = "cond") -> Tensor:
        """The condition number, the greatest singular value over the least, [...]."""
        with self._scope(name):
            return self._condition()

    def _condition(self) -> Any:
        values = abs(self._eigenvalues()) if self.is_self_adjoint else svd(self._dense(), compute_uv=False)
        return reduce_max(values, [-1]) / reduce_min(values, [-1])

    def add_to_tensor(self, x: object, name: str = "add_to_tensor") -> Tensor:
        """A + x for a tensor x."""
        with self._scope(name):
            return self._add_matrix(self._argument(x))

    def _add_matrix(self, x: Any) -> Any:
        return self._dense() + x

    # ---- assertions

    def assert_non_singular(self, name: str = "assert_non_singular") -> Node | None:
        """An operation that fails with InvalidArgumentError where the condition number is beyond the dtype's precision."""
        with self._scope(name):
            least = np.finfo(self._dtype.numpy_dtype).eps
            real = self._condition()
            real = REAL_PART.call(real) if real.dtype.is_complex else real
            inside = less(real, float(1 / least))
            return _assert_all(inside, "Singular matrix up to precision epsilon.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Node | None:
        """An operation that fails with InvalidArgumentError unless the matrix equals its conjugate transpose."""
        with self._scope(name):
            whole = self._dense()
            return _assert_all(equal(whole, conjugate_transpose(whole)), "Matrix was not equal to its adjoint.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Node | None:
        """An operation that fails with InvalidArgumentError unless a self-adjoint matrix has positive eigenvalues."""
        with self._scope(name):
            values = eigvalsh(self._dense())
            values = REAL_PART.call(values) if values.dtype.is_complex else values
            return _assert_all(greater(values, 0.0), "Operator was not positive definite: an eigenvalue is not positive.")


def _operators_fit(left: LinearOperator, right: LinearOperator) -> None:
    a, b = left.columns, right.rows
    if a is not None and b is not None and a != b:
        raise ValueError(f"Operators are incompatible. Expected `x` to have dimension {a} but got {b}.")


def _assert_all(holds: Any, message: str) -> Any:
    return ASSERT(reduce_all(holds), [message], summarize=3)


def add_diagonal(x: Any, diagonal: Any) -> Tensor:
    """`x` with another diagonal added to its own."""
    return set_diag(x, diag_part(x) + diagonal)
