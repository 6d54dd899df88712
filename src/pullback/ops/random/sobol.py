"""Points of Sobol's sequence, with the direction numbers of S. Joe and F. Kuo, as SciPy has them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...base.dtypes import DType, float32, float64
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.context import scope
from ...ir.op import define
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorType
from ..array.type_rules import invalid_argument, known_int, made_size, require_rank

Array = np.ndarray[Any, Any]
_MOST = np.iinfo(np.int32).max


def _type(dim: Any, num_results: Any, skip: Any, *, dtype: DType = float32) -> TensorType:
    if dtype not in (float32, float64):
        raise InvalidArgumentError(None, None, f"SobolSample: dtype must be float32 or float64, not {dtype.name}")
    for what, t in (("dim", dim), ("num_results", num_results), ("skip", skip)):
        require_rank(t, 0, f"{what} must be a scalar")
    return TensorType((made_size(known_int(num_results)), made_size(known_int(dim))), dtype)


def _sample(dim: Array, num_results: Array, skip: Array, *, dtype: DType = float32) -> Array:
    from scipy.stats import qmc

    for what, number, least in (("dim", dim, 1), ("num_results", num_results, 1), ("skip", skip, 0)):
        if number.ndim:
            raise ValueError("a scalar is wanted")  # the type rule finds the words
        if int(number) < least:
            raise invalid_argument(f"{what} must be {'at least one' if least else 'non-negative'}, got {int(number)}")
    if int(dim) > qmc.Sobol.MAXDIM:
        raise invalid_argument(f"dim must be at most {qmc.Sobol.MAXDIM}, got {int(dim)}")
    if int(num_results) + int(skip) >= _MOST:
        raise invalid_argument(f"num_results+skip must be less than {_MOST}, got {int(num_results)} and {int(skip)}")
    sequence = qmc.Sobol(int(dim), scramble=False)
    sequence.fast_forward(int(skip) + 1)  # the origin is not a point of TensorFlow's
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the number of points is no power of 2
        return np.asarray(sequence.random(int(num_results))).astype(dtype.numpy_dtype)


SOBOL = define(
    "SobolSample",
    "dim:int32 num_results:int32 skip:int32",
    _type,
    _sample,
    None,
    dtypes={"dtype": {float32, float64}},
    batch="numbers by their place in a stream",
)


@export("math.sobol_sample")
def sobol_sample(dim: IntLike, num_results: Any, skip: Any = 0, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """Points `skip` to `skip + num_results` of Sobol's low-discrepancy sequence in the unit cube, [num_results, dim].

    dim: at most 21201.  dtype: float32 or float64.  Raises InvalidArgumentError for numbers out of range.

    >>> tf.math.sobol_sample(2, 3).numpy().tolist()
    [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    """
    with scope(name, "sobol"):
        return SOBOL(dim, num_results, skip, dtype=dtype)
