"""Cases: losses, decoders and labels of connectionist temporal classification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(6, 3, 4, dtype="float64")
X32 = X.astype(np.float32)
INDICES = np.int64([[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]])
VALUES, FRAMES = np.int32([0, 0, 2, 1, 2, 1]), np.int32([6, 4, 5])
DENSE, LENGTHS = np.int32([[1, 1, 3], [2, 0, 0], [3, 2, 0]]), np.int32([3, 1, 2])


def sparse(**flags: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.raw_ops.CTCLoss(inputs=x, labels_indices=INDICES, labels_values=VALUES, sequence_length=FRAMES, **flags)[0]


def wrong(indices: Any = INDICES, values: Any = VALUES, frames: Any = FRAMES) -> Callable[..., Any]:
    return lambda tf, x: tf.raw_ops.CTCLoss(
        inputs=x, labels_indices=np.int64(indices), labels_values=np.int32(values), sequence_length=np.int32(frames)
    )


def dense(labels: Any = DENSE, lengths: Any = LENGTHS, frames: Any = FRAMES, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.nn.ctc_loss(tf.constant(labels), x, tf.constant(lengths), tf.constant(frames), **options)


def once(call: Callable[..., Any]) -> Callable[..., Any]:
    """Only the value: TensorFlow's gradient is rounded too much to compare with."""
    return lambda tf, x: tf.stop_gradient(call(tf, x))


def decoded(found: Any) -> list[Any]:
    paths, scores = found
    return [*(part for p in paths for part in (p.indices, p.values, p.dense_shape)), scores]


SINGLE = {"rtol": 1e-4}  # TensorFlow computes these in single precision


