"""Crossed features: for each row, every choice of one value from each of several columns, joined as text or hashed to a number.

A column is a sparse, ragged or dense matrix.  The choices of a row are counted by its columns' lengths, the last column fastest, so all
rows are crossed at once.  Hashes are TensorFlow's: FarmHash of a string, a number as it is, chained by its `FingerprintCat64`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..base.dtypes import int64, string
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.op import define
from ..ir.tensor import Tensor, TensorLike, TensorType
from ..kernels.strings import pack_strings
from ..ops.array.type_rules import dims_in, invalid_argument
from ..ops.primitives.cast import cast
from ..ops.sparse.classes import SparseTensor
from .ragged.classes import RaggedTensor
from .ragged.dense import TO_SPARSE
from .ragged.ops import ranges, splits_of
from .strings.hash import hash_strings
from .strings.hash_loops import fingerprints, sip_hashes

Array = np.ndarray[Any, Any]
_DEFAULT_KEY = 0xDECAFCAFFE
_FACTOR = np.uint64(0xC6A4A7935BD1E995)


def _columns(kinds: str, parts: Any) -> list[tuple[Array, Array]]:
    """Each column as row splits and values."""
    given, found = iter(parts), []
    for kind in kinds:
        if kind == "S":
            indices, values, shape = next(given), next(given), next(given)
            if indices.ndim != 2 or indices.shape[1] != 2:
                raise invalid_argument(f"Expected D2 of index to be 2 got {indices.shape[-1]}")
            found.append((np.searchsorted(indices[:, 0], np.arange(int(shape[0]) + 1)), values))
        elif kind == "R":
            values = next(given)
            found.append((next(given), values))
        else:
            dense = next(given)
            if dense.ndim != 2:
                raise invalid_argument(f"Dense inputs should be a matrix but received shape {list(dense.shape)}")
            found.append((np.arange(len(dense) + 1) * dense.shape[1], dense.reshape(-1)))
    if len({len(splits) for splits, _ in found}) > 1:
        raise invalid_argument(f"Expected batch size {len(found[0][0]) - 1}, got {[len(splits) - 1 for splits, _ in found]}")
    return found


def _chain_hash(before: Array, word: Array) -> Array:
    def shift_mix(x: Array) -> Array:
        return np.asarray(x ^ (x >> np.uint64(47)))

    out = before ^ _FACTOR
    out = (out ^ shift_mix(word * _FACTOR) * _FACTOR) * _FACTOR
    return np.asarray(shift_mix(shift_mix(out) * _FACTOR))


def _words(values: Array, salt: tuple[int, ...] = ()) -> Array:
    if values.dtype != object:
        return values.astype(np.int64).view(np.uint64)
    return hash_strings(pack_strings(values), sip_hashes if salt else fingerprints, *salt)


def _texts(values: Array) -> list[bytes]:
    return list(values) if values.dtype == object else [str(v).encode() for v in values.tolist()]


def _cross(
    parts: Any, *, kinds: str, hashed: bool, num_buckets: int, hash_key: int | None, separator: bytes, salt: tuple[int, ...] = ()
) -> tuple[Array, Array]:
    columns = _columns(kinds, parts)
    lengths = [np.diff(splits) for splits, _ in columns]
    counts = np.prod(lengths, axis=0)
    within = ranges(np.zeros(len(counts), np.int64), counts)
    items, stride = [], np.ones(len(counts), np.int64)
    for (splits, _), length in zip(reversed(columns), reversed(lengths), strict=True):
        digit = (within // np.repeat(stride, counts)) % np.repeat(np.maximum(length, 1), counts)
        items.append(np.repeat(splits[:-1], counts) + digit)
        stride = stride * np.maximum(length, 1)
    items.reverse()
    splits = splits_of(counts)
    if hashed:
        hashes = [_words(values, salt) if len(values) else np.zeros(0, np.uint64) for _, values in columns]
        words = [hashed_values[at] for hashed_values, at in zip(hashes, items, strict=True)]
        out = functools.reduce(_chain_hash, words if hash_key is None else [np.full(len(within), hash_key, np.uint64), *words])
        return splits, (out % np.uint64(num_buckets)).astype(np.int64)
    texts = [_texts(values) for _, values in columns]
    joined = np.empty(len(within), object)
    for i, row in enumerate(zip(*(at.tolist() for at in items), strict=True)):
        joined[i] = separator.join(text[k] for text, k in zip(texts, row, strict=True))
    return splits, joined


def _find_row_count(kinds: str, parts: Any) -> int | None:
    """The number of rows, as far as some column tells."""
    at = 0
    for kind in kinds:
        if kind == "S":
            dims, less = dims_in(parts[at + 2]), 0
        else:
            dims, less = parts[at + (kind == "R")].dims, int(kind == "R")
        if dims and dims[0] is not None:
            return int(dims[0]) - less
        at += {"S": 3, "R": 2, "D": 1}[kind]
    return None


def _cross_type(parts: Any, *, kinds: str, hashed: bool, **_: Any) -> tuple[TensorType, TensorType]:
    rows = _find_row_count(kinds, parts)
    return TensorType((None if rows is None else rows + 1,), int64), TensorType((None,), int64 if hashed else string)


#: kinds: for each column "S" (indices, values, shape), "R" (values, row splits) or "D".
CROSS = define("FeatureCross", "*parts:any", _cross_type, _cross, {}, outputs="splits crossed", batch="shape depends on values")


def _convert_inputs(inputs: Any) -> tuple[str, list[Any]]:
    kinds, parts = "", []
    for x in inputs:
        if isinstance(x, SparseTensor):
            kinds += "S"
            parts += [x.indices, _name_values(x.values), x.dense_shape]
        elif isinstance(x, RaggedTensor):
            if x.ragged_rank != 1:
                raise ValueError("tf.ragged.cross only supports inputs with rank=2.")
            kinds += "R"
            parts += [_name_values(x.values), cast(x.row_splits, int64)]
        else:
            kinds += "D"
            parts.append(_name_values(convert_to_tensor(x)))
    return kinds, parts


def _name_values(values: Tensor) -> Tensor:
    """Strings as they are, numbers as int64."""
    return values if values.dtype is string else cast(values, int64)


def _check_inputs(inputs: Any, ragged: bool) -> list[Any]:
    if not isinstance(inputs, (tuple, list)):
        raise TypeError("Inputs must be a list")
    if not ragged and not all(isinstance(x, SparseTensor) or hasattr(x, "uid") for x in inputs):
        raise TypeError("All inputs must be Tensor or SparseTensor.")
    if ragged:
        return list(inputs)
    return [x for x in inputs if isinstance(x, SparseTensor)] + [x for x in inputs if not isinstance(x, SparseTensor)]


def cross_features(
    inputs: list[Any],
    name: str | None,
    hashed: bool,
    num_buckets: int = 0,
    hash_key: Any = None,
    separator: Any = None,
    salt: tuple[int, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Row splits and values; with a `salt` (of no numbers: FarmHash) hashes have no key, and strings are hashed by SipHash keyed by it."""
    if not inputs:
        raise ValueError("tf.sparse.cross and tf.ragged.cross want at least one input")
    if num_buckets < 0:
        raise ValueError(f"num_buckets must be >= 0, got {num_buckets}")
    kinds, parts = _convert_inputs(inputs)
    text = "_X_" if separator is None else separator
    text = text.encode() if isinstance(text, str) else text
    key = (hash_key or _DEFAULT_KEY) % 2**64
    keys = {"hash_key": key} if salt is None else {"hash_key": None, "salt": salt}
    return CROSS(parts, kinds=kinds, hashed=hashed, num_buckets=num_buckets or 2**63 - 1, separator=text, name=name, **keys)


