"""Tensors whose dtype gives way to that of others, and the functions that make and keep them in the modes "safe" and "all".

A weak tensor is a tensor like any other, its value and its place on tapes shared with the tensor that it was made of. Only the
functions that TensorFlow names look at the difference: they are exchanged in both faces while a mode is on. Operations inside a
`tf.function` see the function's arguments as tensors that are not weak.
"""

from __future__ import annotations

import functools
import inspect
import logging
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from ..api.variable import Variable
from ..base.dtypes import complex128, float32, float64, int32, int64
from ..compat import v1, v2 as tf
from ..ir.indexed_slices import IndexedSlices
from ..ir.tensor import EagerTensor, SymbolicTensor, Tensor
from .promotion import Promoted, Weak, result_of

Function = Callable[..., Any]
_ALLOWED = (int32, int64, float32, float64, complex128)
_log = logging.getLogger("pullback")


class EagerWeakTensor(Weak, EagerTensor):
    """A tensor with a value whose dtype gives way to others."""

    __slots__ = ()

    def __init__(self, tensor: EagerTensor) -> None:
        self.value, self.uid = tensor.value, tensor.uid

    @property
    def tensor(self) -> EagerTensor:
        """The same tensor, not weak."""
        same = EagerTensor(self.value)
        same.uid = self.uid
        return same

    def to_tensor(self) -> EagerTensor:
        """The same tensor, not weak."""
        return self.tensor

    def __iter__(self) -> Iterator[Any]:
        return map(weaken, super().__iter__())

    def __str__(self) -> str:
        return super().__str__()[:-1] + ", weak=True)"

    def __repr__(self) -> str:
        return super().__repr__()[:-1] + ", weak=True>"


class GraphWeakTensor(Weak, SymbolicTensor):
    """A tensor of a graph whose dtype gives way to others."""

    __slots__ = ()

    def __init__(self, tensor: SymbolicTensor) -> None:
        super().__init__(tensor.node, tensor.index, tensor.dims, tensor.dtype, tensor.constant)
        self.uid = tensor.uid

    @property
    def tensor(self) -> SymbolicTensor:
        """The same tensor, not weak."""
        same: SymbolicTensor = self.node.outputs[self.index]
        return same

    def to_tensor(self) -> SymbolicTensor:
        """The same tensor, not weak."""
        return self.tensor

    def __str__(self) -> str:
        return super().__str__()[:-1] + ", weak=True)"

    def __repr__(self) -> str:
        return super().__repr__()[:-1] + ", weak=True>"


def weaken(t: Any) -> Any:
    """A tensor, weak from now on; a TypeError for dtypes that cannot be."""
    if isinstance(t, Weak):
        return t
    if t.dtype not in _ALLOWED:
        raise TypeError(f"{t.dtype!r} not allowed as a weak type. The allowed types are {_ALLOWED}.")
    return EagerWeakTensor(t) if isinstance(t, EagerTensor) else GraphWeakTensor(t)


def harden(t: Any) -> Any:
    """A tensor, weak no longer; anything else as it is."""
    return t.tensor if isinstance(t, (EagerWeakTensor, GraphWeakTensor)) else t


def _set_weakness(t: Tensor, weak: bool) -> Any:
    return weaken(t) if weak else harden(t)


def _cast_to(x: Any, kind: Promoted) -> Any:
    if isinstance(x, (Tensor, Variable, IndexedSlices)):
        return tf.cast(harden(x), kind.dtype)
    return tf.convert_to_tensor(x, kind.dtype)


def _find_common(of: Function, *values: Any) -> Promoted | None:
    """What values come to; None, with a word in the log, where the table does not speak of them."""
    try:
        return result_of(*values)
    except NotImplementedError:
        what = ", ".join(str(type(v)) for v in values)
        _log.warning("The new dtype semantics do not support %s(%s). Falling back to old semantics.", of.__name__, what)
        return None


def keep_weakness(of: Function, argument: str | None = None) -> Function:
    """A function that is weak where its first argument, or another, is a weak tensor or made of Python's numbers."""
    signature = inspect.signature(of)
    name = argument or next(iter(signature.parameters))

    @functools.wraps(of)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        x = bound.arguments[name]
        strong = isinstance(x, Tensor) and not isinstance(x, Weak)
        kind = None if strong or bound.arguments.get("dtype") is not None else _find_common(of, x)
        if kind is None:
            return of(*args, **kwargs)
        bound.arguments[name] = _cast_to(x, kind)
        return _set_weakness(of(*bound.args, **bound.kwargs), kind.weak)

    return call


def unify_weakness(of: Function, compares: bool = False) -> Function:
    """A function of two arguments, which come to one dtype, weak where that is weak unless it `compares`."""
    signature = inspect.signature(of)
    first, second = list(signature.parameters)[:2]

    @functools.wraps(of)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        x, y = (bound.arguments[name] for name in (first, second))
        kind = _find_common(of, x, y)
        if kind is None:
            return of(*args, **kwargs)
        bound.arguments |= {first: _cast_to(x, kind), second: _cast_to(y, kind)}
        return _set_weakness(of(*bound.args, **bound.kwargs), kind.weak and not compares)

    return call


