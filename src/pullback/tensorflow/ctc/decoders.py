"""Reading labels from the frames of connectionist temporal classification: the best class of each frame, or a beam search.

The beam search is that of Graves (2012, chapter 7.5) with TensorFlow's order of events: beams are updated, then each is extended by every
class, and what no longer fits into the beam is forgotten at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float32, float64, int64
from ...base.errors import FailedPreconditionError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels import reductions
from ...kernels.loops import native_or_python
from ...kernels.native_loops import run_natively
from ...ops.array.type_rules import Array, invalid_argument, match_dims
from . import entry_loops

_REAL = {float32, float64}
_NEVER = -np.inf


def _check(inputs: Array, sequence_length: Array) -> None:
    if inputs.ndim != 3:
        raise invalid_argument("inputs is not a 3-Tensor")
    if sequence_length.ndim != 1:
        raise invalid_argument("sequence_length is not a vector")
    if sequence_length.shape != (inputs.shape[1],):
        text = f"len(sequence_length) != batch_size.  len(sequence_length):  {sequence_length.size} batch_size: {inputs.shape[1]}"
        raise FailedPreconditionError(None, None, text)
    if (sequence_length > len(inputs)).any():
        at = int(np.argmax(sequence_length > len(inputs)))
        raise FailedPreconditionError(None, None, f"sequence_length({at}) <= {len(inputs)}")


def _sparse(paths: list[list[int]]) -> tuple[Array, Array, Array]:
    """One row for each path: indices, values and shape of a sparse matrix."""
    lengths = [len(path) for path in paths]
    rows = np.repeat(np.arange(len(paths)), lengths)
    columns = np.concatenate([np.arange(n) for n in lengths]) if lengths else np.zeros(0)
    indices = np.stack([rows, columns], axis=1).astype(np.int64)
    values = np.array([label for path in paths for label in path], np.int64)
    return indices, values, np.array([len(paths), max(lengths, default=0)], np.int64)


def _types(inputs: Any, sequence_length: Any, paths: int, probabilities: int) -> tuple[TensorType, ...]:
    batch = match_dims("_ batch _, batch", inputs, sequence_length)["batch"]
    kinds = [TensorType((None, 2), int64)] * paths, [TensorType((None,), int64)] * paths, [TensorType((2,), int64)] * paths
    return *kinds[0], *kinds[1], *kinds[2], TensorType((batch, probabilities), inputs.dtype)


# ---------------------------------------------------------------------- greedy


def _greedy_type(inputs: Any, sequence_length: Any, *, merge_repeated: bool = False, blank_index: int = -1) -> tuple[TensorType, ...]:
    return _types(inputs, sequence_length, 1, 1)


def _find_best(inputs: Array) -> tuple[Array, Array]:
    """The best class of each frame, the first of several, and its logit."""
    most = reductions.extreme(inputs, (2,), False, np.maximum)
    if most is None:
        return inputs.argmax(axis=2), inputs.max(axis=2, initial=-np.inf)
    rows, best = np.divmod(np.flatnonzero(inputs == most[..., None]), inputs.shape[2])
    if not np.array_equal(rows, np.arange(most.size)):  # several are best, or some are NaN
        return inputs.argmax(axis=2), inputs.max(axis=2)
    return best.reshape(most.shape), most


def _decode_natively(inputs: Array, lengths: Array, blank: int, merge: bool) -> tuple[Array, ...] | None:
    """The results of the kernel, found natively; None where there is no code for it."""
    if inputs.dtype != np.float32:
        return None
    frames, batch, classes = inputs.shape
    indices, values = np.empty((frames * batch, 2), np.int64), np.empty(frames * batch, np.int64)
    score, longest, keys = np.full(batch, -0.0, inputs.dtype), np.zeros(1, np.int64), np.empty(classes, np.int32)
    given = indices.reshape(-1), values, score, longest, keys, inputs.reshape(-1), lengths, frames, batch, classes
    count = run_natively(entry_loops.decode_greedily, inputs.size, *given, blank=blank, merge=int(merge))
    if count is None:
        return None
    return indices[:count].copy(), values[:count].copy(), np.array([batch, longest[0]], np.int64), score[:, None]


def _decode_greedily(inputs: Array, sequence_length: Array, *, merge_repeated: bool, blank_index: int) -> tuple[Array, ...]:
    _check(inputs, sequence_length)
    frames, batch, classes = inputs.shape
    if not -classes <= blank_index < classes:
        raise invalid_argument(f"blank_index expected to be between {-classes} and {classes - 1} but was {blank_index}")
    found = _decode_natively(inputs, sequence_length, blank_index % classes, merge_repeated)
    if found is not None:
        return found
    inside = np.arange(frames)[:, None] < sequence_length
    best, most = _find_best(inputs)
    score = -np.where(inside, most, 0).sum(axis=0, dtype=inputs.dtype)
    kept = inside & (best != blank_index % classes)
    if merge_repeated:
        kept[1:] &= best[1:] != best[:-1]
    rows, at = np.nonzero(kept.T)
    lengths = kept.sum(axis=0)
    columns = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    indices = np.stack([rows, columns], axis=1).astype(np.int64)
    shape = np.array([batch, lengths.max(initial=0)], np.int64)
    return indices, best[at, rows].astype(np.int64), shape, score[:, None]


CTC_GREEDY_DECODER: Op = define(
    "CTCGreedyDecoder",
    "inputs:T=float32 sequence_length:int32",
    _greedy_type,
    _decode_greedily,
    {},
    outputs="decoded_indices decoded_values decoded_shape log_probability",
    dtypes=_REAL,
    batch="shape depends on values",
)

# ---------------------------------------------------------------------- beam search


def _paths(logp: Array, width: int, kept: int, merge: bool) -> tuple[list[list[int]], list[float]]:
    """The labels of the best paths for `logp` [frames, classes], and their scores; the blank is the last class."""
    frames, classes = logp.shape
    search = native_or_python(entry_loops.search, frames * classes * width)
    most = 1 + frames * (classes - 1) * width
    room = min(most, 1 << 12)
    while True:
        paths, ends, scores = np.empty((kept, frames), np.int64), np.empty(kept, np.int64), np.empty(kept)
        nodes, now, before = np.empty(entry_loops.NODE * room, np.int64), np.full(3 * room, _NEVER), np.full(3 * room, _NEVER)
        orders = [np.empty(width + 1, np.int64) for _ in range(3)]
        given = paths.reshape(-1), ends, scores, nodes, now, before, *orders, logp.reshape(-1)
        count = search(*given, frames, classes, width, kept, frames, room, merge=int(merge))
        if count >= 0:
            return [paths[k, : ends[k]].tolist() for k in range(min(kept, count))], scores[:count].tolist()
        room = min(4 * room, most)


def _beam_type(
    inputs: Any, sequence_length: Any, *, beam_width: int, top_paths: int, merge_repeated: bool = True
) -> tuple[TensorType, ...]:
    return _types(inputs, sequence_length, top_paths, top_paths)


def _beam(inputs: Array, sequence_length: Array, *, beam_width: int, top_paths: int, merge_repeated: bool) -> tuple[Array, ...]:
    _check(inputs, sequence_length)
    if top_paths > beam_width:
        raise invalid_argument("requested more paths than the beam width.")
    x = inputs.astype(np.float64)
    x = x - x.max(axis=2, keepdims=True, initial=-np.inf)
    logp = x - np.log(np.exp(x).sum(axis=2, keepdims=True))
    found = [_paths(logp[: max(int(n), 0), i], beam_width, top_paths, merge_repeated) for i, n in enumerate(sequence_length)]
    if any(len(each) < top_paths for each, _ in found):
        raise invalid_argument("Less leaves in the beam search than requested.")
    paths = [_sparse([each[k] for each, _ in found]) for k in range(top_paths)]
    scores = np.array([each for _, each in found], inputs.dtype).reshape(-1, top_paths)
    return *(p[0] for p in paths), *(p[1] for p in paths), *(p[2] for p in paths), scores


CTC_BEAM_SEARCH_DECODER: Op = define(
    "CTCBeamSearchDecoder",
    "inputs:T=float32 sequence_length:int32",
    _beam_type,
    _beam,
    {},
    outputs="*outputs",
    dtypes=_REAL,
    batch="shape depends on values",
)
