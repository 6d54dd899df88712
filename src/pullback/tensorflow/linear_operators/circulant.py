"""Operators that are diagonal for Fourier: circulant matrices, and block circulant ones of two and three levels."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, complex64, complex128, float16, float32, float64
from ...base.export import export
from ...ir.op import OPS
from ...ir.tensor import Dims
from ...ops.array.basic import TRANSPOSE, fill, ones_of, reshape, shape_of
from ...ops.array.shape import expand_dims
from ...ops.effects.operations import ASSERT
from ...ops.math.arithmetic import conj
from ...ops.math.complex import IMAG_PART, REAL_PART
from ...ops.math.functions import log
from ...ops.primitives.cast import CAST
from ...ops.primitives.compare import less
from ...ops.reduce.reductions import ALL_OF, reduce_max, reduce_min, reduce_prod, reduce_sum
from .diagonal import size_of
from .facts import Parameter, convert
from .operator import LinearOperator
from .solving import join_sizes

_SUFFIX = {1: "", 2: "2D", 3: "3D"}
_COMPLEX = {float16: complex64, float32: complex64, float64: complex128}


def _cast(x: Any, dtype: DType) -> Any:
    if x.dtype is dtype:
        return x
    return CAST.call(REAL_PART.call(x) if x.dtype.is_complex and not dtype.is_complex else x, DstT=dtype)


class _Circulant(LinearOperator):
    """What the three have in common: F^H diag(spectrum) F, F the Fourier transform over `block_depth` axes."""

    _depth: int
    _spectrum = Parameter()

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        self._spectrum = spectrum
        if self._spectrum.dtype not in (float16, float32, float64, complex64, complex128):
            raise TypeError(f"Argument `spectrum` must have a floating or complex dtype, found {self._spectrum.dtype.name}")
        if self._spectrum.dims is not None and len(self._spectrum.dims) < self._depth:
            raise ValueError(f"Argument spectrum must have at least {self._depth} dimensions. Found: {list(self._spectrum.dims)}")
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square.")
        given = {"spectrum": spectrum, "input_output_dtype": input_output_dtype}
        super().__init__(
            as_dtype(input_output_dtype), None, is_non_singular, is_self_adjoint, is_positive_definite, True,
            name or type(self).__name__, given,
        )  # fmt: skip

    @property
    def spectrum(self) -> Any:
        """The eigenvalues, over `block_depth` axes."""
        return self._spectrum

    @property
    def block_depth(self) -> int:
        """The number of levels of blocks: 1, 2 or 3."""
        return self._depth

    @property
    def block_shape(self) -> Any:
        """The sizes of the levels."""
        return self.shape.__class__(None if self._spectrum.dims is None else self._spectrum.dims[-self._depth :])

    def block_shape_tensor(self) -> Any:
        """`block_shape` as an int32 tensor."""
        return convert(self._blocks())

    def _blocks(self) -> Any:
        return shape_of(self._spectrum)[-self._depth :]

    def _dims(self) -> Dims:
        dims = self._spectrum.dims
        if dims is None:
            return None
        blocks = dims[-self._depth :]
        size = None if None in blocks else prod(blocks)
        return (*dims[: -self._depth], size, size)

    def _run_time_sizes(self) -> Any:
        sizes = shape_of(self._spectrum)
        size = reshape(reduce_prod(convert(sizes[-self._depth :])), [1])
        return join_sizes(sizes[: -self._depth], size, size)

    def _axes(self) -> list[int]:
        return list(range(-self._depth, 0))

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """The kernel whose circular convolution the operator is: the inverse transform of the spectrum, in the operator's dtype."""
        with self._scope(name):
            return _cast(self._apply_transform("IFFT", self._wide_spectrum()), self._dtype)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """An operation that fails with InvalidArgumentError unless the kernel is real, to rounding."""
        with self._scope(name):
            imaginary = IMAG_PART.call(self._apply_transform("IFFT", self._wide_spectrum()))
            least = np.finfo(imaginary.dtype.numpy_dtype).eps * 10
            small: Any = less(abs(imaginary), float(least) * (reduce_max(size_of(self._wide_spectrum())) + 1.0))
            return ASSERT(ALL_OF(small, np.arange(len(small.dims), dtype=np.int32)), ["Spectrum was not Hermitian"], summarize=3)

    def _wide(self) -> DType:
        return _COMPLEX.get(self._dtype, self._dtype)

    def _wide_spectrum(self) -> Any:
        return _cast(self._spectrum, _COMPLEX.get(self._spectrum.dtype, self._spectrum.dtype))

    def _apply_transform(self, direction: str, x: Any) -> Any:
        return OPS[f"{direction}{_SUFFIX[self._depth]}"].call(x)

    def _filter_columns(self, x: Any, spectrum: Any) -> Any:
        """The transform of the columns times `spectrum`, transformed back."""
        wide = self._wide()
        rank = len(x.dims)
        last = TRANSPOSE.call(_cast(x, wide), np.array([*range(rank - 2), rank - 1, rank - 2], np.int32))
        sizes = shape_of(last)
        blocks = reshape(last, join_sizes(sizes[:-1], self._blocks()))
        # a column's axis between the batch of the spectrum and its levels
        spread = expand_dims(_cast(spectrum, wide), -self._depth - 1)
        found = self._apply_transform("IFFT", self._apply_transform("FFT", blocks) * spread)
        flat: Any = reshape(found, join_sizes(shape_of(found)[: -self._depth], sizes[-1:]))
        count = len(flat.dims)
        back = TRANSPOSE.call(flat, np.array([*range(count - 2), count - 1, count - 2], np.int32))
        return _cast(back, self._dtype)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._filter_columns(x, conj(self._spectrum) if adjoint else self._spectrum)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        inverse = ones_of(self._spectrum) / self._spectrum
        return self._filter_columns(rhs, conj(inverse) if adjoint else inverse)

    def _eigenvalues(self) -> Any:
        return reshape(self._spectrum, join_sizes(shape_of(self._spectrum)[: -self._depth], [-1]))

    def _determinant(self) -> Any:
        return _cast(reduce_prod(self._spectrum, self._axes()), self._dtype)

    def _log_determinant(self) -> Any:
        return _cast(reduce_sum(log(size_of(self._spectrum)), self._axes()), self._dtype)

    def _condition(self) -> Any:
        sizes = size_of(self._eigenvalues())
        return reduce_max(sizes, [-1]) / reduce_min(sizes, [-1])

    def _trace(self) -> Any:
        return _cast(reduce_sum(self._spectrum, self._axes()), self._dtype)

    def _diagonal(self) -> Any:
        sizes = self._sizes()
        spread = fill(sizes[:-1], np.ones((), self._dtype.numpy_dtype))
        mean = self._trace() / _cast(convert(sizes[-1]), self._dtype)
        return expand_dims(mean, -1) * spread

    def _kin(self, spectrum: Any, **hints: Any) -> LinearOperator:
        kept = {"is_non_singular": self.is_non_singular, "is_self_adjoint": self.is_self_adjoint}
        hints = {**kept, "is_positive_definite": self.is_positive_definite, **hints}
        return type(self)(spectrum, input_output_dtype=self._dtype, **hints)

    def _adjoint(self) -> LinearOperator:
        return self._kin(conj(self._spectrum))

    def _inverse(self) -> LinearOperator:
        return self._kin(ones_of(self._spectrum) / self._spectrum, is_non_singular=True)


