"""Graphs that know little: static shapes of what is of unknown rank or made of constants, and calls of tensors of unknown rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, either

FACE = "v1"


def _shapes(tf: Any, calls: dict[str, Callable[[], Any]]) -> Answers:
    """The static shapes of what calls give, each in a graph of its own."""

    def shapes_of(call: Callable[[], Any]) -> Callable[[], Any]:
        def run() -> Any:
            with tf.Graph().as_default():
                return [str(x.shape) for x in tf.nest.flatten(call())]

        return either(run)

    return {words: shapes_of(call) for words, call in calls.items()}


def static_shapes(tf: Any) -> Answers:
    """What an operation says of the shape of its results where it is told nothing of its arguments."""

    def of(dtype: Any = tf.float32, shape: Any = None) -> Any:
        return tf.placeholder(dtype, shape)

    raw, ragged, index = tf.raw_ops, tf.RaggedTensor, tf.int32
    splits = {
        f"{name}, {'checked' if check else 'as they are'}": lambda make=make, check=check: make(of(), of(index), validate=check).row_splits
        for name, make in {
            "row splits": ragged.from_row_splits,
            "row lengths": ragged.from_row_lengths,
            "row starts": ragged.from_row_starts,
            "row limits": ragged.from_row_limits,
            "row numbers": ragged.from_value_rowids,
            "one row length": ragged.from_uniform_row_length,
        }.items()
        for check in (True, False)
    }
    norms = {
        "batch norm": lambda: list(raw.FusedBatchNormV3(x=of(), scale=of(), offset=of(), mean=of(), variance=of()))[:5],
        "batch norm of three channels": lambda: list(
            raw.FusedBatchNormV2(x=of(), scale=of(shape=[3]), offset=of(), mean=of(), variance=of(), data_format="NCHW")
        ),
        "gradient of batch norm": lambda: list(
            raw.FusedBatchNormGrad(y_backprop=of(), x=of(), scale=of(), reserve_space_1=of(), reserve_space_2=of())
        )[:3],
    }
    sizes = {
        "batch to space": lambda: raw.BatchToSpace(input=of(), crops=[[0, 0], [0, 2]], block_size=2),
        "space to batch": lambda: raw.SpaceToBatch(input=of(), paddings=[[0, 0], [0, 2]], block_size=2),
        "blocks of space to batch": lambda: raw.SpaceToBatchND(input=of(), block_shape=[2, 2], paddings=[[0, 0], [0, 0]]),
        "reversed by flags": lambda: raw.Reverse(tensor=of(), dims=[True, False]),
        "permutation": lambda: tf.math.invert_permutation(of(index)),
        "cross-entropy": lambda: list(raw.SoftmaxCrossEntropyWithLogits(features=of(), labels=of())),
        "shuffled indices": lambda: raw.RandomIndexShuffle(index=of(index), seed=of(index, [4, 3]), max_index=of(index), rounds=4),
        "n-grams": lambda: list(
            raw.StringNGrams(
                data=of(tf.string), data_splits=of(index), separator=" ", ngram_widths=[2], left_pad="", right_pad="", pad_width=0,
                preserve_short_sequences=False,
            )
        ),  # fmt: skip
        "distinct labels": lambda: tf.nn.ctc_unique_labels(of(index))[0],
        "confusion of so many classes": lambda: tf.math.confusion_matrix(of(index, [3]), of(index, [3]), of(index)),
        "so many seeds": lambda: tf.random.experimental.stateless_split([1, 2], of(index)),
        "sampled loss": lambda: tf.nn.sampled_softmax_loss(of(), of(), of(index), of(), 4, 6, num_true=2, seed=3),
        "contrastive loss": lambda: tf.nn.nce_loss(of(), of(), of(index), of(), 4, 6, num_true=2),
        "mask of rows": lambda: tf.ragged.boolean_mask(of(), [[True, False], [True, True]]).row_splits,
        "rows as a tensor": lambda: tf.RaggedTensor.from_row_splits(of(), of(tf.int64, [5])).to_tensor(shape=[4, None]),
    }  # fmt: skip
    return _shapes(tf, splits | norms | sizes)


def shapes_from_constants(tf: Any) -> Answers:
    """Sizes that operations on constants alone give are known to the graph, whatever the operations are."""
    words = tf.constant

    return _shapes(
        tf,
        {
            "lengths of words": lambda: tf.zeros(tf.strings.length(words(["ab", "c"]))),
            "distinct numbers": lambda: tf.zeros(tf.unique(words([2, 2, 3]))[0]),
            "sorted": lambda: tf.zeros(tf.sort(words([4, 2, 3]))),
            "a sum of floats": lambda: tf.zeros(tf.cast(tf.reduce_sum(tf.ones([2, 3])), tf.int32)),
            "numbers in words": lambda: tf.zeros(tf.strings.to_number(words(["3", "4"]), tf.int32)),
            "an inverse": lambda: tf.zeros(tf.cast(tf.linalg.inv(words([[0.5]]))[0], tf.int32)),
            "drawn": lambda: tf.zeros(tf.random.uniform([2], 3, 5, tf.int32)),
            "fed": lambda: tf.zeros(tf.strings.length(tf.placeholder(tf.string, [2]))),
            "of a number that is fed": lambda: tf.zeros(tf.placeholder_with_default([2, 3], [2]) * 2),
            "no number": lambda: tf.zeros(tf.strings.to_number(words(["x"]), tf.int32)),
            "rows of split words": lambda: tf.strings.split(words(["a b", "c"]), result_type="RaggedTensor").row_splits,
            "rows of split words that are fed": lambda: (
                tf.strings.split(tf.placeholder(tf.string, [2]), result_type="RaggedTensor").row_splits
            ),
            "characters": lambda: tf.strings.unicode_split(words(["ab", "c"]), "UTF-8").values,
            "bytes": lambda: tf.strings.bytes_split(words(["ab", "c"])).row_splits,
            "words of a string": lambda: tf.string_split(words(["a b", "c"])).values,
        },
    )


def dtypes_of_row_splits(tf: Any) -> Answers:
    """Row splits of row numbers are of the dtype of the first tensor among numbers and count, else int64."""
    two, ids = tf.constant(4), [0, 0, 2]
    call = tf.ragged.segment_ids_to_row_splits
    given = {
        "lists": (ids, None),
        "a tensor of numbers": (tf.constant(ids), None),
        "a count": (ids, two),
        "both": (tf.constant(ids, tf.int64), two),
    }
    return {words: either(lambda g=g: [call(g[0], num_segments=g[1]).dtype.name]) for words, g in given.items()}
