"""Axes in another order."""

from __future__ import annotations

import numpy as np

from ...base.export import export, is_hot
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import LATE_BOUND, IntLike, Tensor, TensorLike
from ...ir.tracebacks import trim
from .basic import CONJUGATE_TRANSPOSE, TRANSPOSE
from .create import RANGE
from .join import CONCAT
from .shape import RANK
from .type_rules import rank_of


@export(v2="transpose")
@is_hot
def transpose(a: TensorLike, perm: IntLike | None = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """`a` with its axes in the order `perm`, reversed when None.

    a: any shape and dtype.  perm: each axis once, else InvalidArgumentError (ValueError in a graph).  conjugate: complex numbers are
    conjugated as well.  Gradient: the upstream gradient transposed back.

    >>> tf.transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    try:
        if not isinstance(a, Tensor):
            with scope(name, "transpose") as full:
                a, name = convert_to_tensor(a, name="a"), full or name
        op = CONJUGATE_TRANSPOSE if conjugate and a.dtype.is_complex else TRANSPOSE
        if perm is None:
            if a.dims is None:
                with scope(name, "transpose") as full:
                    return op(a, RANGE(RANK(a) - 1, -1, -1), name=full)
            perm = np.arange(len(a.dims) - 1, -1, -1, dtype=np.int32)
        return op(a, perm, name=name)
    except Exception as error:
        trim(error)
        raise


@export("linalg.matrix_transpose", v1=("matrix_transpose", "linalg.transpose"))
def matrix_transpose(a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """`a` with its last two axes exchanged, conjugated when asked; all axes before them are batch.

    a: at least two dimensions, else ValueError.

    >>> tf.linalg.matrix_transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    with scope(name, "matrix_transpose"):
        a = convert_to_tensor(a, name="a")
        rank = rank_of(a)
        if rank is None:
            last = RANK(a)
            perm = CONCAT([RANGE(0, last - 2, 1), [last - 1, last - 2]], 0)
        elif rank < 2:
            raise ValueError(
                f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {a} with shape: {a.shape} (matrix_transpose)"
            )
        else:
            perm = np.array([*range(rank - 2), rank - 1, rank - 2], np.int32)
        return transpose(a, perm, conjugate)


LATE_BOUND.update(matrix_transpose=matrix_transpose)
