"""The collectives on arrays.  A process that is alone has the only part there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from ...base.errors import InvalidArgumentError
from .channel import Channel
from .memory import padded_bytes
from .summation import Array, Branch, sum_of_tree, sums_of_branches, whole_branches
from .world import world

#: From this many bytes on, more than two processes each add up a part, and then give each other the sums.
SHARED_BYTES = 1 << 16
#: Of several arrays, so many bytes go into one collective.
_TOGETHER_BYTES = 1 << 22
_NARROW = {np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)}


def all_reduce(x: Array, *, fast: bool) -> Array:
    """The sum of the arrays of all processes.

    fast: by MPI's own reduction, whose order of additions may depend on the number of processes.
    """
    return all_reduce_each([x], fast=fast)[0]


def all_reduce_each(arrays: Sequence[Array], *, fast: bool) -> list[Array]:
    """`all_reduce` of each of several arrays, many in one collective."""
    channel = world().channel
    if channel is None:
        return list(arrays)
    found: list[Array] = []
    for group in _groups(arrays, _TOGETHER_BYTES):
        call = f"all_reduce of {', '.join(map(_describe_array, group))}"
        if not fast and channel.memory is not None and channel.memory.holds(group):
            found += _sum_in_memory(channel, group, call)
        else:
            found += _sum_joined(channel, group, fast, call)
    return found


def all_reduce_rows(x: Array) -> Array:
    """The sum over the first axis of the arrays of all processes, one behind the other; bits depend on the rows and their order alone."""
    channel = world().channel
    if channel is None:
        return _sum_alone(x)
    return _sum_of_terms(channel, x, f"all_reduce over the rows of {_describe_array(x, rows=True)}")


def all_gather(x: Array) -> Array:
    """The arrays of all processes, one behind the other along the first axis."""
    channel = world().channel
    if channel is None:
        return x
    with channel.calling(f"all_gather of {_describe_array(x, rows=True)}", len(x)) as counts:
        answer = np.empty((sum(counts), *x.shape[1:]), x.dtype)
        parts = _parts(answer, counts)
        parts[channel.rank][...] = x
        _give_to_all(channel, parts)
        return answer


def reduce_scatter(x: Array, count: Array) -> Array:
    """The rows of this process of the sum of the arrays of all processes: `count` of them, behind those of the processes before it."""
    own = int(count)
    channel = world().channel
    if channel is None:
        _check_counts([own], len(x))
        return x
    with channel.calling(f"reduce_scatter of {_describe_array(x)}", own) as counts:
        _check_counts(counts, len(x))
        given = {rank: np.ascontiguousarray(part) for rank, part in enumerate(_parts(x, counts)) if rank != channel.rank}
        wanted = {rank: np.empty((own, *x.shape[1:]), x.dtype) for rank in given}
        channel.swap(given, wanted)
        wanted[channel.rank] = _parts(x, counts)[channel.rank]
        return _sum_in_order([wanted[rank] for rank in range(channel.size)])


def broadcast(x: Array, *, root: int) -> Array:
    """The array of one process, on all."""
    channel = world().channel
    _check_root(root)
    if channel is None:
        return x
    with channel.calling(f"broadcast from replica {root} of {_describe_array(x)}"):
        if channel.rank == root:
            whole = np.ascontiguousarray(x)
            channel.swap(dict.fromkeys(_list_others(channel), whole), {})
            return x
        answer = np.empty(x.shape, x.dtype)
        channel.swap({}, {root: answer})
        return answer


def reduce_to(x: Array, *, root: int) -> Array:
    """The sum of the arrays of all processes on one of them, and zeros on the others."""
    channel = world().channel
    _check_root(root)
    if channel is None:
        return x
    with channel.calling(f"reduce to replica {root} of {_describe_array(x)}"):
        if channel.rank != root:
            channel.swap({root: np.ascontiguousarray(x)}, {})
            return np.zeros_like(x)
        parts = {rank: np.empty(x.shape, x.dtype) for rank in _list_others(channel)}
        channel.swap({}, parts)
        parts[root] = x
        return _sum_in_order([parts[rank] for rank in range(channel.size)])


def all_to_all(x: Array) -> Array:
    """Part i of process j, of as many parts along the first axis as there are processes, becomes part j of process i."""
    channel = world().channel
    if channel is None:
        return x
    with channel.calling(f"all_to_all of {_describe_array(x)}"):
        if len(x) % channel.size:
            raise InvalidArgumentError(
                None, None, f"all_to_all cuts the first axis of {list(x.shape)} into {channel.size} equal parts, one a replica: pad it"
            )
        counts = [len(x) // channel.size] * channel.size
        answer = np.empty(x.shape, x.dtype)
        given, wanted = _parts(np.ascontiguousarray(x), counts), _parts(answer, counts)
        wanted[channel.rank][...] = given[channel.rank]
        channel.swap({rank: given[rank] for rank in _list_others(channel)}, {rank: wanted[rank] for rank in _list_others(channel)})
        return answer


# ---- sums


def _sum_alone(terms: Array) -> Array:
    if not len(terms):
        return np.zeros(terms.shape[1:], terms.dtype)
    wide = terms.astype(np.float32) if terms.dtype in _NARROW else terms
    (found,) = sums_of_branches(wide, 0, len(terms))
    return np.asarray(found, terms.dtype)


def _sum_in_order(parts: Sequence[Array]) -> Array:
    return _sum_alone(np.stack(parts))


def _sum_of_terms(channel: Channel, terms: Array, call: str) -> Array:
    with channel.calling(call, len(terms)) as counts:
        total, shape, dtype = sum(counts), terms.shape[1:], terms.dtype
        starts = list(accumulate(counts, initial=0))
        branches = [whole_branches(start, count, total) for start, count in zip(starts, counts, strict=False)]
        if not total:
            return np.zeros(shape, dtype)
        # A single term is sent as it is; sums of narrow numbers are added up in float32, and rounded once.
        sent = dtype if max(counts) <= 1 or dtype not in _NARROW else np.dtype(np.float32)
        found = sums_of_branches(terms.astype(sent, copy=False), starts[channel.rank], total)
        flat = (found[0] if len(found) == 1 else np.array(found, sent)).reshape(len(found), prod(shape))
        if channel.size > 2 and prod(shape) * sent.itemsize >= SHARED_BYTES:
            answer = _share_sums(channel, flat, branches, total)
        else:
            answer = _exchange_sums(channel, flat, branches, total)
        return answer.astype(dtype, copy=False).reshape(shape)


def _sum_in_memory(channel: Channel, arrays: Sequence[Array], call: str) -> list[Array]:
    """Everyone adds up the arrays of all where they stand in shared memory."""
    with channel.calling(call, len(arrays), shown=arrays):
        parts = channel.read_shown(arrays)
        parts[channel.rank] = list(arrays)
        return [_sum_of_each(column) for column in zip(*parts, strict=True)]


def _sum_of_each(terms: Sequence[Array]) -> Array:
    """The sum of one array of each process."""
    dtype, level = terms[0].dtype, list(terms)
    if dtype in _NARROW:
        level = [term.astype(np.float32) for term in level]
    while len(level) > 1:  # the tree of `sum_of_tree`, all of whose leaves are here
        sums = [np.add(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = sums + level[2 * len(sums) :]
    return np.asarray(level[0], dtype)


def _sum_joined(channel: Channel, arrays: Sequence[Array], fast: bool, call: str) -> list[Array]:
    """The sums over all processes, those of one dtype as one array."""
    found = list(arrays)
    for dtype in dict.fromkeys(x.dtype for x in arrays):
        places = [i for i, x in enumerate(arrays) if x.dtype == dtype]
        flat = arrays[places[0]] if len(places) == 1 else np.concatenate([arrays[i].reshape(-1) for i in places])
        if fast and dtype not in _NARROW:
            total = _sum_by_mpi(channel, flat, call)
        else:
            total = _sum_of_terms(channel, flat[np.newaxis], call)
        for i, part in zip(places, _parts(total.reshape(-1), [arrays[i].size for i in places]), strict=True):
            found[i] = part.reshape(arrays[i].shape)
    return found


def _sum_by_mpi(channel: Channel, x: Array, call: str) -> Array:
    with channel.calling(f"{call} by MPI"):
        answer = np.empty_like(x, order="C")
        others = _list_others(channel)
        channel.finish([(others[0], channel.communicator.Iallreduce(np.ascontiguousarray(x), answer))])
        return answer


def _groups(arrays: Sequence[Array], most: int) -> list[list[Array]]:
    """Arrays that follow each other and have so many bytes at most, or one that has more."""
    found: list[list[Array]] = []
    room = 0
    for x in arrays:
        if x.nbytes > room or not found:
            found.append([])
            room = most
        found[-1].append(x)
        room -= padded_bytes(x)
    return found


def _exchange_sums(channel: Channel, mine: Array, branches: Sequence[Sequence[Branch]], total: int) -> Array:
    """Everyone gets the sums of all, and adds up everything."""
    parts = [mine if rank == channel.rank else np.empty((len(own), mine.shape[1]), mine.dtype) for rank, own in enumerate(branches)]
    _give_to_all(channel, parts)
    return _add_parts(parts, branches, total, channel.rank)


def _share_sums(channel: Channel, mine: Array, branches: Sequence[Sequence[Branch]], total: int) -> Array:
    """Everyone adds up some of the elements, and gives the others the result."""
    length = mine.shape[1]
    bounds = [length * rank // channel.size for rank in range(channel.size + 1)]
    width = bounds[channel.rank + 1] - bounds[channel.rank]
    columns = [np.ascontiguousarray(mine[:, a:b]) for a, b in pairwise(bounds)]
    parts = [columns[rank] if rank == channel.rank else np.empty((len(own), width), mine.dtype) for rank, own in enumerate(branches)]
    others = _list_others(channel)
    channel.swap({rank: columns[rank] for rank in others}, {rank: parts[rank] for rank in others})
    sums = _add_parts(parts, branches, total, channel.rank)
    answer = np.empty(length, sums.dtype)
    pieces = [answer[a:b] for a, b in pairwise(bounds)]
    pieces[channel.rank][...] = sums
    _give_to_all(channel, pieces)
    return answer


def _add_parts(parts: Sequence[Array], branches: Sequence[Sequence[Branch]], total: int, rank: int) -> Array:
    """The sum of all; the arrays of `parts` that came from others than `rank` are changed."""
    wide = [part.astype(np.float32) if part.dtype in _NARROW else part for part in parts]
    rows = {branch: row for own, part in zip(branches, wide, strict=True) for branch, row in zip(own, part, strict=True)}
    return sum_of_tree(rows, total, {branch for at, own in enumerate(branches) if at != rank for branch in own})


# ---- parts


def _list_others(channel: Channel) -> list[int]:
    return [rank for rank in range(channel.size) if rank != channel.rank]


def _give_to_all(channel: Channel, parts: Sequence[Array]) -> None:
    """Send this process's part to all, and fill the others from theirs."""
    others = _list_others(channel)
    own = np.ascontiguousarray(parts[channel.rank])
    channel.swap(dict.fromkeys(others, own), {rank: parts[rank] for rank in others})


def _parts(x: Array, counts: Sequence[int]) -> list[Array]:
    bounds = list(accumulate(counts, initial=0))
    return [x[a:b] for a, b in pairwise(bounds)]


def _check_counts(counts: Sequence[int], rows: int) -> None:
    if min(counts) < 0 or sum(counts) != rows:
        raise InvalidArgumentError(
            None, None, f"reduce_scatter gives the {len(counts)} replicas {counts} rows, and there are {rows}: pad the first axis"
        )


def _check_root(root: int) -> None:
    if not 0 <= root < world().size:
        raise InvalidArgumentError(None, None, f"there is no replica {root}: there are {world().size}, numbered from 0")


def _describe_array(x: Array, rows: bool = False) -> str:
    """The dtype and shape, without the length of the first axis where `rows` may differ."""
    return _say_type(x.dtype, ("*", *x.shape[1:]) if rows else x.shape)


@lru_cache(1024)
def _say_type(dtype: np.dtype[Any], dims: tuple[object, ...]) -> str:
    return f"{dtype.name} [{', '.join(map(str, dims))}]"
