"""Wrong calls eagerly, in a function that is given its tensors, and in a graph whose placeholders have open dimensions.

What TensorFlow's shape functions see is refused while a graph is built, what they do not see when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, either

FACE = "v2"
Call = Callable[..., Any]
Row = tuple[Any, ...]  # a call, and the arrays that it is given as tensors

_VECTOR, _MATRIX = np.ones(4, np.float32), np.ones([2, 3], np.float32)


def _in_all_ways(tf: Any, rows: dict[str, Row]) -> Answers:
    answers: Answers = {}
    for name, (call, *arrays) in rows.items():
        answers[name] = _outcome(lambda call=call, arrays=arrays: call(*map(tf.constant, arrays)))
        answers[f"{name}, in a function"] = _outcome(
            lambda call=call, arrays=arrays: tf.function(call, autograph=False)(*map(tf.constant, arrays))
        )
        answers[f"{name}, in a graph"] = _outcome(lambda call=call, arrays=arrays: _run(tf, call, arrays))
    return answers


def _outcome(call: Callable[[], Any]) -> Callable[[], Any]:
    """An answer: the error of a call, or that it is taken, whatever it gives."""

    def made() -> str:
        call()
        return "taken"

    return either(made)


def _run(tf: Any, call: Call, arrays: list[Any]) -> Any:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        fed = [tf.compat.v1.placeholder(a.dtype, [None] * a.ndim) for a in arrays]
        made = tf.nest.flatten(call(*fed), expand_composites=True)
        return session.run([x for x in made if x is not None], dict(zip(fed, arrays, strict=True)))


def shapes(tf: Any) -> Answers:
    """Shapes that are no vectors, or have a size below -1."""
    draws: dict[str, Call] = {
        "normal": tf.random.normal,
        "poisson": lambda shape: tf.random.poisson(shape, 3.0),
        "gamma": lambda shape: tf.random.gamma(shape, 3.0),
        "integers": lambda shape: tf.random.uniform(shape, maxval=3, dtype=tf.int32),
        "stateless normal": lambda shape: tf.random.stateless_normal(shape, [1, 2]),
        "stateless poisson": lambda shape: tf.random.stateless_poisson(shape, [1, 2], 3.0),
        "stateless binomial": lambda shape: tf.random.stateless_binomial(shape, [1, 2], 3.0, 0.5),
        "stateless gamma": lambda shape: tf.random.stateless_gamma(shape, [1, 2], 1.0),
        "broadcast_to": lambda shape: tf.broadcast_to(1.0, shape),
        "scatter_nd": lambda shape: tf.scatter_nd([[0]], [1.0], shape),
        "sparse_to_dense": lambda shape: tf.compat.v1.sparse_to_dense([0], shape, 1.0),
    }
    rows: dict[str, Row] = {}
    for name, draw in draws.items():
        for shape in ([-3], [-1], -1, 7, [[2]]):
            rows[f"{name} of {shape}"] = (lambda draw=draw, shape=shape: draw(shape),)
        rows[f"{name} of a scalar"] = (draw, np.array(3, np.int32))
        rows[f"{name} of a matrix"] = (draw, np.array([[3]], np.int32))
    return _in_all_ways(tf, rows)


def positions(tf: Any) -> Answers:
    """Axes and rows that only the values, or only known shapes, show to be wrong."""
    rows: dict[str, Row] = {
        "rows of two lengths": (tf.searchsorted, np.ones([3, 3], np.float32), np.ones([2, 2], np.float32)),
        "split along two": (lambda x: tf.split(x, 2, [1, 1]), _MATRIX),
    }
    for array in (np.float32(1.0), _VECTOR, _MATRIX):
        for axis in (-3, -2, 1, 2):
            rows[f"argmax of rank {np.ndim(array)} along {axis}"] = (lambda x, axis=axis: tf.argmax(x, axis), array)
    for batch, seq in ((0, 0), (1, 1), (-1, 0), (0, -1), (-100, 0), (5, 0), (0, 5)):
        rows[f"reversed along {seq}, in batches along {batch}"] = (
            lambda x, batch=batch, seq=seq: tf.reverse_sequence(x, [1, 1], seq_axis=seq, batch_axis=batch), _MATRIX,
        )  # fmt: skip
    return _in_all_ways(tf, rows)


def scattered(tf: Any) -> Answers:
    """Updates, indices and tensors that do not fit each other."""
    one, two, column = np.float32(1.0), np.ones(2, np.float32), np.array([[1], [2]], np.int32)
    rows: dict[str, Row] = {
        "scattered: a scalar": (lambda i, u: tf.scatter_nd(i, u, [4]), column, one),
        "scattered: a scalar of indices": (lambda i, u: tf.scatter_nd(i, u, [4]), np.int32(1), two),
        "scattered to nothing": (lambda i, u: tf.scatter_nd(i, u, [0]), column, two),
        "scattered: one too many": (lambda i, u: tf.scatter_nd(i, u, [4]), column, np.ones(3, np.float32)),
    }
    for name in ("tensor_scatter_nd_add", "tensor_scatter_nd_update", "tensor_scatter_nd_max"):
        function = getattr(tf, name)
        rows |= {
            f"{name}: a scalar": (function, _VECTOR, column, one),
            f"{name} of a scalar": (function, one, column, two),
            f"{name}: a scalar of indices": (function, _VECTOR, np.int32(1), two),
            f"{name} of nothing": (function, _VECTOR[:0], column, two),
            f"{name}: one too many": (function, _VECTOR, column, np.ones(3, np.float32)),
            f"{name}: indices of two": (function, _VECTOR, np.array([[1, 2], [2, 2]], np.int32), two),
        }
    return _in_all_ways(tf, rows)


def attributes(tf: Any) -> Answers:
    """Numbers below the least that an attribute takes, or beyond 32 bits."""
    classes = np.ones([2, 2], np.int64)
    weights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    image, frames = np.ones([1, 2, 2, 4], np.float32), np.ones([3, 2, 4], np.float32)
    return _in_all_ways(
        tf,
        {
            "-1 true classes": (lambda x: tf.random.log_uniform_candidate_sampler(x, -1, 5, True, 10), classes),
            "3 true classes": (lambda x: tf.random.log_uniform_candidate_sampler(x, 3, 5, True, 10), classes),
            "no sampled class": (lambda x: tf.random.uniform_candidate_sampler(x, 2, 0, True, 10), classes),
            "a range of -1": (lambda x: tf.random.uniform_candidate_sampler(x, 2, 5, True, -1), classes),
            "no shard": (lambda x: tf.random.fixed_unigram_candidate_sampler(x, 2, 4, True, 6, unigrams=weights, num_shards=0), classes),
            "shard -1": (lambda x: tf.random.fixed_unigram_candidate_sampler(x, 2, 4, True, 6, unigrams=weights, shard=-1), classes),
            "split in none": (lambda x: tf.split(x, 0), _MATRIX),
            "partitions, none": (lambda x: tf.dynamic_partition(x, [0, 1], 0), _MATRIX),
            "blocks of 1": (lambda x: tf.nn.space_to_depth(x, 1), image),
            "blocks of -1": (lambda x: tf.nn.depth_to_space(x, -1), image),
            "a large window": (lambda x: tf.image.extract_patches(x, [1, 2**40, 1, 1], [1] * 4, [1] * 4, "SAME"), image),
            "counts of -3": (lambda x: tf.sparse.bincount(x, minlength=-3), np.ones(4, np.int32)),
            "a beam of none": (lambda x: tf.nn.ctc_beam_search_decoder(x, [1, 1], beam_width=0), frames),
            "no path": (lambda x: tf.nn.ctc_beam_search_decoder(x, [1, 1], top_paths=0), frames),
        },
    )


def beyond_32_bits(tf: Any) -> Answers:
    """What a kernel reads is refused when it runs, what a type rule reads while the graph is built."""
    big, classes, frames = 2**40, np.ones([2, 2], np.int64), np.ones([3, 2, 4], np.float32)
    return _in_all_ways(
        tf,
        {
            "width": (lambda x: tf.strings.as_string(x, width=big), _MATRIX),
            "precision": (lambda x: tf.strings.as_string(x, precision=big), _MATRIX),
            "ngrams": (lambda: tf.strings.ngrams([["a", "b"]], big),),
            "splits": (lambda: tf.strings.split(["a b"], maxsplit=big),),
            "beam": (lambda x: tf.nn.ctc_beam_search_decoder(x, [1, 1], beam_width=big), frames),
            "samples": (lambda x: tf.random.uniform_candidate_sampler(x, 2, big, True, 10), classes),
            "blocks": (lambda x: tf.nn.space_to_depth(x, big), np.ones([1, 2, 2, 1], np.float32)),
        },
    )


def of_one_function(tf: Any) -> Answers:
    """Seeds, sizes, words and dtypes that one function alone refuses."""
    image, blocks = np.ones([4, 1, 3, 1], np.float32), np.zeros([2, 2], np.int32)
    indices, sizes = np.array([1, 2], np.int32), np.array([2, 3], np.int32)
    words, numbers = np.array([["a"], ["b"]], object), np.ones([2, 4], np.uint8)
    rows: dict[str, Row] = {
        "poisson without a seed": (lambda: tf.random.stateless_poisson([5, 7], [], np.ones(7, np.float32)),),
        "shapes of none": (lambda: tf.shape_n([]),),
        "-1 classes": (lambda x: tf.random.categorical(x, -1), _MATRIX),
        "-1 classes of a seed": (lambda x: tf.random.stateless_categorical(x, -1, [1, 2]), _MATRIX),
        "an array of an index": (lambda x: tf.unravel_index(np.array(1.0), x), sizes),
        "an array after which": (lambda x: tf.math.nextafter(np.array([1j], np.complex64), x), np.float32(1.0)),
        "a stack of rows": (lambda x: tf.stack(x), _MATRIX),
        "a stack of columns": (lambda x: tf.stack(x, 1), _MATRIX),
        "a stack of scalars": (lambda x: tf.stack(x), _VECTOR),
        "frames of -1": (lambda x: tf.signal.frame(x, -1, 2), _MATRIX),
        "frames by 0": (lambda x: tf.signal.frame(x, 2, 0), _MATRIX),
        "frames of 2.0": (lambda x: tf.signal.frame(x, 2.0, 2), _MATRIX),
        "frames added by -3": (lambda x: tf.signal.overlap_and_add(x, -3), _MATRIX),
        "mdct of -100": (lambda x: tf.signal.mdct(x, -100), _MATRIX),
        "mfccs of a scalar": (lambda x: tf.signal.mfccs_from_log_mel_spectrograms(x), np.float32(1.0)),
        "a scalar of places": (lambda x: tf.searchsorted(np.ones(3, np.float32), x), np.float32(1.0)),
        "three ranges, two limits": (lambda: tf.ragged.range([0, 5, 5], [3, 12], 4),),
        "five values of six rows": (
            lambda i, v, n: tf.ragged_fill_empty_rows(i, v, n, 1.0), np.zeros(6, np.int64), np.ones(5, np.float32), np.array(3),
        ),
        "none or two": (lambda c: tf.where(c, np.ones(0, np.float32), np.ones(2, np.float32)), np.array([True, False])),
        "bits of a flag": (lambda x: tf.bitcast(x, tf.bool), numbers),
        "bits of a word": (lambda x: tf.bitcast(x, tf.string), numbers),
        "a shape of one number": (lambda: tf.SparseTensor([[0, 0]], [1.0], 2),),
        "numbers joined": (lambda x: tf.strings.join([x, "b"]), np.ones(2, np.complex64)),
        "a scalar of row numbers": (
            lambda i, v, n: tf.ragged_fill_empty_rows(i, v, n, 1.0), np.array(0), np.ones(5, np.float32), np.array(3),
        ),
        "classes of a scalar seed": (lambda x: tf.random.stateless_categorical(x, 5, 1), _MATRIX),
        "bytes of numbers": (tf.strings.bytes_split, np.ones(2, np.int32)),
        "batches of two and one": (
            lambda x, i: tf.gather_nd(x, i, batch_dims=1), np.ones([2, 3, 2], np.float32), np.zeros([1, 2, 2, 1], np.int32),
        ),
        "batches of one and two": (
            lambda x, i: tf.gather_nd(x, i, batch_dims=1), np.ones([1, 3, 2], np.float32), np.zeros([2, 2, 1], np.int32),
        ),
        "parts of two lengths": (tf.strings.substr, words, np.array([0, 0]), np.array([1, 1, 1])),
    }  # fmt: skip
    for size in (np.array(2, np.int32), np.array([2, 2], np.int32)):
        rows[f"blocks of {size.tolist()}"] = (lambda x, c, b: tf.compat.v1.batch_to_space(x, c, b), image, blocks, size)
    for seed in ([1, 2, 3, 4], [1, 2], [[1, 2, 3]], [[1, 2]], 5):
        rows[f"shuffled by {seed}"] = (lambda x, seed=seed: tf.random_index_shuffle(x, seed, 20, 4), indices)
    for encoding in ("bogus", "ISO-8859-1", "UTF-16-BE"):
        rows[f"split in {encoding}"] = (lambda encoding=encoding: tf.strings.unicode_split(["a"], encoding),)
    scalar = _outcome(lambda: tf.function(lambda x: tf.signal.fftnd(x))(tf.constant(1j)))  # eagerly TensorFlow has no kernel
    return _in_all_ways(tf, rows) | {"a transform of a scalar, in a function": scalar}


def names(tf: Any) -> Answers:
    """Names that are no text, which nobody reads eagerly."""
    given = {"99": 99, "0": 0, "1.5": 1.5, "True": True, "a list": ["a"], "no list": [], "bytes": b"x", "no bytes": b""}
    calls: dict[str, Call] = {
        "exp": lambda x, name: tf.exp(x, name=name),
        "add": lambda x, name: tf.add(x, x, name=name),
        "transpose": lambda x, name: tf.transpose(x, name=name),
        "reduce_min": lambda x, name: tf.reduce_min(x, 0, name=name),
        "stack": lambda x, name: tf.stack([x, x], name=name),
        "moments": lambda x, name: tf.nn.moments(x, [0], name=name),
        "cross-entropy": lambda x, name: tf.compat.v1.losses.sparse_softmax_cross_entropy([0, 1], x, scope=name),
    }
    rows: dict[str, Row] = {}
    for label, call in calls.items():
        for what, name in given.items():
            rows[f"{label} named {what}"] = (lambda x, call=call, name=name: call(x, name), _MATRIX)
    return _in_all_ways(tf, rows)


def operations_returned(tf: Any) -> Answers:
    """A function gives tensors; operations are none."""
    rows: dict[str, Row] = {
        "group": (lambda x: tf.group(x), _VECTOR),
        "beside a tensor": (lambda x: [x, tf.no_op()], _VECTOR),
        "assert_equal": (lambda x: tf.debugging.assert_equal(x, x), _VECTOR),
        "assert_integer": (lambda x: tf.debugging.assert_integer(x), np.ones(2, np.int32)),
        "assert_type": (lambda x: tf.debugging.assert_type(x, tf.float32), _VECTOR),
        "assert_shapes": (lambda x: tf.debugging.assert_shapes([(x, ("N",))]), _VECTOR),
    }
    answers: Answers = {}
    for name, (call, array) in rows.items():
        answers[name] = _outcome(lambda call=call, array=array: tf.function(call)(tf.constant(array)))
        answers[f"{name}, wrapped"] = _outcome(
            lambda call=call, array=array: tf.compat.v1.wrap_function(call, [tf.TensorSpec(array.shape, array.dtype)])
        )
    return answers


def assertions(tf: Any) -> Answers:
    """Conditions, data and lengths of an assertion."""
    flag = np.array(True)
    rows: dict[str, Row] = {
        "no data": (lambda c: tf.debugging.Assert(c, []), flag),
        "a word": (lambda c: tf.debugging.Assert(c, "bogus"), flag),
        "a float": (lambda c, x: tf.debugging.Assert(c, [x]), np.float32(1.0), _VECTOR),
        "an array of a float": (lambda x: tf.debugging.Assert(np.array(1.0), [x]), _VECTOR),
        "an int": (lambda x: tf.debugging.Assert(1, [x]), _VECTOR),
        "a group with None": (lambda x: tf.group(x, None), _VECTOR),
        "a group with a word": (lambda x: tf.group(x, "a"), _VECTOR),
    }
    for summarize in ("bogus", 1.5, float("nan"), -1, True, [1], None):
        rows |= {
            f"{summarize} elements": (lambda c, x, n=summarize: tf.debugging.Assert(c, [x], summarize=n), flag, _VECTOR),
            f"{summarize} elements compared": (lambda x, n=summarize: tf.debugging.assert_greater_equal(x, x, summarize=n), _VECTOR),
        }
    return _in_all_ways(tf, rows)


def sizes_given(tf: Any) -> Answers:
    """Shapes that a tensor does not have, and sizes that are no list."""
    rows: dict[str, Row] = {"of any shape": (lambda x: tf.ensure_shape(x, None), _VECTOR)}
    for shape in (None, [], [None], [None, None], [4], [5], 4):
        rows |= {
            f"{shape} by default": (lambda x, shape=shape: tf.compat.v1.placeholder_with_default(x, shape), _VECTOR),
            f"a word of {shape}": (lambda shape=shape: tf.compat.v1.placeholder_with_default("a", shape),),
        }
    for size in (9, 0):
        for name in ("rfft", "rfft2d", "rfft3d", "irfft", "irfft2d"):
            array = np.ones([2, 3, 4], np.complex64 if name[0] == "i" else np.float32)
            rows[f"{name} of {size}"] = (lambda x, name=name, size=size: getattr(tf.signal, name)(x, size), array)
    return _in_all_ways(tf, rows)


def uneven_lists(tf: Any) -> Answers:
    """Lists whose rows differ in length, where their elements fit the dtype and where they do not."""
    flag, ints = np.array(True), np.ones(3, np.int32)
    given = {"floats": [[1.0, 2.0], [3.0]], "ints": [[1, 2], [3]], "words": [["a", "b"], ["c"]], "flags": [[True], [False, True]]}
    rows: dict[str, Row] = {"no column": (lambda: tf.io.decode_csv(["a"], []),)}
    for what, value in given.items():
        rows |= {
            f"{what} beside ints": (lambda x, value=value: tf.math.floormod(x, value), ints),
            f"{what} beside floats": (lambda x, value=value: tf.math.floormod(x, value), _VECTOR),
            f"{what} beside a flag": (lambda x, value=value: tf.logical_and(x, value), flag),
            f"{what} for words": (lambda value=value: tf.strings.length(value),),
            f"{what} for int32": (lambda value=value: tf.constant(value, tf.int32),),
            f"{what} for a string": (lambda value=value: tf.convert_to_tensor(value, tf.string),),
            f"{what} of no dtype": (lambda value=value: tf.convert_to_tensor(value),),
            f"{what} as indices": (lambda x, value=value: tf.gather(x, value), _VECTOR),
            f"{what} as a sparse tensor's places": (lambda value=value: tf.SparseTensor(value, [1.0], [2, 3]),),
        }
    return _in_all_ways(tf, rows)
