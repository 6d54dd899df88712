"""Operators of blocks: along the diagonal, and of a lower triangle.

What they are applied to may be a list of tensors, one for each block; the result is then a list too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.tensor import Dims, Tensor
from ...ops.array.basic import fill, shape_of
from ...ops.array.join import SPLIT_V, concat
from ...ops.array.shape import expand_dims
from ...ops.families import broadcast_dims
from ...ops.linalg.products import adjoint as conjugate_transpose
from . import hints
from .composed import _known_product
from .facts import convert
from .operator import LinearOperator
from .solving import broadcast_batch, common_batch, common_sizes, join_sizes
from .structured import part


def _sum_of(sizes: Sequence[int | None]) -> int | None:
    return None if None in sizes else sum(sizes)  # type: ignore[arg-type]  # no None is left


def _stack_matrices(parts: Sequence[Any], axis: int = -2) -> Any:
    """Matrices one below the other, their batches broadcast."""
    batch = common_batch(*parts)
    return concat([broadcast_batch(p, batch) for p in parts], axis)


class _Blocks(LinearOperator):
    """What operators of blocks have in common: the blocks of their argument and of their result."""

    def _block_operators(self) -> list[LinearOperator]:
        """The operators on the diagonal."""
        raise NotImplementedError

    def _every(self) -> list[LinearOperator]:
        return self._block_operators()

    def _dims(self) -> Dims:
        together: Any = ()
        for operator in self._every():
            dims = operator._dims()
            together = broadcast_dims(together, None if dims is None else dims[:-2])
        if together is None:
            return None
        blocks = self._block_operators()
        return (*together, _sum_of([o.rows for o in blocks]), _sum_of([o.columns for o in blocks]))

    def _run_time_sizes(self) -> Any:
        sizes = [convert(o._sizes()) for o in self._block_operators()]
        found = sizes[0][-2:]
        for s in sizes[1:]:
            found = found + s[-2:]
        return join_sizes(common_sizes([o._sizes()[:-2] for o in self._every()]), found)

    def _cut(self, x: Any, axis: int) -> list[Any]:
        """The rows of `x` for each block; axis: of an operator, whose size they have."""
        sizes = [None if o._dims() is None else o._dims()[axis] for o in self._block_operators()]  # type: ignore[index]
        if None in sizes:
            counts = join_sizes(*(o._sizes()[slice(axis, axis + 1 or None)] for o in self._block_operators()))
            return list(SPLIT_V(x, counts, np.int32(-2), num_split=len(sizes)))
        ends = np.cumsum([0, *sizes]).tolist()
        return [part(x, slice(start, end), slice(None)) for start, end in pairwise(ends)]

    def _block_times(self, parts: list[Any], adjoint: bool) -> list[Any]:
        raise NotImplementedError

    def _solve_blocks(self, parts: list[Any], adjoint: bool) -> list[Any]:
        raise NotImplementedError

    def _times(self, x: Any, adjoint: bool) -> Any:
        return _stack_matrices(self._block_times(self._cut(x, -2 if adjoint else -1), adjoint))

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return _stack_matrices(self._solve_blocks(self._cut(rhs, -1 if adjoint else -2), adjoint))

    def _is_blockwise(self, x: Any) -> bool:
        return isinstance(x, (list, tuple)) and len(x) == len(self._block_operators()) and all(hasattr(p, "dtype") for p in x)

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Tensor | Any:
        """As `LinearOperator.matmul`; a list of tensors, one for each block, gives a list."""
        if not self._is_blockwise(x):
            return super().matmul(x, adjoint, adjoint_arg, name)
        with self._scope(name):
            return self._block_times([_maybe_adjoint(self._argument(p), adjoint_arg) for p in x], adjoint)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Tensor | Any:
        """As `LinearOperator.matvec`; a list of tensors, one for each block, gives a list."""
        if not self._is_blockwise(x):
            return super().matvec(x, adjoint, name)
        with self._scope(name):
            columns = [expand_dims(self._argument(p), -1) for p in x]
            return [part(p, 0) for p in self._block_times(columns, adjoint)]

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Tensor | Any:
        """As `LinearOperator.solve`; a list of tensors, one for each block, gives a list."""
        if not self._is_blockwise(rhs):
            return super().solve(rhs, adjoint, adjoint_arg, name)
        self._regular()
        with self._scope(name):
            return self._solve_blocks([_maybe_adjoint(self._argument(p), adjoint_arg) for p in rhs], adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Tensor | Any:
        """As `LinearOperator.solvevec`; a list of tensors, one for each block, gives a list."""
        if not self._is_blockwise(rhs):
            return super().solvevec(rhs, adjoint, name)
        self._regular()
        with self._scope(name):
            columns = [expand_dims(self._argument(p), -1) for p in rhs]
            return [part(p, 0) for p in self._solve_blocks(columns, adjoint)]

    def _only_square_blocks(self, what: str) -> None:
        if not all(o.is_square for o in self._block_operators()):
            raise NotImplementedError(f"`{what}` not implemented for an operator whose blocks are not square.")

    def _diagonal(self) -> Any:
        self._only_square_blocks("diag_part")
        return part(_stack_matrices([expand_dims(o._diagonal(), -1) for o in self._block_operators()]), 0)

    def _eigenvalues(self) -> Any:
        self._only_square_blocks("eigvals")
        return part(_stack_matrices([expand_dims(o._eigenvalues(), -1) for o in self._block_operators()]), 0)

    def _trace(self) -> Any:
        self._only_square_blocks("trace")
        found = self._block_operators()[0]._trace()
        for operator in self._block_operators()[1:]:
            found = found + operator._trace()
        return found

    def _determinant(self) -> Any:
        self._only_square_blocks("determinant")
        found = self._block_operators()[0]._determinant()
        for operator in self._block_operators()[1:]:
            found = found * operator._determinant()
        return found

    def _log_determinant(self) -> Any:
        self._only_square_blocks("log_abs_determinant")
        found = self._block_operators()[0]._log_determinant()
        for operator in self._block_operators()[1:]:
            found = found + operator._log_determinant()
        return found

    def _row(self, blocks: Sequence[Any]) -> Any:
        """A row of blocks, zeros where there is None."""
        columns = self._block_operators()
        height = next(b for b in blocks if b is not None)
        rows = shape_of(height)[-2:-1]
        batch = common_batch(*(b for b in blocks if b is not None))
        zero = np.zeros((), self._dtype.numpy_dtype)
        whole = [
            fill(join_sizes(batch, rows, columns[j]._sizes()[-1:]), zero) if b is None else broadcast_batch(b, batch)
            for j, b in enumerate(blocks)
        ]
        return concat(whole, -1)


def _maybe_adjoint(x: Any, adjoint: bool) -> Any:
    return conjugate_transpose(x) if adjoint else x


@export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(_Blocks):
    """Operators along the diagonal, zeros elsewhere.

    operators: one or more of one dtype.  Hints follow where all blocks have them; hints that deny it are a ValueError.

    >>> a, b = tf.linalg.LinearOperatorFullMatrix([[1.0]]), tf.linalg.LinearOperatorDiag([2.0])
    >>> tf.linalg.LinearOperatorBlockDiag([a, b]).to_dense().numpy().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        self._operators = list(operators)
        hints.one_dtype(self._operators)
        words = "The direct sum of {0} operators is always {0}."
        super().__init__(
            self._operators[0].dtype, None,
            *hints.imply_all(self._operators, words, is_non_singular, is_self_adjoint, is_positive_definite, "positive definite"),
            is_square, name or "_ds_".join(o.name for o in self._operators), {"operators": operators},
        )  # fmt: skip

    @property
    def operators(self) -> list[LinearOperator]:
        """The blocks."""
        return self._operators

    def _block_operators(self) -> list[LinearOperator]:
        return self._operators

    def _block_times(self, parts: list[Any], adjoint: bool) -> list[Any]:
        return [o._times(p, adjoint) for o, p in zip(self._operators, parts, strict=True)]

    def _solve_blocks(self, parts: list[Any], adjoint: bool) -> list[Any]:
        return [o._solve_columns(p, adjoint) for o, p in zip(self._operators, parts, strict=True)]

    def _dense(self) -> Any:
        count = len(self._operators)
        rows = [self._row([o._dense() if i == j else None for j in range(count)]) for i, o in enumerate(self._operators)]
        return _stack_matrices(rows)

    def _kin(self, parts: Sequence[LinearOperator]) -> LinearOperator:
        return LinearOperatorBlockDiag(parts, self.is_non_singular, self.is_self_adjoint, self.is_positive_definite, self._square_hint)

    def _adjoint(self) -> LinearOperator:
        return self._kin([o.adjoint() for o in self._operators])

    def _inverse(self) -> LinearOperator:
        return self._kin([o.inverse() for o in self._operators])

    def _cholesky(self) -> LinearOperator:
        if not all(o._can_use_cholesky() for o in self._operators):
            return super()._cholesky()
        return LinearOperatorBlockDiag([o.cholesky() for o in self._operators], is_non_singular=True, is_square=True)