def convert_written(of: Function) -> Function:
    """A method that writes a variable: what is written takes the variable's dtype if that is what both come to, else a TypeError."""

    @functools.wraps(of)
    def call(self: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        kind = _find_common(of, self, value)
        if kind is None:
            return of(self, value, *args, **kwargs)
        if kind.dtype != self.dtype.base_dtype:
            raise TypeError(
                f"Variable dtype is immutable. Calling {of.__name__} of Variable (with dtype {self.dtype!r}) on {value} requires "
                f"converting {value} to {self.dtype!r}. This is disabled in the current promotion semantics. Please convert {value} "
                f"manually before calling {of.__name__}."
            )
        return of(self, _cast_to(value, kind), *args, **kwargs)

    return call


def convert_constant(of: Function) -> Function:
    """`tf.constant`: weak without a dtype; with one, a tensor that the dtype can hold is converted."""

    @functools.wraps(of)
    def constant(value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        kind = _find_common(of, value, None if dtype is None else tf.as_dtype(dtype))
        value = harden(value)
        if kind is None:
            return of(value, dtype, *args, **kwargs)
        if dtype is None:
            return _set_weakness(of(value, kind.dtype, *args, **kwargs), kind.weak)
        if kind.dtype == dtype and isinstance(value, Tensor):
            value = _cast_to(value, kind)
        return of(value, dtype, *args, **kwargs)

    return constant


def harden_result(of: Function) -> Function:
    """A function that may hand its argument on: what it gives is not weak."""

    @functools.wraps(of)
    def call(*args: Any, **kwargs: Any) -> Any:
        return harden(of(*args, **kwargs))

    return call


# Which functions, by the namespaces that both faces have them in.
_KEEPING = {
    "": "abs acos acosh asin asinh atan atanh clip_by_value cos cosh exp expand_dims floor identity negative ones_like "
    "reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape round sigmoid sign sin sinh sqrt "
    "square squeeze stop_gradient tan tanh transpose zeros_like angle ceil check_numerics conj depth_to_space diag_part "
    "digamma erf erfc expm1 extract_image_patches imag lgamma log log1p log_sigmoid matrix_diag matrix_diag_part "
    "matrix_transpose real reciprocal rint rsqrt space_to_depth trace",
    "debugging": "check_numerics",
    "image": "extract_patches",
    "linalg": "diag diag_part matrix_transpose tensor_diag_part trace",
    "math": "abs acos acosh angle asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e ceil conj cos cosh digamma erf "
    "erfc erfcinv erfinv exp expm1 floor imag lgamma log log1p log_sigmoid log_softmax ndtri negative real reciprocal "
    "reciprocal_no_nan reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_std "
    "reduce_sum reduce_variance rint round rsqrt sigmoid sign sin sinh softplus sqrt square tan tanh",
    "math.special": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 "
    "bessel_y1 dawsn expint fresnel_cos fresnel_sin spence",
    "nn": "depth_to_space gelu leaky_relu log_softmax relu6 sigmoid silu softplus space_to_depth swish tanh",
    "experimental.numpy": "abs absolute angle arccos arcsin arcsinh arctan arctanh bitwise_not cbrt ceil conj conjugate cos "
    "cosh deg2rad exp exp2 expm1 fabs fix floor log negative rad2deg reciprocal sin sinh sqrt tan tanh nanmean log2 log10 "
    "log1p positive sinc square diff sort average trace amax amin around arange array asanyarray asarray ascontiguousarray "
    "copy cumprod cumsum diag diagflat diagonal empty_like expand_dims flatten flip fliplr flipud full_like imag max mean "
    "min moveaxis ones_like prod ravel real reshape repeat rot90 round squeeze std sum swapaxes transpose triu vander var "
    "zeros_like",
}
_MEETING = {
    "": "add divide matmul multiply realdiv truncatediv truncatemod div_no_nan floor_div floormod mod subtract pow truediv",
    "linalg": "matmul matvec",
    "math": "add divide divide_no_nan floormod mod multiply multiply_no_nan subtract pow truediv floordiv",
    "experimental.numpy": "matmul",
}
_COMPARING = {"": "maximum minimum equal", "math": "maximum minimum equal"}
_HARDENING = {"": "cast saturate_cast convert_to_tensor guarantee_const", "dtypes": "cast saturate_cast"}
_KINDS: list[tuple[dict[str, str], Callable[[Function], Function]]] = [
    (_KEEPING, keep_weakness),
    (_MEETING, unify_weakness),
    (_COMPARING, lambda of: unify_weakness(of, compares=True)),
    (_HARDENING, harden_result),
    ({"": "constant"}, convert_constant),
    ({"": "scalar_mul", "math": "scalar_mul"}, lambda of: keep_weakness(of, "x")),
]


def _namespace(face: Any, space: str) -> Any:
    for part in filter(None, space.split(".")):
        face = getattr(face, part, None)
    return face


def exchanged_names() -> Iterator[tuple[types.ModuleType, str, Function]]:
    """The modules of the faces with a name in each, and the function to put there while a mode is on."""
    package = sys.modules[__name__.partition(".")[0]]
    seen: set[tuple[str, str]] = set()
    for face in (tf, v1):
        for names, kind in _KINDS:
            for space, listed in names.items():
                module = _namespace(face, space)
                for name in listed.split() if module is not None else ():
                    if name in module.__all__ and (module.__name__, name) not in seen:
                        seen.add((module.__name__, name))
                        new = kind(getattr(module, name))
                        yield module, name, new
                        if module is tf:
                            yield package, name, new
