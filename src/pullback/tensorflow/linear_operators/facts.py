"""What an operator was made of, and what is known of it before anything is computed: hints and shape."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...api.variable import is_variable
from ...base.dtypes import DType, as_dtype, int32
from ...base.shapes import Dimension, TensorShape, show as show_dims
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import Dims, Tensor
from ...ops.array.basic import shape_of
from ...ops.array.shape import size
from ...ops.linalg.matrix_free import MatrixFree
from ...train.module import Module


def convert(x: object) -> Tensor:
    """A tensor of `x`; a variable is read now."""
    return convert_to_tensor(x)


class Parameter:
    """An attribute that holds a tensor, or a variable, which is read whenever the attribute is: tapes see each use of it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = f"held{name}"

    def __set__(self, operator: Facts, given: Any) -> None:
        operator.__dict__[self.slot] = given if given is None or is_variable(given) else convert(given)

    def __get__(self, operator: Facts, owner: type) -> Any:
        held = operator.__dict__[self.slot]
        return held.value() if is_variable(held) else held


class Facts(MatrixFree, Module):
    """The hints, the shape and the parameters of an operator; `LinearOperator` adds what it does."""

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> None:
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        self._square_hint = is_square
        self._dtype = as_dtype(dtype).base_dtype
        self._is_non_singular, self._is_self_adjoint, self._is_positive_definite = is_non_singular, is_self_adjoint, is_positive_definite
        given = name or type(self).__name__
        super().__init__(re.sub(r"\W", "_", given))
        self._name = given
        self._parameters = dict(parameters or {})

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        held = super()._trackable_children(save_type, **kwargs)
        return {name.removeprefix("held"): thing for name, thing in held.items() if name != "_parameters"}

    def __repr__(self) -> str:
        return f"<tf.linalg.{type(self).__name__} {self._name!r}, shape {show_dims(self._dims())}, {self._dtype.name}>"

    # ---- what is known

    @property
    def dtype(self) -> DType:
        """The dtype of the matrix, of what it is multiplied with, and of the result."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name that operations are made under."""
        return self._name

    @property
    def parameters(self) -> dict[str, Any]:
        """What the operator was made of, by argument."""
        return dict(self._parameters)

    @property
    def is_non_singular(self) -> bool | None:
        """Whether the matrix has an inverse."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether the matrix is Hermitian."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether the real part of x^H A x is positive for every x other than 0."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        """Whether the matrix is square, by its shape if that says it."""
        dims = self._dims()
        if dims is not None and None not in dims[-2:]:
            known = dims[-1] == dims[-2]
            if self._square_hint is not None and self._square_hint != known:
                raise ValueError(f"The hint is_square={self._square_hint} conflicts with the static shape {show_dims(dims)}")
            return known
        return self._square_hint

    def _dims(self) -> Dims:
        """The shape, [..., m, n], as far as it is known."""
        raise NotImplementedError(f"{type(self).__name__} does not say its shape")

    @property
    def shape(self) -> TensorShape:
        """The shape [..., m, n]."""
        return TensorShape(self._dims())

    @property
    def batch_shape(self) -> TensorShape:
        """The shape without its last two dimensions."""
        dims = self._dims()
        return TensorShape(None if dims is None else dims[:-2])

    @property
    def tensor_rank(self) -> int | None:
        """The number of dimensions of the shape."""
        dims = self._dims()
        return None if dims is None else len(dims)

    @property
    def rows(self) -> int | None:
        """The number of rows, where it is known."""
        dims = self._dims()
        return None if dims is None else dims[-2]

    @property
    def columns(self) -> int | None:
        """The number of columns, where it is known."""
        dims = self._dims()
        return None if dims is None else dims[-1]

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows as TensorFlow gives it."""
        return Dimension(self.rows)

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns as TensorFlow gives it."""
        return Dimension(self.columns)

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """The shape as an int32 tensor, read at run time where it is not known before."""
        with self._scope(name):
            return convert(self._sizes())

    def _sizes(self) -> Any:
        dims = self._dims()
        if dims is not None and None not in dims:
            return np.array(dims, np.int32)
        return self._run_time_sizes()

    def _run_time_sizes(self) -> Any:
        return shape_of(self._dense(), int32)

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The batch's part of `shape_tensor`."""
        with self._scope(name):
            return convert(self._sizes()[:-2])

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """`tensor_rank` as an int32 tensor."""
        with self._scope(name):
            return size(convert(self._sizes()))

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """The number of columns as an int32 tensor."""
        with self._scope(name):
            return convert(self._sizes()[-1])

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """The number of rows as an int32 tensor."""
        with self._scope(name):
            return convert(self._sizes()[-2])

    def _scope(self, name: str | None) -> Any:
        return scope(self._name if name is None else f"{self._name}/{name}", "operator")

    def _dense(self) -> Any:
        """The matrix, written down."""
        raise NotImplementedError
