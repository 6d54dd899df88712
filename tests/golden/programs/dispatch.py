"""The functions that TensorFlow has for ragged and for sparse tensors too, each of them once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"

ONE = (
    "abs acos acosh angle asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e ceil conj cos cosh digamma erf erfc erfcinv "
    "erfinv exp expm1 floor is_finite is_inf is_nan lgamma log1p log_sigmoid log ndtri negative real imag reciprocal_no_nan reciprocal "
    "rint round rsqrt sigmoid sign sin sinh softplus sqrt square tan tanh"
)
TWO = (
    "add atan2 divide_no_nan divide equal floordiv floormod greater_equal greater less_equal less maximum minimum multiply_no_nan multiply "
    "not_equal pow squared_difference subtract truediv xdivy xlog1py xlogy zeta"
)
SPECIAL = (
    "bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 dawsn expint fresnel_cos fresnel_sin spence"
)
NN = "elu gelu leaky_relu relu6 relu selu silu softsign softmax"
REDUCTIONS = "max mean min prod std sum variance"
SEGMENTS = "max mean min prod sqrt_n sum"
COMPARED = "equal greater_equal less_equal near"


def _plain(x: Any) -> Any:
    """Ragged and sparse tensors as lists and arrays."""
    if hasattr(x, "to_list"):
        return [x.dtype, [None if n is None else n for n in x.shape], x.to_list()]
    if hasattr(x, "dense_shape") and hasattr(x, "indices"):
        return [x.dtype, x.indices, x.values, x.dense_shape]
    if isinstance(x, (list, tuple)):
        return [_plain(v) for v in x]
    return x


def _each(calls: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    return {name: lambda call=call: _plain(call()) for name, call in calls.items()}


def element_by_element(tf: Any) -> dict[str, Any]:
    x = tf.ragged.constant([[0.25, 0.5], [], [0.75]])
    y = tf.ragged.constant([[0.5, 2.0], [], [3.0]])
    b, c = tf.ragged.constant([[True, False], [True]]), tf.ragged.constant([[True, True], [False]])
    i, j = tf.ragged.constant([[5, 6], [7]]), tf.ragged.constant([[1, 2], [3]])
    calls: dict[str, Callable[[], Any]] = {name: lambda name=name: getattr(tf.math, name)(x) for name in ONE.split()}
    calls |= {name: lambda name=name: getattr(tf.math, name)(y if name == "zeta" else x, y) for name in TWO.split()}
    calls |= {name: lambda name=name: getattr(tf.math.special, name)(x) for name in SPECIAL.split()}
    calls |= {name: lambda name=name: getattr(tf.nn, name)(x) for name in NN.split()}
    calls |= {f"logical_{name}": lambda name=name: getattr(tf.math, f"logical_{name}")(b, c) for name in ("and", "or", "xor")}
    calls |= {f"bitwise_{name}": lambda name=name: getattr(tf.bitwise, f"bitwise_{name}")(i, j) for name in ("and", "or", "xor")}
    calls |= {name: lambda name=name: getattr(tf.bitwise, name)(i, j) for name in ("left_shift", "right_shift")}
    calls |= {
        "logical_not": lambda: tf.logical_not(b),
        "invert": lambda: tf.bitwise.invert(i),
        "truncatediv": lambda: tf.truncatediv(i, j),
        "truncatemod": lambda: tf.truncatemod(i, j),
        "realdiv": lambda: tf.realdiv(x, y),
        "bitcast": lambda: tf.bitcast(x, tf.int32),
        "cast": lambda: tf.cast(y, tf.int32),
        "saturate_cast": lambda: tf.saturate_cast(y * 1000.0, tf.uint8),
        "complex": lambda: tf.complex(x, y),
        "clip_by_value": lambda: tf.clip_by_value(y, 1.0, 2.5),
        "check_numerics": lambda: tf.debugging.check_numerics(x, "x"),
        "scalar_mul": lambda: tf.math.scalar_mul(2.0, x),
        "add_n": lambda: tf.add_n([x, x, y - y + x]),
        "ones_like": lambda: tf.ones_like(x, tf.int32),
        "zeros_like": lambda: tf.zeros_like(x),
        "sigmoid_cross_entropy": lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=y),
        "dropout": lambda: tf.nn.dropout(x, 0.0),
        "stateless_dropout": lambda: tf.nn.experimental.stateless_dropout(x, 0.0, seed=[1, 2]),
        "where": lambda: tf.where(x > 0.3, x, y),
        "where it is": lambda: tf.where(x > 0.3),
        "broadcast": lambda: x + tf.constant([[1.0], [2.0], [3.0]]),
    }
    return _each(calls)


def arrays(tf: Any) -> dict[str, Any]:
    x = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    deep = tf.ragged.constant([[[1], [2, 3]], [[4, 5, 6]]])
    inner = tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1)
    rows = tf.ragged.constant([[0, 1], [2]])
    uniform = tf.RaggedTensor.from_uniform_row_length(tf.ragged.constant([[1, 2], [3], [4], [5]]), 2)
    return _each({
        "rank": lambda: [tf.rank(x), tf.rank(deep)],
        "size": lambda: [tf.size(x), tf.size(deep, out_type=tf.int64)],
        "shape": lambda: repr(tf.shape(x)),
        "shape of a uniform axis": lambda: repr(tf.shape(uniform)),
        "shape, int32": lambda: repr(tf.shape(deep, out_type=tf.int32)),
        "shape, its parts": lambda: [tf.shape(x)[0], tf.shape(inner)[2], tf.shape(x).rank],
        "reshape": lambda: tf.reshape(x, tf.shape(x)),
        "broadcast_to": lambda: tf.broadcast_to(tf.constant([[1.0], [2.0], [3.0]]), tf.shape(x)),
        "reshape to a plain shape": lambda: tf.reshape(uniform.values, [-1]),
        "concat": lambda: tf.concat([x, x], 1),
        "concat of rows": lambda: tf.concat([x, tf.ones([1, 2])], 0),
        "stack": lambda: tf.stack([x, x]).to_list(),
        "stack within": lambda: tf.stack([x, x], 1).to_list(),
        "split": lambda: tf.split(uniform, 2),
        "split by sizes": lambda: tf.split(x, [1, 2]),
        "expand_dims": lambda: tf.expand_dims(x, 1),
        "squeeze": lambda: tf.squeeze(tf.expand_dims(x, 0), 0),
        "tile": lambda: tf.tile(x, [2, 2]),
        "reverse": lambda: tf.reverse(x, [0, 1]),
        "gather": lambda: tf.gather(x, [2, 0]),
        "gather by rows": lambda: tf.gather(tf.constant([10, 20, 30]), rows),
        "gather ragged by ragged": lambda: tf.gather(x, rows),
        "gather in rows": lambda: tf.gather(x, tf.ragged.constant([[1], [], [0]], dtype=tf.int64), batch_dims=1),
        "gather_nd": lambda: tf.gather_nd(x, [[0, 1], [2, 0]]),
        "one_hot": lambda: tf.one_hot(rows, 3),
        "dynamic_partition": lambda: tf.dynamic_partition(x, [0, 1, 0], 2),
        "matmul": lambda: tf.matmul(inner, inner, transpose_b=True),
        "boolean_mask": lambda: tf.ragged.boolean_mask(x, [True, False, True]),
        "cumsum": lambda: tf.cumsum(x, 1),
        "bincount": lambda: tf.math.bincount(rows, axis=-1),
        "bincount of all": lambda: tf.math.bincount(rows),
        "sparse.bincount": lambda: tf.sparse.bincount(rows, axis=-1),
        "map_fn": lambda: tf.map_fn(tf.reduce_sum, x, fn_output_signature=tf.float32),
        "map_fn to rows": lambda: tf.map_fn(lambda row: row * 2.0, x, fn_output_signature=tf.RaggedTensorSpec([None], tf.float32)),
        "map_fn of rows": lambda: tf.map_fn(lambda r: tf.reduce_sum(r, 1), deep, fn_output_signature=tf.RaggedTensorSpec([None], tf.int32)),
        "identity": lambda: tf.identity(x),
        "stop_gradient": lambda: tf.stop_gradient(x),
        "sort": lambda: tf.map_fn(lambda row: tf.sort(row, direction="DESCENDING"), x, fn_output_signature=tf.RaggedTensorSpec([None])),
    })


def sums(tf: Any) -> dict[str, Any]:
    x = tf.ragged.constant([[1.0, 2.0], [5.0], [3.0, 4.0, 7.0]])
    b = tf.ragged.constant([[True, False], [True]])
    ids = tf.ragged.constant([[0, 1], [1], [0, 2, 2]])
    calls: dict[str, Callable[[], Any]] = {f"{n} of rows": lambda n=n: getattr(tf.math, f"reduce_{n}")(x, 1) for n in REDUCTIONS.split()}
    calls |= {f"{n} of columns": lambda n=n: getattr(tf.math, f"reduce_{n}")(x, 0) for n in REDUCTIONS.split()}
    calls |= {f"{n} of all": lambda n=n: getattr(tf.math, f"reduce_{n}")(x) for n in REDUCTIONS.split()}
    calls |= {f"{n} kept": lambda n=n: getattr(tf.math, f"reduce_{n}")(x, 1, keepdims=True) for n in REDUCTIONS.split()}
    calls |= {f"segment_{n}": lambda n=n: getattr(tf.math, f"unsorted_segment_{n}")(x, ids, 3) for n in SEGMENTS.split()}
    calls |= {f"assert_{n}": lambda n=n: getattr(tf.debugging, f"assert_{n}")(x, x) is None for n in COMPARED.split()}
    calls |= {
        "all": lambda: tf.reduce_all(b, 1),
        "any": lambda: tf.reduce_any(b, 1),
        "assert_greater": lambda: tf.debugging.assert_greater(x + 1.0, x) is None,
        "assert_less": lambda: tf.debugging.assert_less(x, x + 1.0) is None,
        "assert_none_equal": lambda: tf.debugging.assert_none_equal(x, x + 1.0) is None,
    }
    return _each(calls) | {"assert that fails": raises(lambda: tf.debugging.assert_equal(x, x + 1.0))}


def strings(tf: Any) -> dict[str, Any]:
    s = tf.ragged.constant([["Ab", "cd "], [], ["e"]])
    numbers = tf.ragged.constant([["1", "2.5"], ["3"]])
    t = tf.strings
    return _each({
        "as_string": lambda: t.as_string(tf.ragged.constant([[1, 2], [3]])),
        "join": lambda: t.join([s, s], "-"),
        "length": lambda: t.length(s),
        "lower": lambda: t.lower(s),
        "upper": lambda: t.upper(s),
        "strip": lambda: t.strip(s),
        "substr": lambda: t.substr(s, 0, 1),
        "reduce_join": lambda: t.reduce_join(s, axis=1, separator="+"),
        "reduce_join of columns": lambda: t.reduce_join(s, axis=0, separator="+", keepdims=True),
        "reduce_join inside": lambda: t.reduce_join(tf.ragged.constant([[["a"], ["b", "d"]], [], [["c"]]]), axis=1),
        "reduce_join of two axes": lambda: t.reduce_join(tf.ragged.constant([[["a"], ["b", "d"]], [], [["c"]]]), axis=[0, 1]),
        "regex_full_match": lambda: t.regex_full_match(s, "A.*"),
        "regex_replace": lambda: t.regex_replace(s, "[A-Z]", "x"),
        "to_hash_bucket": lambda: t.to_hash_bucket(s, 10),
        "to_hash_bucket_fast": lambda: t.to_hash_bucket_fast(s, 10),
        "to_hash_bucket_strong": lambda: t.to_hash_bucket_strong(s, 10, [1, 2]),
        "to_number": lambda: t.to_number(numbers),
        "unicode_script": lambda: t.unicode_script(tf.ragged.constant([[65, 1076], [28450]])),
        "unicode_transcode": lambda: t.unicode_transcode(s, "UTF-8", "UTF-16-BE"),
        "encode_base64": lambda: tf.io.encode_base64(s),
        "decode_base64": lambda: tf.io.decode_base64(tf.io.encode_base64(s)),
        "format": lambda: t.format("{}", s),
        "format several": lambda: t.format("{} and {}", [tf.constant([1.5]), tf.ragged.constant([[0.5, True]])], summarize=1),
    })


def images(tf: Any) -> dict[str, Any]:
    image = tf.ragged.stack([tf.ones([2, 3, 1]) * 0.5, tf.ones([1, 2, 1]) * 0.25])
    return _each({
        "adjust_brightness": lambda: tf.image.adjust_brightness(image, 0.125),
        "adjust_gamma": lambda: tf.image.adjust_gamma(image, 2.0),
        "convert_image_dtype": lambda: tf.image.convert_image_dtype(image, tf.uint8),
        "random_brightness": lambda: tf.image.random_brightness(image, 0.0),
        "stateless_random_brightness": lambda: tf.image.stateless_random_brightness(image, 0.0, (1, 2)),
        "resize": lambda: tf.image.resize(image, [2, 2]),
    })


def sparse(tf: Any) -> dict[str, Any]:
    x = tf.SparseTensor([[0, 1], [2, 0]], [-1.5, 2.0], [3, 4])
    numbers = tf.SparseTensor([[0, 1], [2, 0], [2, 2]], [2, 1, 1], [3, 4])
    ones = "abs negative sign square sqrt sin tan asin atan asinh atanh tanh erf bessel_i0e bessel_i1e"
    math = {name: lambda name=name: getattr(tf.math, name)(x / 4.0 if name in ("asin", "atanh") else x) for name in ones.split()}
    return _each(math | {
        "shape": lambda: tf.shape(x),
        "shape, int64": lambda: tf.shape(x, out_type=tf.int64),
        "size": lambda: tf.size(x),
        "rank": lambda: tf.rank(x),
        "cast": lambda: tf.cast(x, tf.int32),
        "concat": lambda: tf.sparse.concat(0, [x, x]),
        "expand_dims": lambda: tf.sparse.expand_dims(x, 0),
        "reduce_sum": lambda: tf.sparse.reduce_sum(x, 1),
        "map_fn": lambda: tf.map_fn(lambda row: tf.sparse.reduce_sum(row), x, fn_output_signature=tf.float32),
        "scalar_mul": lambda: x * 2.0,
        "bincount": lambda: tf.math.bincount(numbers, minlength=4),
        "bincount of rows": lambda: tf.math.bincount(numbers, axis=-1, dtype=tf.float32),
        "bincount by weights": lambda: tf.math.bincount(numbers, weights=tf.cast(numbers, tf.float32), axis=-1, maxlength=2),
        "divided": lambda: x / np.float32(2.0),
        "identity": lambda: tf.identity(x),
    }) | {
        name: raises(lambda name=name: getattr(tf, name)(x))
        for name in ("zeros_like", "ones_like", "reduce_sum", "exp", "transpose", "squeeze")
    }
