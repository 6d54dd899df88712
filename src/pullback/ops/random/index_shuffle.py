"""Where a shuffle takes one index, without shuffling the others: a cipher that walks until it comes back into the range.

The cipher is Simon with blocks of any even number of bits and few rounds (R. Beaulieu and others, "The Simon and Speck families of
lightweight block ciphers", 2013); the walk J. Black and P. Rogaway, "Ciphers with arbitrary finite domains" (2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int32, int64, uint32, uint64
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...kernels.loops import native_loop
from ..array.slice import PAD_V2
from ..array.type_rules import Array, invalid_argument, rank_of, require_equal, require_rank_between
from ..vmap_rules import random as rows_random
from . import entry_loops

_INTEGERS = {int32, int64, uint32, uint64}
_LEAST_BITS = 16
_KEY_STREAM = 0x7369F885192C0EF5
_KEY_CONSTANT = 0xFFFFFFFC


def _rotate_bits(x: Array, by: int, bits: int) -> Array:
    """Words of so many bits turned to the left."""
    kind = x.dtype.type
    found: Array = (x << kind(by) | x >> kind(bits - by)) & kind((1 << bits) - 1)
    return found


def _round_keys(seeds: Array, bits: int, rounds: int, kind: Any) -> list[Array]:
    """A word for each round and each row of `seeds`."""
    mask = (1 << bits) - 1
    keys = [(seeds[:, i] & np.uint64(mask)).astype(kind) for i in range(3)]
    stream = _KEY_STREAM & mask
    for i in range(3, rounds):
        last = keys[-1]
        constant = kind(_KEY_CONSTANT & mask ^ stream & 1)
        keys.append(constant ^ keys[i - 3] ^ _rotate_bits(last, bits - 3, bits) ^ _rotate_bits(last, bits - 4, bits))
        stream >>= 1
    return keys


def _mix_bits(x: Array, bits: int) -> Array:
    return (_rotate_bits(x, 1, bits) & _rotate_bits(x, 8, bits)) ^ _rotate_bits(x, 2, bits)


def _encrypt(value: Array, keys: list[Array], bits: int) -> Array:
    half, mask = value.dtype.type(bits), value.dtype.type((1 << bits) - 1)
    left, right = value >> half & mask, value & mask
    for first, second in zip(keys[::2], keys[1::2], strict=True):
        left = left ^ _mix_bits(right, bits) ^ first
        right = right ^ _mix_bits(left, bits) ^ second
    return np.asarray(left << half | right)


def _bits(largest: int) -> int:
    """The bits of half a block that holds numbers up to `largest`."""
    needed = (largest - 1).bit_length()
    return min(64, max(needed + needed % 2, _LEAST_BITS)) // 2


def _shuffle_natively(index: Array, largest: Array, keys: list[Array], bits: int) -> Array | None:
    """The indices enciphered until they are in range, by a native loop; None where there is none."""
    steps = len(index) * len(keys) * (1 << 2 * bits) // (int(largest.max()) + 1)
    native = native_loop(entry_loops.shuffle_indices, steps) if bits < 32 else None
    if native is None:
        return None
    words, out = np.ascontiguousarray(np.stack(keys, 1), np.int64), np.empty(len(index), np.int64)
    given = [x.astype(np.int64) for x in (index, largest)]
    done = native(out, *given, words.reshape(-1), len(index), len(keys), 0 if len(words) == 1 else len(keys), bits)
    return None if done is None else out


def _shuffle_indices(index: Array, seeds: Array, largest: Array, rounds: int) -> Array:
    """seeds: a row for each index, or one for all."""
    out = np.zeros_like(index)
    distinct, places = np.unique(largest, return_inverse=True)
    if len(seeds) == len(distinct) == 1 and len(index) > int(distinct[0]) + 1:  # some come several times
        every = np.arange(distinct[0] + np.uint64(1), dtype=np.uint64)
        return _shuffle_indices(every, seeds, np.full_like(every, distinct[0]), rounds)[index]
    halves = np.array([_bits(n) if n else 0 for n in distinct.tolist()], np.intp)[places]
    for bits in np.unique(halves[halves > 0]).tolist():
        lanes = np.flatnonzero(halves == bits)
        kind: Any = next(k for k in (np.uint16, np.uint32, np.uint64) if 16 * k().itemsize >= 4 * bits)
        keys = _round_keys(seeds if len(seeds) == 1 else seeds[lanes], bits, rounds, kind)
        walked = _shuffle_natively(index[lanes], largest[lanes], keys, bits)
        if walked is not None:
            out[lanes] = walked
            continue
        value, most = index[lanes].astype(kind), largest[lanes]
        while lanes.size:
            value = _encrypt(value, keys, bits)
            outside = value > most
            out[lanes] = value
            lanes, value, most = lanes[outside], value[outside], most[outside]
            keys = keys if len(seeds) == 1 else [key[outside] for key in keys]
    return out


def _kernel(index: Array, seed: Array, max_index: Array, *, rounds: int = 4) -> Array:
    count = max(index.size, max_index.size, seed.size // 3)
    if index.ndim and index.shape != (count,):
        raise invalid_argument(f"Index must be a scalar or vector of size {count}, got shape {show(index.shape)}")
    if seed.shape not in ((3,), (count, 3)):
        raise invalid_argument(f"Seed must be a vector of size [3] or a matrix of size [{count}, 3] but got {show(seed.shape)}.")
    if max_index.ndim and max_index.shape != (count,):
        raise invalid_argument(f"Maxval must be a scalar or a vector of the same size as index but got {show(max_index.shape)}")
    if rounds < 4 or rounds % 2:
        raise invalid_argument(f"rounds must be an even number of at least 4, got {rounds}")
    if max_index.size and max_index.min() < 0:
        raise invalid_argument(f"max_index must be >= 0 but was {max_index.min()}")
    if ((index < 0) | (index > max_index)).any():
        raise invalid_argument(f"index must be in [0, {max_index.max()}]")
    scalar = not index.ndim and not max_index.ndim and seed.ndim == 1
    given = [np.broadcast_to(x, (count,)).astype(np.uint64) for x in (index, max_index)]
    seeds = seed.astype(np.uint32).astype(np.uint64).reshape(-1, 3)
    found = _shuffle_indices(given[0], seeds, given[1], rounds).astype(index.dtype)
    return found.reshape(()) if scalar else found


def _type(index: Any, seed: Any, max_index: Any, *, rounds: int = 4) -> TensorType:
    if seed.dims is not None and (len(seed.dims) not in (1, 2) or seed.dims[-1] not in (3, None)):
        raise ShapeError(f"Seed must have shape [3] or [n, 3] but got {show(seed.dims)}.", None)
    ranks = [rank_of(t) for t in (index, max_index, seed)]
    for t, least in ((index, 0), (max_index, 0), (seed, 1)):
        require_rank_between(t, least, least + 1, f"Shape must be of rank {least} or {least + 1}, not {show(t.dims)}")
    if ranks == [0, 0, 1]:
        return TensorType((), index.dtype)
    sizes = [t.dims[0] for t, scalar in ((index, 0), (max_index, 0), (seed, 1)) if t.dims is not None and len(t.dims) > scalar]
    known = next((size for size in sizes if size is not None), None)
    columns = None if seed.dims is None else seed.dims[-1]
    # A single row is refused when it runs.
    for size, wanted in (*((size, known) for size in sizes if size != 1), (columns, 3)):
        require_equal(size, wanted, "index, seed and max_index must be of one size, and seeds of three numbers")
    vectors = None not in ranks or any(t.dims is not None and len(t.dims) > scalar for t, scalar in ((index, 0), (max_index, 0), (seed, 1)))
    return TensorType((known,) if vectors else None, index.dtype)


INDEX_SHUFFLE = define(
    "RandomIndexShuffle",
    "index:dtype seed:Tseed= max_index:dtype",
    _type,
    _kernel,
    {},
    dtypes={"dtype": _INTEGERS, "Tseed": _INTEGERS},
    batch=rows_random.index_shuffle,
)


_FIRST_WORD = 498247692


@export("random.experimental.index_shuffle")
def index_shuffle(index: TensorLike, seed: IntLike, max_index: TensorLike) -> Tensor:
    """Where a shuffle of 0, 1, ..., `max_index` that `seed` decides takes `index`.

    index, max_index: integers, scalars or vectors of one size.  seed: two integers, or two for each index.  Raises InvalidArgumentError
    for an index out of range.

    >>> sorted(int(tf.random.experimental.index_shuffle(i, [1, 2], 3)) for i in range(4))
    [0, 1, 2, 3]
    """
    given = convert_to_tensor(seed)
    rank = 1 if given.dims is None else len(given.dims)
    padded = PAD_V2.call(given, [[1, 0]] if rank == 1 else [[0, 0]] * (rank - 1) + [[1, 0]], _FIRST_WORD)
    return INDEX_SHUFFLE(index, padded, max_index, rounds=4)


@export("random_index_shuffle")
def random_index_shuffle(index: TensorLike, seed: IntLike, max_index: TensorLike, rounds: int = 4, name: str | None = None) -> Tensor:
    """The operation itself: `tf.random.experimental.index_shuffle` of a seed of three integers, and with so many rounds of the cipher.

    >>> sorted(int(tf.random_index_shuffle(i, [1, 2, 3], 3)) for i in range(4))
    [0, 1, 2, 3]
    """
    return INDEX_SHUFFLE(index, seed, max_index, rounds=rounds, name=name)
