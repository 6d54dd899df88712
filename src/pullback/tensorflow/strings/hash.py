"""Strings hashed into buckets, and fingerprints of rows of any data, as TensorFlow computes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import ANY, int64, resource, uint8, variant
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType, TextLike
from ...kernels.loops import Loop, native_or_python
from ...kernels.strings import StringArray
from ...ops.array.type_rules import Array, invalid_argument, known_value, require_rank
from ...ops.batching import fold_rows, stack_rows
from . import hash_loops
from .columns import run_over_ranges

_WORD = (1 << 64) - 1


def _bucket_type(input: Any, **_: Any) -> TensorType:
    return TensorType(input.dims, int64)


def hash_strings(x: StringArray, loop: Loop, *key: int, num_buckets: int = 0) -> Array:
    """Each string's hash by one of `hash_loops`, uint64, flat; with `num_buckets` which of them it is."""
    run, found = native_or_python(loop, x.size), np.empty(x.size, np.uint64)
    run_over_ranges(x.size, lambda a, b: run(x.data, x.starts[a : b + 1], b - a, *key, num_buckets, found[a:b]))
    return found


def _buckets(name: str, input_name: str, loop: Loop) -> Any:
    def kernel(input: StringArray, *, num_buckets: int) -> Array:
        return hash_strings(input, loop, num_buckets=num_buckets).view(np.int64).reshape(input.shape)

    return define(name, f"{input_name}:string", _bucket_type, kernel, {}, batch=stack_rows(), packed=True, by_element=True)


TO_BUCKET = _buckets("StringToHashBucket", "string_tensor", hash_loops.murmur_hashes)
TO_BUCKET_FAST = _buckets("StringToHashBucketFast", "input", hash_loops.fingerprints)


def _hash_strong(input: StringArray, *, num_buckets: int, key: Sequence[int]) -> Array:
    if len(key) != 2:
        raise invalid_argument("Key must have 2 elements")
    k0, k1 = key
    found = hash_strings(input, hash_loops.sip_hashes, k0 & _WORD, k1 & _WORD, num_buckets=num_buckets)
    return found.view(np.int64).reshape(input.shape)


TO_BUCKET_STRONG = define(
    "StringToHashBucketStrong",
    "input:string",
    _bucket_type,
    _hash_strong,
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export(v2="strings.to_hash_bucket")
def to_hash_bucket(input: TextLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number in [0, num_buckets) for each string, by MurmurHash64A; `to_hash_bucket_fast` is the one that stays the same for ever.

    >>> tf.strings.to_hash_bucket(["", "a", "hello"], 1000).numpy().tolist()
    [899, 868, 938]
    """
    return TO_BUCKET(input, num_buckets=num_buckets, name=name)


@export("strings.to_hash_bucket_fast", v1="string_to_hash_bucket_fast")
def to_hash_bucket_fast(input: TextLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number in [0, num_buckets) for each string, by FarmHash's fingerprint.  Raises InvalidArgumentError for less than one bucket.

    >>> tf.strings.to_hash_bucket_fast(["", "a", "hello"], 1000).numpy().tolist()
    [263, 939, 296]
    """
    return TO_BUCKET_FAST(input, num_buckets=num_buckets, name=name)


@export("strings.to_hash_bucket_strong", v1="string_to_hash_bucket_strong")
def to_hash_bucket_strong(input: TextLike, num_buckets: int, key: Sequence[int], name: str | None = None) -> Tensor:
    """A number in [0, num_buckets) for each string, by SipHash with a key of two integers, so that nobody else can foresee it.

    >>> tf.strings.to_hash_bucket_strong(["", "a", "hello"], 1000, [1, 2]).numpy().tolist()
    [435, 646, 622]
    """
    return TO_BUCKET_STRONG(input, num_buckets=num_buckets, key=key, name=name)


# ---- fingerprints


def _fingerprint_type(data: Any, method: Any) -> TensorType:
    if data.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "`data` should have at least one dimension: []")
    require_rank(method, 0, f"`method` should be a scalar string: {show(method.dims)}")
    return TensorType((None if data.dims is None else data.dims[0], None if known_value(method) is None else 8), uint8)


def _fingerprint(data: Array | StringArray, method: StringArray) -> Array:
    if method.ndim:
        raise invalid_argument(f"`method` should be a scalar string: {show(method.shape)}")
    if method.item() != b"farmhash64":
        raise invalid_argument(f"Unsupported fingerprint method: {method.item().decode('utf-8', 'replace')}")
    if not data.ndim:
        raise invalid_argument("`data` should have at least one dimension: []")
    count = len(data)
    if isinstance(data, StringArray):
        words = hash_strings(data, hash_loops.fingerprints)
        if data.size == count:
            return _bytes(words)
        rows = _bytes(words)
    else:
        rows = np.ascontiguousarray(data)
    width = rows.nbytes // count if count else 0
    column = StringArray(rows.reshape(-1).view(np.uint8), np.arange(count + 1, dtype=np.int64) * width, (count,))
    return _bytes(hash_strings(column, hash_loops.fingerprints))


def _bytes(words: Array) -> Array:
    return words.astype("<u8").view(np.uint8).reshape(len(words), 8)


FINGERPRINT = define(
    "Fingerprint",
    "data method:string",
    _fingerprint_type,
    _fingerprint,
    {},
    dtypes=ANY - {resource, variant},
    batch=fold_rows("data"),
    packed=True,
)


@export("fingerprint")
def fingerprint(data: TensorLike, method: object = "farmhash64", name: str | None = None) -> Tensor:
    """Eight bytes for each row (the first dimension) of `data`: uint8 of shape [rows, 8], the same on every machine and for ever.

    method: "farmhash64".  Raises InvalidArgumentError for another one, and for a scalar.

    >>> tf.fingerprint(["a"]).numpy().tolist()
    [[227, 117, 223, 182, 101, 66, 69, 179]]
    """
    return FINGERPRINT(data, method, name=name)