def twice(tf: Any, x: Any) -> Any:
    """The gradient of all three losses, to be differentiated once more; TensorFlow has no kernel of the second, and no such derivative."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        second = tf.raw_ops.CTCLossV2(inputs=x, labels_indices=INDICES, labels_values=VALUES + 1, sequence_length=FRAMES)[0]
        losses = sparse()(tf, x) ** 2 + second**2 + dense()(tf, x) ** 2
    return tape.gradient(losses, x)


CASES: list[Case] = [
    case("CTCLoss", "doubles", sparse(), X, **SINGLE),
    case("CTCLoss", "single", sparse(), X32, **SINGLE),
    case("CTCLoss", "repetitions out of labels", sparse(preprocess_collapse_repeated=True), X, **SINGLE),
    case("CTCLoss", "repetitions count", sparse(ctc_merge_repeated=False), X, **SINGLE),
    case(
        "CTCLoss",
        "too few frames are left out",
        lambda tf, x: tf.raw_ops.CTCLoss(
            inputs=x,
            labels_indices=INDICES,
            labels_values=VALUES,
            sequence_length=np.int32([2, 4, 5]),
            ignore_longer_outputs_than_inputs=True,
        )[0],
        X,
        **SINGLE,
    ),
    case("CTCLoss", "no alignment", lambda tf, x: wrong(frames=[3, 4, 5])(tf, x)[0], X, smooth=False, **SINGLE),
    case("CTCLoss", "null labels end a sequence", lambda tf, x: wrong(values=[0, 3, 3, 1, 2, 1])(tf, x)[0], X, **SINGLE),
    case(
        "CTCLoss",
        "version 1",
        lambda tf, x: tf.nn.ctc_loss(tf.SparseTensor(INDICES, VALUES, [3, 3]), x, FRAMES),
        X,
        face="v1",
        **SINGLE,
    ),
    case(
        "CTCLoss",
        "version 1, batch first",
        lambda tf, x: tf.nn.ctc_loss(tf.SparseTensor(INDICES, VALUES, [3, 3]), logits=x, sequence_length=FRAMES, time_major=False),
        X.transpose(1, 0, 2).copy(),
        face="v1",
        **SINGLE,
    ),
    *(
        case(
            "CTCLoss",
            f"sparse labels, blank {blank}",
            lambda tf, x, b=blank: tf.nn.ctc_loss(tf.SparseTensor(INDICES, VALUES + 1, [3, 3]), x, None, FRAMES, blank_index=b),
            X32,
            **SINGLE,
        )
        for blank in (0, -4)
    ),
    case(
        "CTCLossV2",
        "raw",
        lambda tf, x: tf.raw_ops.CTCLossV2(inputs=x, labels_indices=INDICES, labels_values=VALUES + 1, sequence_length=FRAMES)[0],
        X32,
    ),
    case("CTCLossDense", "second order", twice, X32, smooth=False),
    case("CTCLossDense", "blank 0", dense(), X32, **SINGLE),
    case("CTCLossDense", "blank last", dense(DENSE - (DENSE > 0), blank_index=-1), X32, **SINGLE),
    case("CTCLossDense", "blank 2", dense(np.int32([[1, 1, 3], [0, 0, 0], [3, 1, 0]]), blank_index=2), X32, **SINGLE),
    case("CTCLossDense", "batch first", dense(logits_time_major=False), X32.transpose(1, 0, 2).copy(), **SINGLE),
    case("CTCLossDense", "no labels", dense(lengths=np.int32([0, 1, 0])), X32, **SINGLE),
    case("CTCLossDense", "no alignment", once(dense(frames=np.int32([2, 4, 5]))), X32, smooth=False, **SINGLE),  # a difference of two 707s
    case("CTCLossDense", "float16", once(dense()), X.astype(np.float16), smooth=False, rtol=2e-2),  # halves
    case(
        "CTCLossDense",
        "unique labels",
        lambda tf, x: tf.nn.ctc_loss(DENSE, x, LENGTHS, FRAMES, unique=tf.nn.ctc_unique_labels(DENSE)),
        X32,
        **SINGLE,
    ),
    case(
        "CTCLossDense",
        "version 1",
        lambda tf, x: tf.nn.ctc_loss_v2(tf.constant(DENSE), x, tf.constant(LENGTHS), tf.constant(FRAMES)),
        X32,
        face="v1",
        **SINGLE,
    ),
    *(
        case(
            "CTCGreedyDecoder",
            f"merge {merge}, blank {blank}",
            lambda tf, x, m=merge, b=blank: decoded(tf.nn.ctc_greedy_decoder(x, FRAMES, m, b)),
            X,
            smooth=False,
        )
        for merge in (True, False)
        for blank in (-1, 1)
    ),
    *(
        case(
            "CTCBeamSearchDecoder",
            f"width {width}, {top} paths",
            lambda tf, x, w=width, t=top: decoded(tf.nn.ctc_beam_search_decoder(x, FRAMES, w, t)),
            x,
            smooth=False,
        )
        for x in (X32,)
        for width, top in ((1, 1), (3, 2), (8, 3), (100, 10))
    ),
    case(
        "CTCBeamSearchDecoder",
        "doubles, many classes, narrow",
        lambda tf, x: decoded(tf.nn.ctc_beam_search_decoder(x, [9, 7], 5, 5)),
        floats(9, 2, 12, dtype="float64"),
        smooth=False,
        **SINGLE,
    ),
    case(
        "CTCBeamSearchDecoder",
        "version 1 merges",
        lambda tf, x: decoded(tf.nn.ctc_beam_search_decoder(x, FRAMES, 20, 4)),
        X32,
        smooth=False,
        face="v1",
    ),
    case("Sum", "ctc_unique_labels", lambda tf, x: list(tf.nn.ctc_unique_labels(x)), ints(3, 6, high=4), smooth=False),
    case(
        "ScatterNd",
        "collapse_repeated",
        lambda tf, x, n: list(tf.nn.collapse_repeated(x, n)),
        np.int32([[1, 1, 2, 2, 1], [0, 0, 0, 1, 2], [3, 3, 3, 3, 3]]),
        np.int64([5, 4, 2]),
        smooth=False,
    ),
]

ERRORS: list[ErrorCase] = [
    error("CTCLoss: too few frames", wrong(frames=[2, 4, 5]), X),
    error("CTCLoss: a negative label", wrong(values=[0, -1, 2, 1, 2, 1]), X),
    error("CTCLoss: no labels", wrong(INDICES[:3], VALUES[:3]), X),
    error("CTCLoss: more frames than there are", wrong(frames=[7, 4, 5]), X),
    error("CTCLoss: too few lengths", wrong(frames=[4, 5]), X),
    error("CTCLoss: an example too many", wrong(INDICES + np.int64([1, 0])), X),
    error("CTCLoss: labels out of order", wrong(INDICES[::-1]), X),
    error("CTCLoss: rank 2", wrong(), X[0]),
    error("CTCLoss: rank 2", wrong(), X[0], mode="graph"),
    error("CTCLoss: a label behind the end", wrong(values=[0, 3, 2, 1, 2, 1]), X),
    error(
        "ctc_loss: sparse labels without a blank",
        lambda tf, x: tf.nn.ctc_loss(tf.SparseTensor(INDICES, VALUES, [3, 3]), x, None, FRAMES),
        X,
    ),
    error("CTCGreedyDecoder: more frames than there are", lambda tf, x: tf.nn.ctc_greedy_decoder(x, [7, 4, 5]), X),
    error("CTCGreedyDecoder: blank out of range", lambda tf, x: tf.nn.ctc_greedy_decoder(x, FRAMES, blank_index=7), X),
    error("CTCBeamSearchDecoder: more paths than beams", lambda tf, x: tf.nn.ctc_beam_search_decoder(x, FRAMES, 1, 2), X),
    error("CTCBeamSearchDecoder: too few beams", lambda tf, x: tf.nn.ctc_beam_search_decoder(x, [1, 1, 1], 100, 20), X),
]
