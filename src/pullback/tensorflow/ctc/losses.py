"""The losses of connectionist temporal classification: `CTCLoss` for sparse labels, and the loss for dense ones.

Each has its gradient as a second output, as in TensorFlow.  Unlike there, that output can be differentiated in turn, as often as one
likes: the derivative of the gradient along any number of vectors is an operation of its own (`...Derivative`).  It is symmetric and
linear in them, so its cotangent for one vector is itself with the cotangent in that place, and for the logits itself with one more vector.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, float32, float64
from ...ir.op import Op, define, set_signature
from ...ir.tensor import Tensor, TensorType
from ...ops.array.basic import reshape
from ...ops.array.gather import gather
from ...ops.array.join import STACK
from ...ops.array.type_rules import Array, invalid_argument, match_dims, require_rank
from ...ops.vmap_rules.index import offset_ids
from .kernels import Labels, ctc

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

_REAL = {float32, float64}
_FLAGS = {"preprocess_collapse_repeated": False, "ctc_merge_repeated": True, "ignore_longer_outputs_than_inputs": False}
_ELSEWHERE = float(np.log(1e-307))  # what TensorFlow's dense loss gives alignments that end too soon


def _check_frames(logits: Array, frames: Array) -> None:
    if logits.ndim != 3:
        raise invalid_argument("inputs is not a 3-Tensor")
    if frames.shape != (logits.shape[1],):
        raise invalid_argument(f"len(sequence_length) != batch_size.  len(sequence_length):  {frames.size} batch_size: {logits.shape[1]}")
    if (frames > len(logits)).any():
        at = int(np.argmax(frames > len(logits)))
        raise invalid_argument(f"sequence_length({at}) <= {len(logits)}")


def _examples(indices: Array, values: Array, batch: int) -> list[Array]:
    """The labels of each example, from the entries of a sparse matrix, which must be in order."""
    if indices.ndim != 2 or indices.shape[1] != 2 or values.shape != indices.shape[:1]:
        raise invalid_argument(f"labels_indices must be [n, 2] and labels_values [n], got {list(indices.shape)} and {list(values.shape)}")
    rows = indices[:, 0]
    if rows.size and (rows.min() < 0 or rows.max() >= batch):
        at = int(np.argmax((rows < 0) | (rows >= batch)))
        raise invalid_argument(
            f"label SparseTensor is not valid: indices[{at}] = {indices[at].tolist()} is out of bounds: need 0 <= index < [{batch}]"
        )
    steps = np.diff(indices, axis=0)
    disordered = (steps[:, 0] < 0) | ((steps[:, 0] == 0) & (steps[:, 1] <= 0))
    if disordered.any():
        at = int(np.argmax(disordered)) + 1
        raise invalid_argument(f"label SparseTensor is not valid: indices[{at}] = {indices[at].tolist()} is out of order")
    return np.split(values, np.searchsorted(rows, np.arange(1, batch)))


def _clean_labels(labels: Array, example: int, null: int, collapse: bool) -> Array:
    """The labels of one example before the first null label; refused where they are not labels."""
    if collapse:
        labels = labels[np.concatenate([[True], labels[1:] != labels[:-1]])] if labels.size else labels
    nulls = labels >= null
    if nulls.any():
        first = int(np.argmax(nulls))
        if not nulls[first:].all():
            raise invalid_argument(f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {example}")
        labels = labels[:first]
    if (labels < 0).any():
        raise invalid_argument(f"All labels must be nonnegative integers, batch: {example} labels: {','.join(map(str, labels))}")
    return labels


def _from_sparse(inputs: Array, indices: Array, values: Array, frames: Array, first: bool, flags: dict[str, bool]) -> tuple[Labels, Array]:
    """The labels padded, and which examples count; `first`: the blank is class 0, else the last class."""
    _check_frames(inputs, frames)
    classes, batch = inputs.shape[2], inputs.shape[1]
    examples = _examples(indices, values, batch)
    for example, found in enumerate(examples):
        if not found.size:
            raise invalid_argument(f"Labels length is zero in batch {example}")
    null = classes if first else classes - 1
    cleaned = [_clean_labels(found, i, null, flags["preprocess_collapse_repeated"]) for i, found in enumerate(examples)]
    lengths = np.array([found.size for found in cleaned], np.int64)
    short = lengths > frames
    if short.any() and not flags["ignore_longer_outputs_than_inputs"]:
        at = int(np.argmax(short))
        raise invalid_argument(
            f"Not enough time for target transition sequence (required: {lengths[at]}, available: {frames[at]}) in batch {at}: "
            "ignore_longer_outputs_than_inputs leaves such examples out"
        )
    padded = np.zeros((batch, int(lengths.max(initial=0))), np.int64)
    for row, found in zip(padded, cleaned, strict=True):
        row[: found.size] = found
    return Labels(padded, lengths, frames, 0 if first else classes - 1, flags["ctc_merge_repeated"]), ~short


def _loss_kernel(first: bool) -> Callable[..., Any]:
    def kernel(inputs: Array, labels_indices: Array, labels_values: Array, sequence_length: Array, **flags: bool) -> tuple[Array, Array]:
        given, counts = _from_sparse(inputs, labels_indices, labels_values, sequence_length, first, flags)
        loss, gradient = ctc(inputs, given)
        return np.where(counts, loss, 0.0).astype(inputs.dtype), np.where(counts[:, None], gradient, 0.0).astype(inputs.dtype)

    return set_signature(kernel, _FLAGS)


def _derivative_kernel(first: bool) -> Callable[..., Any]:
    def kernel(
        inputs: Array, vectors: list[Array], labels_indices: Array, labels_values: Array, sequence_length: Array, **flags: bool
    ) -> Array:
        given, counts = _from_sparse(inputs, labels_indices, labels_values, sequence_length, first, flags)
        return np.where(counts[:, None], ctc(inputs, given, vectors)[1], 0.0).astype(inputs.dtype)

    return set_signature(kernel, _FLAGS)


def _loss_type(inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any, **_: Any) -> tuple[TensorType, TensorType]:
    sizes = match_dims("time batch classes, n _, n, batch", inputs, labels_indices, labels_values, sequence_length)
    dims = sizes["time"], sizes["batch"], sizes["classes"]
    return TensorType((sizes["batch"],), inputs.dtype), TensorType(dims, inputs.dtype)


def _derivative_type(inputs: Any, vectors: Any, labels_indices: Any, labels_values: Any, sequence_length: Any, **_: Any) -> TensorType:
    return TensorType(inputs.dims, inputs.dtype)


def _cotangents(g: Any, vectors: Any, derivative: Callable[..., Any]) -> tuple[Any, list[Any]]:
    """Of the logits and of each vector.  derivative: of the gradient along the vectors it is given."""
    each = [derivative(*vectors[:i], g, *vectors[i + 1 :]) for i in range(len(vectors))]
    return derivative(*vectors, g), each


def _pull_back(g_loss: Any, g_gradient: Any, gradient: Any, derivative: Callable[..., Any]) -> Any:
    """The cotangent of the logits; either cotangent may be missing."""
    found = None if g_loss is None else reshape(g_loss, [1, -1, 1]) * gradient
    if g_gradient is None:
        return found
    curved = derivative(g_gradient)
    return curved if found is None else found + curved


def _sparse_rows(rows: Rows, inputs: Any, *rest: Any, **flags: Any) -> Any:
    """Examples of all rows are one batch, in which labels name theirs."""
    if isinstance(rows.size, int) and not rows.size:
        return NotImplemented  # the op refuses a batch of no examples
    *vectors, indices, values, lengths = rest
    examples, places = (rows.mark(gather(rows.stack(indices), column, axis=-1, batch_dims=0)) for column in (0, 1))
    named = rows.fold(rows.mark(STACK([offset_ids(rows, examples, rows.shape(inputs)[1]), places], axis=2)))
    along = [[rows.merge(v, 1) for v in vectors[0]]] if vectors else []
    found = rows.op(rows.merge(inputs, 1), *along, named, rows.fold(values), rows.fold(lengths), **flags)
    dims = rows.node.outputs[-1].dims
    size = None if dims is None else dims[1]
    if vectors:
        return rows.unmerge(found, 1, size)
    return rows.unmerge(found[0], 0, size), rows.unmerge(found[1], 1, size)


def _sparse_loss(name: str, first: bool, dtypes: Any) -> Op:
    entries = "labels_indices:int64 labels_values:int32 sequence_length:int32"

    def derivative_back(
        g: Any, inputs: Any, vectors: Any, labels_indices: Any, labels_values: Any, sequence_length: Any, attrs: dict[str, Any]
    ) -> Any:
        entries = labels_indices, labels_values, sequence_length
        return _cotangents(g, vectors, lambda *vectors: derivative(inputs, list(vectors), *entries, **attrs))

    derivative = define(
        f"{name}Derivative",  # ours
        f"inputs *vectors {entries}",
        _derivative_type,
        _derivative_kernel(first),
        {("inputs", "vectors"): derivative_back},
        dtypes=dtypes,
        batch=_sparse_rows,
    )

    def pull_back(
        g_loss: Any, g_gradient: Any, gradient: Any, inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any,
        attrs: dict[str, Any],
    ) -> Tensor:  # fmt: skip
        entries = labels_indices, labels_values, sequence_length
        return _pull_back(g_loss, g_gradient, gradient, lambda *vectors: derivative(inputs, list(vectors), *entries, **attrs))

    return define(
        name,
        f"inputs:T=float32 {entries}",
        _loss_type,
        _loss_kernel(first),
        {"inputs": pull_back},
        outputs="loss gradient",
        dtypes=dtypes,
        fills=False,
        batch=_sparse_rows,
    )


CTC_LOSS = _sparse_loss("CTCLoss", False, _REAL)
CTC_LOSS_V2 = _sparse_loss("CTCLossV2", True, {float32})

# ---------------------------------------------------------------------- dense labels


def _dense(logits: Array, labels: Array, label_length: Array, logit_length: Array) -> Labels:
    _check_frames(logits, logit_length)
    if labels.ndim != 2 or len(labels) != logits.shape[1] or label_length.shape != labels.shape[:1]:
        raise invalid_argument(
            f"labels must be [batch, length] and label_length [batch], got {list(labels.shape)} and {list(label_length.shape)}"
        )
    if (label_length < 0).any() or (label_length > labels.shape[1]).any():
        raise invalid_argument(f"label_length must lie in [0, {labels.shape[1]}], got {label_length.tolist()}")
    used = np.arange(labels.shape[1]) < label_length[:, None]
    if (used & ((labels < 0) | (labels >= logits.shape[2]))).any():
        raise invalid_argument(f"labels must lie in [0, {logits.shape[2]}), got {labels.tolist()}")
    return Labels(np.where(used, labels, 0), label_length, logit_length, 0, other=_ELSEWHERE)


def _dense_kernel(logits: Array, labels: Array, label_length: Array, logit_length: Array) -> tuple[Array, Array]:
    loss, gradient = ctc(logits, _dense(logits, labels, label_length, logit_length))
    return loss.astype(logits.dtype), gradient.astype(logits.dtype)


def _dense_derivative_kernel(logits: Array, vectors: list[Array], labels: Array, label_length: Array, logit_length: Array) -> Array:
    return ctc(logits, _dense(logits, labels, label_length, logit_length), vectors)[1].astype(logits.dtype)


def _dense_type(logits: Any, labels: Any, label_length: Any, logit_length: Any) -> tuple[TensorType, TensorType]:
    require_rank(logits, 3, "inputs is not a 3-Tensor")
    require_rank(labels, 2, "labels is not a matrix")
    sizes = [t.dims[i] for t, i in ((logits, 1), (labels, 0), (label_length, 0), (logit_length, 0)) if t.dims]
    batch = next((n for n in sizes if n is not None), None)
    dims = (None, batch, None) if logits.dims is None else (logits.dims[0], batch, logits.dims[2])
    return TensorType((batch,), logits.dtype), TensorType(dims, logits.dtype)


def _dense_rows(rows: Rows, logits: Any, *rest: Any) -> Any:
    """Examples of all rows are one batch, the second axis of logits and the first of the others."""
    several = len(rows.node.outputs) == 2
    given = list(map(rows.fold, rest)) if several else [[rows.merge(v, 1) for v in rest[0]], *map(rows.fold, rest[1:])]
    found = rows.op(rows.merge(logits, 1), *given)
    dims = rows.node.outputs[-1].dims
    size = None if dims is None else dims[1]
    if not several:
        return rows.unmerge(found, 1, size)
    return rows.unmerge(found[0], 0, size), rows.unmerge(found[1], 1, size)


_DENSE = "labels:Tlabels label_length:Tlength logit_length:Tframes"


def _dense_along(logits: Any, labels: Any, label_length: Any, logit_length: Any) -> Callable[..., Any]:
    return lambda *vectors: CTC_LOSS_DENSE_DERIVATIVE(logits, list(vectors), labels, label_length, logit_length)


CTC_LOSS_DENSE_DERIVATIVE: Op = define(
    "CTCLossDenseDerivative",  # ours
    f"logits *vectors {_DENSE}",
    lambda logits, vectors, labels, label_length, logit_length: TensorType(logits.dims, logits.dtype),
    _dense_derivative_kernel,
    {
        ("logits", "vectors"): lambda g, logits, vectors, labels, label_length, logit_length: _cotangents(
            g, vectors, _dense_along(logits, labels, label_length, logit_length)
        )
    },
    dtypes={"T": _REAL, "Tlabels": INDEX, "Tlength": INDEX, "Tframes": INDEX},
    batch=_dense_rows,
)
CTC_LOSS_DENSE: Op = define(
    "CTCLossDense",  # ours: TensorFlow composes it
    f"logits {_DENSE}",
    _dense_type,
    _dense_kernel,
    {
        "logits": lambda g_loss, g_gradient, gradient, logits, labels, label_length, logit_length: _pull_back(
            g_loss, g_gradient, gradient, _dense_along(logits, labels, label_length, logit_length)
        )
    },
    outputs="loss gradient",
    dtypes={"T": _REAL, "Tlabels": INDEX, "Tlength": INDEX, "Tframes": INDEX},
    fills=False,
    batch=_dense_rows,
)
