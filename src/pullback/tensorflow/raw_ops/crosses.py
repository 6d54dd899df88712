"""`tf.raw_ops.SparseCross`, `SparseCrossV2` and `SparseCrossHashed`: crossed columns, given in pieces.

>>> tf.raw_ops.SparseCrossV2(indices=[], values=[], shapes=[], dense_inputs=[[["a"]], [["b"]]], sep="-").output_values.numpy().tolist()
[b'a-b']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...base.dtypes import as_dtype, int64, string
from ...ir.apply import convert_to_tensor
from ...ops.array.type_rules import known_value
from ...ops.primitives.cast import cast
from ...ops.sparse.classes import SparseTensor
from ..feature_cross import as_sparse, cross_features


class SparseCross(NamedTuple):
    """A sparse matrix in pieces."""

    output_indices: Any
    output_values: Any
    output_shape: Any


def _columns(indices: Sequence[Any], values: Sequence[Any], shapes: Sequence[Any], dense_inputs: Sequence[Any]) -> list[Any]:
    if not len(indices) == len(values) == len(shapes):
        raise ValueError(f"as many indices, values and shapes are wanted, and there are {len(indices)}, {len(values)} and {len(shapes)}")
    sparse = [SparseTensor(i, v, s) for i, v, s in zip(indices, values, shapes, strict=True)]
    return [*sparse, *map(convert_to_tensor, dense_inputs)]


def _pieces(found: Any) -> SparseCross:
    sparse = as_sparse(found)
    return SparseCross(sparse.indices, sparse.values, sparse.dense_shape)


def _number(value: Any, name: str, op: str) -> Any:
    """An argument that has to be known while a graph is built."""
    constant = known_value(convert_to_tensor(value))
    if constant is None:
        raise ValueError(f"{op}: {name} has to be known while the graph is built, and {value} is not")
    return constant


def sparse_cross(
    indices: Any,
    values: Any,
    shapes: Any,
    dense_inputs: Any,
    hashed_output: bool,
    num_buckets: int,
    hash_key: int,
    out_type: Any,
    internal_type: Any,
    name: str | None = None,
) -> SparseCross:
    """Every choice of one value from each column, row by row: joined by "_X_", or where `hashed_output` hashed from `hash_key` on.

    out_type: int64 where hashed, else string.  internal_type: string where columns of numbers are to be hashed as text.
    """
    if as_dtype(out_type) is not (int64 if hashed_output else string):
        raise ValueError(f"SparseCross: out_type is {'int64' if hashed_output else 'string'} here, not {as_dtype(out_type).name}")
    columns = _columns(indices, values, shapes, dense_inputs)
    return _pieces(cross_features(columns, name, bool(hashed_output), num_buckets, hash_key))


def sparse_cross_v2(indices: Any, values: Any, shapes: Any, dense_inputs: Any, sep: Any, name: str | None = None) -> SparseCross:
    """Every choice of one value from each column, row by row, joined by `sep`."""
    text = bytes(_number(sep, "sep", "SparseCrossV2").item())
    return _pieces(cross_features(_columns(indices, values, shapes, dense_inputs), name, False, separator=text))


def sparse_cross_hashed(
    indices: Any,
    values: Any,
    shapes: Any,
    dense_inputs: Any,
    num_buckets: Any,
    strong_hash: Any,
    salt: Any,
    name: str | None = None,
) -> SparseCross:
    """Every choice of one value from each column, row by row, hashed to a number below `num_buckets` (0: below 2^63 - 1).

    strong_hash: whether strings are hashed by SipHash, keyed by `salt`, two integers; else by FarmHash, without.
    """
    buckets, strong = (_number(v, n, "SparseCrossHashed").item() for v, n in ((num_buckets, "num_buckets"), (strong_hash, "strong_hash")))
    key = tuple(int(n) for n in _number(cast(salt, int64), "salt", "SparseCrossHashed")) if strong else ()
    return _pieces(cross_features(_columns(indices, values, shapes, dense_inputs), name, True, buckets, salt=key))


#: By the names of the raw operations.
CROSSES: dict[str, Callable[..., Any]] = {
    "SparseCross": sparse_cross,
    "SparseCrossV2": sparse_cross_v2,
    "SparseCrossHashed": sparse_cross_hashed,
}