def as_sparse(found: Any) -> SparseTensor:
    """What `cross_features` gave as a sparse matrix."""
    splits, values = found
    return SparseTensor(*TO_SPARSE([splits], values))


@export("sparse.cross")
def sparse_cross(inputs: TensorLike, name: str | None = None, separator: object = None) -> SparseTensor:
    """Every choice of one value from each column, row by row, joined as text; sparse columns first, then dense ones.

    inputs: a list of sparse tensors and tensors of rank 2 with equally many rows, of strings or integers.  separator: "_X_" by default.

    >>> tf.sparse.cross([tf.constant([["a", "b"]]), tf.constant([["c"]])]).values.numpy().tolist()
    [b'a_X_c', b'b_X_c']
    """
    return as_sparse(cross_features(_check_inputs(inputs, False), name, False, separator=separator))


@export("sparse.cross_hashed")
def sparse_cross_hashed(
    inputs: TensorLike, num_buckets: int = 0, hash_key: TensorLike | None = None, name: str | None = None
) -> SparseTensor:
    """As `cross`, each choice hashed to a number in [0, num_buckets), or below 2^63 - 1 where that is 0.

    >>> tf.sparse.cross_hashed([tf.constant([["a"]]), tf.constant([["c"]])], num_buckets=100).dtype
    tf.int64
    """
    return as_sparse(cross_features(_check_inputs(inputs, False), name, True, num_buckets, hash_key))


@export("ragged.cross")
def ragged_cross(inputs: TensorLike, name: str | None = None) -> RaggedTensor:
    """Every choice of one value from each column, row by row, joined by "_X_".

    inputs: a list of ragged, sparse and dense tensors of rank 2 with equally many rows, of strings or integers.

    >>> tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), [["d"], ["e"]]])
    <tf.RaggedTensor [[b'a_X_d'], [b'b_X_e', b'c_X_e']]>
    """
    splits, values = cross_features(_check_inputs(inputs, True), name, False)
    return RaggedTensor.from_row_splits(values, splits, validate=False)


@export("ragged.cross_hashed")
def ragged_cross_hashed(inputs: TensorLike, num_buckets: int = 0, hash_key: object = None, name: str | None = None) -> RaggedTensor:
    """As `cross`, each choice hashed to a number in [0, num_buckets), or below 2^63 - 1 where that is 0.

    >>> tf.ragged.cross_hashed([tf.ragged.constant([["a"], ["b"]]), [["d"], ["e"]]], num_buckets=100).shape
    TensorShape([2, None])
    """
    splits, values = cross_features(_check_inputs(inputs, True), name, True, num_buckets, hash_key)
    return RaggedTensor.from_row_splits(values, splits, validate=False)