@export("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(_Circulant):
    """The operator of circulant matrices: circular convolution.

    spectrum: [..., n], floating (then the operator is self-adjoint) or complex: the Fourier transform of the kernel.
    input_output_dtype: of what it is applied to; a real one keeps the real part of the result.

    >>> tf.linalg.LinearOperatorCirculant([6.0, 4.0], input_output_dtype=tf.float32).to_dense().numpy().tolist()
    [[5.0, 1.0], [1.0, 5.0]]
    """

    _depth = 1


@export("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(_Circulant):
    """The operator of block circulant matrices with circulant blocks: circular convolution in two dimensions.

    spectrum: [..., n0, n1]; the rest as for `LinearOperatorCirculant`.

    >>> tf.linalg.LinearOperatorCirculant2D([[6.0, 4.0]], input_output_dtype=tf.float32).trace().numpy().item()
    10.0
    """

    _depth = 2


@export("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(_Circulant):
    """The operator of nested block circulant matrices: circular convolution in three dimensions.

    spectrum: [..., n0, n1, n2]; the rest as for `LinearOperatorCirculant`.

    >>> tf.linalg.LinearOperatorCirculant3D([[[6.0, 4.0]]], input_output_dtype=tf.float32).trace().numpy().item()
    10.0
    """

    _depth = 3
