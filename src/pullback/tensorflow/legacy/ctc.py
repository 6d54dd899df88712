"""Connectionist temporal classification as `tf.compat.v1.nn` has it."""

from __future__ import annotations

from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.tensor import Tensor, TensorLike
from ...ops.sparse.tensor import SparseTensor
from ..ctc.functions import beam_search, sparse_loss


@export(v1="nn.ctc_loss")
def ctc_loss(
    labels: TensorLike,
    inputs: TensorLike | None = None,
    sequence_length: TensorLike | None = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: TensorLike | None = None,
) -> Tensor:
    """The loss for sparse labels; the blank is the last class.

    labels: a `SparseTensor` of int32.  inputs (or logits): [frames, batch, classes], batch first when not time_major.
    preprocess_collapse_repeated: repetitions are taken out of the labels first.  ctc_merge_repeated: frames that repeat a label count
    as one.  ignore_longer_outputs_than_inputs: examples with more labels than frames have no loss, else they are an InvalidArgumentError.

    >>> labels = tf.sparse.from_dense(tf.constant([[1, 2]]))
    >>> frames = tf.zeros([3, 1, 4])  # three frames, one example, three labels and the blank
    >>> tf.compat.v1.nn.ctc_loss(labels, frames, [3]).numpy().round(4)
    array([2.5494], dtype=float32)
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError(f"Expected argument `labels` to be a SparseTensor. Received labels={labels} of type: {type(labels).__name__}")
    frames = resolve_renamed("logits", logits, "inputs", inputs)
    flags = {
        "preprocess_collapse_repeated": preprocess_collapse_repeated,
        "ctc_merge_repeated": ctc_merge_repeated,
        "ignore_longer_outputs_than_inputs": ignore_longer_outputs_than_inputs,
    }
    return sparse_loss(labels, frames, sequence_length, flags, time_major)


@export(v1="nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """`tf.nn.ctc_beam_search_decoder` of TensorFlow 2, which with `merge_repeated` takes repetitions out of the sequences it found.

    >>> frames = tf.constant([[[5.0, 0.0, 0.0]], [[0.0, 0.0, 5.0]], [[5.0, 0.0, 0.0]]])
    >>> found, log_probability = tf.compat.v1.nn.ctc_beam_search_decoder(frames, [3], beam_width=4, merge_repeated=False)
    >>> tf.sparse.to_dense(found[0]).numpy().tolist()
    [[0, 0]]
    """
    return beam_search(inputs, sequence_length, beam_width, top_paths, merge_repeated)