@export("linalg.LinearOperatorBlockLowerTriangular")
class LinearOperatorBlockLowerTriangular(_Blocks):
    """Operators in the blocks of a lower triangle, zeros above.

    operators: a list of rows, of 1, 2, ... operators of one dtype; those at the ends of the rows are square.  ValueError for blocks that
    do not fit, and for hints that they deny.

    >>> one, two = tf.linalg.LinearOperatorFullMatrix([[1.0]]), tf.linalg.LinearOperatorFullMatrix([[2.0]])
    >>> tf.linalg.LinearOperatorBlockLowerTriangular([[one], [two, one]]).to_dense().numpy().tolist()
    [[1.0, 0.0], [2.0, 1.0]]
    """

    def __init__(
        self,
        operators: Sequence[Sequence[LinearOperator]],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        self._rows = [list(row) for row in operators]
        hints.one_dtype([o for row in self._rows for o in row])
        for i, row in enumerate(self._rows):
            if len(row) != i + 1:
                raise ValueError(f"Argument `operators[{i}]` must contain `{i + 1}` blocks. Received: {len(row)} blocks.")
        self._blocks_fit()
        ends = [row[-1] for row in self._rows]
        regular = all(o.is_non_singular for o in ends)
        is_non_singular = hints.imply_hint(
            is_non_singular, regular, "With non-singular blocks on the diagonal the operator is non-singular."
        )
        if any(o.is_non_singular is False for o in ends):
            if is_non_singular:
                raise ValueError("With a singular block on the diagonal the operator is singular.")
            is_non_singular = False
        if is_square is False or any(o.is_square is False for o in ends):
            raise ValueError("`LinearOperatorBlockLowerTriangular` must be square, and so must the blocks on its diagonal.")
        given = {"operators": operators}
        super().__init__(ends[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, given)

    def _blocks_fit(self) -> None:
        for i, row in enumerate(self._rows):
            for j, block in enumerate(row[:-1]):
                for mine, other, what in (
                    (block.columns, self._rows[i - 1][j].columns, "domain_dimension"),
                    (block.rows, row[j + 1].rows, "range_dimension"),
                ):
                    if None not in (mine, other) and mine != other:
                        raise ValueError(f"Argument `operators[{i}][{j}].{what}` ({mine}) must be the same as its neighbour's ({other}).")

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """The rows of blocks."""
        return self._rows

    def _block_operators(self) -> list[LinearOperator]:
        return [row[-1] for row in self._rows]

    def _every(self) -> list[LinearOperator]:
        return [o for row in self._rows for o in row]

    def _block_times(self, parts: list[Any], adjoint: bool) -> list[Any]:
        count, found = len(self._rows), []
        for i in range(count):
            others = range(i, count) if adjoint else range(i + 1)
            terms = [(self._rows[j][i] if adjoint else self._rows[i][j])._times(parts[j], adjoint) for j in others]
            total = terms[0]
            for term in terms[1:]:
                total = total + term
            found.append(total)
        return found

    def _solve_blocks(self, parts: list[Any], adjoint: bool) -> list[Any]:
        """Block by block, what is known taken from the right side; from the end for the adjoint."""
        count = len(self._rows)
        found: dict[int, Any] = {}
        for i in reversed(range(count)) if adjoint else range(count):
            side = parts[i]
            for j, x in found.items():
                side = side - (self._rows[j][i] if adjoint else self._rows[i][j])._times(x, adjoint)
            found[i] = self._rows[i][i]._solve_columns(side, adjoint)
        return [found[i] for i in range(count)]

    def _dense(self) -> Any:
        count = len(self._rows)
        rows = [[o._dense() for o in row] + [None] * (count - i - 1) for i, row in enumerate(self._rows)]
        return _stack_matrices([self._row(row) for row in rows])


def _product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    if isinstance(left, LinearOperatorBlockDiag) and isinstance(right, LinearOperatorBlockDiag) and _known_product(left, right) is None:
        if len(left.operators) != len(right.operators):
            raise ValueError(f"Operators of {len(left.operators)} and {len(right.operators)} blocks: {show_dims(left._dims())}")
        parts: list[Any] = [a.matmul(b) for a, b in zip(left.operators, right.operators, strict=True)]
        return LinearOperatorBlockDiag(parts, is_non_singular=hints.are_regular(left, right), is_square=True)
    return _others(left, right)


_others = LinearOperator.combine["matmul"]
LinearOperator.combine["matmul"] = _product
