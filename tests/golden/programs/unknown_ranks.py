"""Graphs that know little: static shapes of what is of unknown rank or made of constants, and calls of tensors of unknown rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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
        "batch to space by a size": lambda: tf.batch_to_space(of(), [[0, 0], [0, 2]], 2),
        "space to batch by a size": lambda: tf.space_to_batch(of(), [[0, 0], [0, 2]], 2),
        "reversed by flags": lambda: raw.Reverse(tensor=of(), dims=[True, False]),
        "permutation": lambda: tf.math.invert_permutation(of(index)),
        "cross-entropy": lambda: list(raw.SoftmaxCrossEntropyWithLogits(features=of(), labels=of())),
        "shuffled indices": lambda: raw.RandomIndexShuffle(index=of(index), seed=of(index, [4, 3]), max_index=of(index), rounds=4),
        "n-grams": lambda: list(
            raw.StringNGrams(
                data=of(tf.string),
                data_splits=of(index),
                separator=" ",
                ngram_widths=[2],
                left_pad="",
                right_pad="",
                pad_width=0,
                preserve_short_sequences=False,
            )
        ),
        "distinct labels": lambda: tf.nn.ctc_unique_labels(of(index))[0],
        "confusion of so many classes": lambda: tf.math.confusion_matrix(of(index, [3]), of(index, [3]), of(index)),
        "so many seeds": lambda: tf.random.experimental.stateless_split([1, 2], of(index)),
        "sampled loss": lambda: tf.nn.sampled_softmax_loss(of(), of(), of(index), of(), 4, 6, num_true=2, seed=3),
        "contrastive loss": lambda: tf.nn.nce_loss(of(), of(), of(index), of(), 4, 6, num_true=2),
        "mask of rows": lambda: tf.ragged.boolean_mask(of(), [[True, False], [True, True]]).row_splits,
        "rows as a tensor": lambda: tf.RaggedTensor.from_row_splits(of(), of(tf.int64, [5])).to_tensor(shape=[4, None]),
    }
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


def variables(tf: Any) -> Answers:
    """Variables of initial values that are fed: a ref variable wants to know their shape."""

    def made(make: Callable[[Any], Any], shape: Any) -> Callable[[], Any]:
        def run() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                value = tf.placeholder(tf.int64, shape)
                variable = make(value)
                session.run(tf.global_variables_initializer(), {value: [5, 0, 7]})
                return [type(variable).__name__, str(variable.shape), session.run(variable)]

        return either(run)

    calls = {
        "a variable": lambda value: tf.Variable(value, use_resource=True),
        "TensorFlow 2's": lambda value: tf.compat.v2.Variable(value),
        "of a function": lambda value: tf.compat.v2.Variable(lambda: value),
        "a ref variable": lambda value: tf.Variable(value, use_resource=False),
        "a ref variable of any shape": lambda value: tf.Variable(value, use_resource=False, validate_shape=False),
        "by name": lambda value: tf.get_variable("x", initializer=value, use_resource=True),
    }
    return {f"{words}, shape {shape}": made(make, shape) for words, make in calls.items() for shape in (None, [None], [3])}


def _values(tf: Any, calls: dict[str, tuple[Callable[..., Any], list[Any]]], twice: bool = False) -> Answers:
    """Values, static shapes and gradients of calls of tensors of unknown rank."""

    def answer(call: Callable[..., Any], arrays: list[Any]) -> Callable[[], Any]:
        def run() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                fed = {tf.placeholder(a.dtype, None): a for a in map(np.asarray, arrays)}
                found = tf.nest.flatten(call(*fed))
                ys, xs = ([t for t in some if t.dtype.is_floating] for some in (found, fed))
                slopes = tf.gradients([y * tf.sin(y) for y in ys], xs) if xs and ys else []
                if twice:
                    slopes += tf.gradients([tf.sin(g) for g in slopes], xs)
                return session.run([*found, *(g for g in slopes if g is not None)], fed)

        return either(run)

    return {words: answer(*given) for words, given in calls.items()}


def _numbers(*sizes: int) -> Any:
    return np.sin(np.arange(1.0, 1.0 + np.prod(sizes))).reshape(sizes)


def signals(tf: Any) -> Answers:
    """Signals of which only a run knows how many axes they have; axes to cut that only a run knows."""
    one, two = _numbers(11), _numbers(2, 3, 8)
    spectra = (_numbers(2, 3, 5) + 1j * _numbers(2, 3, 5)).astype(np.complex64)
    cut = {
        f"frames along {axis} of {words}": (lambda x, axis=axis: tf.signal.frame(x, 3, 2, axis=axis), [x])
        for words, x, axes in (("a vector", one, (0, -1)), ("a volume", two, (0, 1, -1, -2)))
        for axis in axes
    }
    cut |= {
        f"frames along {axis}, which is fed": (lambda x, a: tf.signal.frame(x, 2, 2, pad_end=True, axis=a), [two, np.int32(axis)])
        for axis in (0, 2, -1, -3)
    }
    waves = {
        f"{name} of type {kind}": (lambda x, f=f, kind=kind: f(x, type=kind), [two])
        for name, f in (("dct", tf.signal.dct), ("idct", tf.signal.idct))
        for kind in (1, 2, 3)
    }
    return _values(
        tf,
        cut
        | waves
        | {
            "frames added": (lambda x: tf.signal.overlap_and_add(x, 3), [two]),
            "frames added, so many samples apart": (tf.signal.overlap_and_add, [two, np.int32(2)]),
            "stft": (lambda x: tf.signal.stft(x, 4, 2), [two]),
            "stft of a vector": (lambda x: tf.signal.stft(x, 4, 3, 8), [one]),
            "inverse stft": (lambda x: tf.signal.inverse_stft(x, 5, 2), [spectra]),
            "inverse stft of frames of a length": (lambda x, n: tf.signal.inverse_stft(x, n, 2), [spectra, np.int32(5)]),
            "cepstra": (tf.signal.mfccs_from_log_mel_spectrograms, [two.astype(np.float32)]),
        },
    )


def products_and_norms(tf: Any) -> Answers:
    a, b, labels = _numbers(2, 3, 4), _numbers(4, 3, 2), np.array([[1, 4], [3, 1]], np.int32)
    dots = {
        f"tensordot over {axes}": (lambda x, y, axes=axes: tf.tensordot(x, y, axes), [a, b])
        for axes in (0, 1, [[-1], [0]], [[2, 1], [0, 1]])
    }
    dots |= {
        f"tensordot over {axes}, which are fed": (tf.tensordot, [a, b, np.array(axes, np.int32)])
        for axes in ([[-1], [0]], [[2, 1], [0, 1]], [2, 0], 1)
    }
    products = {
        f"product over {axes}": (lambda x, axes: tf.reduce_prod(x, axes), [a, np.array(axes, np.int32)])
        for axes in ([0], [2, 0], [-1, 1], 1)
    }
    norms = {f"spectral norm over {axes}": (lambda x, axes=axes: tf.norm(x, 2, axes), [a]) for axes in ([0, 1], [-1, 0], [1, 2])}
    others = {
        "counts of rows with weights": (lambda x, w: tf.math.bincount(x, weights=w, axis=-1, minlength=6), [labels, _numbers(2, 2)]),
        "mean of weighted losses": (lambda x, w: tf.nn.compute_average_loss(x, w, 7), [_numbers(4, 2), _numbers(4)]),
        "mean of losses with weights of one rank more": (lambda x, w: tf.nn.compute_average_loss(x, w, 7), [_numbers(4), _numbers(4, 1)]),
        "mean of losses with one weight": (lambda x, w: tf.nn.compute_average_loss(x, w, 7), [np.float32(_numbers(4, 2)), np.float32(2.0)]),
        "stitched": (lambda x, y: tf.dynamic_stitch([[0, 2], [1]], [x, y]), [a, a[:1]]),
        "stitched rows of places": (lambda i, x: tf.dynamic_stitch([i], [x]), [np.array([[1, 0, 2], [3, 5, 4]], np.int32), a]),
        "embeddings of norm 1": (lambda i, x: tf.nn.embedding_lookup(x, i, max_norm=1.0), [np.array([[1, 0], [2, 2]], np.int32), b]),
        **{
            f"{name} along {axis}, {way}": (lambda x, f=f, axis=axis, way=way: f(x, axis=axis, direction=way), [a])
            for name, f in (("sorted", tf.sort), ("order", tf.argsort))
            for axis in (0, 1, 2, -1, -3)
            for way in ("ASCENDING", "DESCENDING")
        },
        "repeated labels": (tf.nn.collapse_repeated, [np.array([[1, 1, 2], [3, 3, 3]], np.int32), np.array([3, 2], np.int32)]),
    }
    return _values(tf, dots | norms | others) | _values(tf, products, twice=True)


def images(tf: Any) -> Answers:
    x, kernel = _numbers(1, 4, 5, 2), _numbers(2, 2, 2, 3)
    return _values(
        tf,
        {
            f"{kind} pool of {len(window)} axes": (
                lambda x, kind=kind, window=window: tf.compat.v2.nn.pool(x, window, kind, padding="SAME"),
                [y],
            )
            for kind in ("MAX", "AVG")
            for window, y in (([2], _numbers(1, 5, 2)), ([2, 2], x), ([2, 2, 2], np.float32(_numbers(1, 2, 3, 3, 1))))
        }
        | {
            "convolution of images": (lambda x, w: tf.stop_gradient(tf.conv(x, w, [1, 2, 1, 1], "VALID")), [x, kernel]),
            "channels-first bias": (lambda x: tf.raw_ops.BiasAddGrad(out_backprop=x, data_format="NCHW"), [x]),
        },
    )


def fed_axes(tf: Any) -> Answers:
    """Axes that only a run knows."""
    x = _numbers(3, 2, 4)

    def along(call: Callable[[Any, Any], Any], axis: int, shape: Any) -> Callable[[], Any]:
        def run() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                logits, at = tf.placeholder(tf.float64, shape), tf.placeholder(tf.int32, [])
                found = call(logits, at)
                return [str(found.shape), *session.run([found, *tf.gradients(found * found, logits)], {logits: x, at: axis})]

        return either(run)

    calls = {
        "softmax": lambda x, axis: tf.nn.softmax(x, axis),
        "log_softmax": lambda x, axis: tf.nn.log_softmax(x, axis),
        "frames": lambda x, axis: tf.signal.frame(x, 2, 1, axis=axis),
        "sort": lambda x, axis: tf.sort(x, axis),
    }
    return {
        f"{name} along {axis}, shape {shape}": along(call, axis, shape)
        for name, call in calls.items()
        for axis in (0, 1, -2)
        for shape in ([3, 2, 4], [None, 2, None])
    }


def seeds(tf: Any) -> Answers:
    """A Python integer is cut into words, low ones first; any other number stands last."""
    given = {
        "a Python integer": 5,
        "a negative one": -5,
        "a great one": 2**70 + 3,
        "a bool": True,
        "a float": 5.7,
        "a NumPy integer": np.int32(5),
        "an array": np.array(-5),
        "unsigned": np.array([2**63 + 1], np.uint64),
        "a list": [5, 6],
        "five": [5, 6, 7, 8, 9],
        "rows": [[5, 6]],
        "great ones": [2**63 + 1, -6],
        "none": [],
        "a string": "x",
    }

    def run(call: Callable[[], Any]) -> Callable[[], Any]:
        def start() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return session.run(call())

        return either(start)

    def fed(value: Any, shape: Any) -> Callable[[], Any]:
        def start() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                seed = tf.placeholder(tf.int32, shape)
                state = tf.random.create_rng_state(seed, "philox")
                return [str(state.shape), session.run(state, {seed: value})]

        return either(start)

    def refused(call: Callable[[Any], Any]) -> Callable[[], Any]:
        def start() -> Any:
            with tf.Graph().as_default():
                return str(call(tf.placeholder(tf.int32, [])).shape)

        return either(start)

    found = {
        f"{words} and {alg}": run(lambda s=s, alg=alg: tf.random.create_rng_state(s, alg))
        for words, s in given.items()
        for alg in ("philox", "threefry")
    }
    found |= {f"a tensor {value}": run(lambda v=value: tf.random.create_rng_state(tf.constant(v), "philox")) for value in (5, [5, 6])}
    found |= {
        f"fed {value}, shape {shape}": fed(value, shape)
        for value, shape in ((5, []), (5, None), ([5, 6], None), ([5, 6], [None]), ([5, 6], [2]))
    }
    return found | {
        "dropout of nothing": refused(lambda seed: tf.nn.dropout(tf.ones([2]), rate=0, seed=seed)),
        "dropout": refused(lambda seed: tf.nn.dropout(tf.ones([2]), rate=0.5, seed=seed)),
        "uniform": refused(lambda seed: tf.random.uniform([2], seed=seed)),
        "generator": refused(lambda seed: tf.random.Generator.from_seed(seed).state),
        "generator of a key": refused(lambda seed: tf.random.Generator.from_key_counter(seed, [1, 2], "philox").state),
        "generator of a counter": refused(lambda seed: tf.random.Generator.from_key_counter(3, [1, seed], "philox").state),
    }


def sizes_that_are_refused(tf: Any) -> Answers:
    """What is no dimension before a run, and what is no size of an identity matrix."""

    def fed(call: Callable[[Any], Any], shape: Any) -> Callable[[], Any]:
        def run() -> Any:
            with tf.Graph().as_default():
                return str(call(tf.placeholder(tf.int32, shape)))

        return either(run)

    calls = {
        "TensorShape": tf.TensorShape,
        "TensorShape of a list": lambda p: tf.TensorShape([p]),
        "ensure_shape": lambda p: tf.ensure_shape(tf.ones([2, 3]), p),
        "set_shape": lambda p: tf.placeholder(tf.float32).set_shape(p),
        "placeholder": lambda p: tf.placeholder(tf.float32, p),
        "Dimension": tf.Dimension,
    }
    shapes = {f"bools {x!r}": either(lambda x=x: str(tf.TensorShape(x))) for x in ([True], True, (True, 2), [1], np.array([2, 1]))}
    eyes = {f"eye of {type(x).__name__} {x}": either(lambda x=x: str(tf.eye(x).shape)) for x in (3, np.int64(3), np.array(3), 3.0)}
    return shapes | eyes | {f"{name} of {shape}": fed(call, shape) for name, call in calls.items() for shape in ([], [2], [None], None)}


def sizes_of_transposes(tf: Any) -> Answers:
    """Sizes and rates of transposed convolutions as arrays and tensors."""
    x, w = _numbers(1, 3, 3, 3), _numbers(2, 2, 2, 3)

    def run(sizes: Any, rate: Any) -> Callable[[], Any]:
        def call() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return session.run(tf.nn.atrous_conv2d_transpose(x, w, sizes, rate, "SAME"))

        return either(call)

    return {
        "numbers": run([1, 3, 3, 2], 2),
        "sizes in an array": run(np.array([1, 3, 3, 2]), 2),
        "a rate in an array": run([1, 3, 3, 2], np.array(2)),
    }
