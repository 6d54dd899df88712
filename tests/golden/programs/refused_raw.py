"""Raw operations: results by name, handles without a name, products whose output repeats a label."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import run_all

FACE = "v2"
M = [[1.0, 2.0], [3.0, 5.0]]


def named(tf: Any) -> dict[str, Any]:
    raw = tf.raw_ops
    calls = {
        "Unique": lambda: raw.Unique(x=[1, 1, 2]),
        "UniqueWithCounts": lambda: raw.UniqueWithCounts(x=[1, 1, 2]),
        "Lu": lambda: raw.Lu(input=M),
        "lu": lambda: tf.linalg.lu(M),
        "Qr": lambda: raw.Qr(input=M),
        "Svd": lambda: raw.Svd(input=M),
        "SelfAdjointEigV2": lambda: raw.SelfAdjointEigV2(input=M),
        "TopKV2": lambda: raw.TopKV2(input=[1.0, 2.0], k=1),
        "LogMatrixDeterminant": lambda: raw.LogMatrixDeterminant(input=M),
        "FusedBatchNormV3": lambda: raw.FusedBatchNormV3(
            x=tf.ones([1, 1, 1, 1]), scale=[1.0], offset=[1.0], mean=[0.0], variance=[1.0], is_training=False
        ),
        "MaxPoolWithArgmax": lambda: raw.MaxPoolWithArgmax(
            input=tf.ones([1, 2, 2, 1]), ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID"
        ),
        "SoftmaxCrossEntropyWithLogits": lambda: raw.SoftmaxCrossEntropyWithLogits(features=[[1.0, 2.0]], labels=[[1.0, 0.0]]),
        "SparseSoftmaxCrossEntropyWithLogits": lambda: raw.SparseSoftmaxCrossEntropyWithLogits(features=[[1.0, 2.0]], labels=[0]),
        "ListDiff": lambda: raw.ListDiff(x=[1, 2], y=[1]),
        "BroadcastGradientArgs": lambda: raw.BroadcastGradientArgs(s0=[1, 2], s1=[2, 2]),
        "SparseReorder": lambda: raw.SparseReorder(input_indices=[[0]], input_values=[1.0], input_shape=[2]),
        "NonMaxSuppressionV4": lambda: raw.NonMaxSuppressionV4(
            boxes=[[0.0, 0.0, 1.0, 1.0]], scores=[1.0], max_output_size=1, iou_threshold=0.5, score_threshold=0.0
        ),
        "SparseFillEmptyRows": lambda: raw.SparseFillEmptyRows(indices=[[0, 0]], values=[1.0], dense_shape=[2, 2], default_value=0.0),
        "StringSplitV2": lambda: raw.StringSplitV2(input=["a b"], sep=" "),
        "Split": lambda: raw.Split(axis=0, value=[1.0, 2.0], num_split=2),
        "Neg": lambda: raw.Neg(x=[1.0]),
    }

    def fields(call: Any, graph: bool) -> Any:
        with tf.Graph().as_default() if graph else tf.init_scope():
            found = call()
        return [isinstance(found, tuple), getattr(found, "_fields", None)]

    found = {label: lambda call=call: fields(call, False) for label, call in calls.items()}
    found |= {f"{label} in a graph": lambda call=call: fields(call, True) for label, call in calls.items()}
    return found | {
        "value": lambda: raw.Unique(x=[1, 1, 2]).y,
        "unpacked": lambda: (lambda y, idx: idx)(*raw.Unique(x=[1, 1, 2])),
        "from a function": lambda: tf.function(lambda: raw.Unique(x=[1, 1, 2]))().idx,
    }


def named_by_functions(tf: Any) -> dict[str, Any]:
    """Functions that are one operation name their results as it does."""
    ones, samplers = tf.ones, ("uniform", "log_uniform", "learned_unigram")
    image, box, small = ones([1, 2, 2, 1]), [[[0.0, 0.0, 1.0, 1.0]]], ones([2])

    def quantized() -> Any:
        return tf.quantization.quantize([1.0, 2.0], 0.0, 2.0, tf.quint8)

    calls = {f"random.{s}": lambda s=s: getattr(tf.random, f"{s}_candidate_sampler")([[1]], 1, 2, True, 5, seed=1) for s in samplers}
    calls |= {
        "random.fixed_unigram": lambda: tf.random.fixed_unigram_candidate_sampler([[1]], 1, 2, True, 5, unigrams=[1.0] * 5, seed=1),
        "random.all": lambda: tf.random.all_candidate_sampler([[1]], 1, 2, True, seed=1),
        "compute_accidental_hits": lambda: tf.nn.compute_accidental_hits([[1]], tf.constant([1, 2], tf.int64), 1),
        "quantize": quantized,
        "quantize_v2": lambda: tf.compat.v1.quantize_v2([1.0, 2.0], 0.0, 2.0, tf.quint8),
        "quantized_concat": lambda: tf.quantization.quantized_concat(0, [quantized()[0]] * 2, [0.0, 0.0], [2.0, 2.0]),
        "fake_quant gradient": lambda: tf.quantization.fake_quant_with_min_max_vars_gradient(small, small, -1.0, 1.0),
        "fake_quant gradient, channels": lambda: tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient(small, small, -small, small),
        "sample_distorted_bounding_box": lambda: tf.image.sample_distorted_bounding_box([3, 3, 1], box, seed=1),
        "sample_distorted_bounding_box, 1": lambda: tf.compat.v1.image.sample_distorted_bounding_box([3, 3, 1], box, seed=1),
        "stateless_sample_distorted_bounding_box": lambda: tf.image.stateless_sample_distorted_bounding_box([3, 3, 1], box, [1, 2]),
        "combined_non_max_suppression": lambda: tf.image.combined_non_max_suppression(ones([1, 1, 1, 4]), ones([1, 1, 1]), 1, 1),
        "decode_wav": lambda: tf.audio.decode_wav(tf.audio.encode_wav(ones([4, 1]), 8)),
        "unique": lambda: tf.unique([1, 1]),
        "unique_with_counts": lambda: tf.unique_with_counts([1, 1]),
        "setdiff1d": lambda: tf.compat.v1.setdiff1d([1, 2], [2]),
        "top_k": lambda: tf.math.top_k([1, 2]),
        "lu": lambda: tf.linalg.lu(M),
        "qr": lambda: tf.linalg.qr(M),
        "svd": lambda: tf.linalg.svd(M),
        "slogdet": lambda: tf.linalg.slogdet(M),
        "max_pool_with_argmax": lambda: tf.nn.max_pool_with_argmax(image, 2, 1, "VALID"),
        "fractional_max_pool": lambda: tf.nn.fractional_max_pool(image, 1.5, seed=1),
    }

    def fields(call: Any) -> Any:
        found = call()
        return [isinstance(found, tuple), getattr(found, "_fields", None)]

    found = {label: lambda call=call: fields(call) for label, call in calls.items()}
    return found | {
        "lu by name": lambda: [tf.linalg.lu(M).lu, tf.linalg.lu(M).p],
        "lu by name in a function": lambda: tf.function(lambda: tf.linalg.lu(M))().lu,
        "quantized by name": lambda: [quantized().output_min, quantized().output_max],
        "box by name": lambda: tf.image.stateless_sample_distorted_bounding_box([3, 3, 1], box, [1, 2]).size,
    }


def handles(tf: Any) -> dict[str, Any]:
    raw = tf.raw_ops

    def in_graph() -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            handle = raw.VarHandleOp(dtype=tf.float32, shape=[2])
            with tf.control_dependencies([raw.AssignVariableOp(resource=handle, value=[1.0, 2.0])]):
                return session.run(raw.ReadVariableOp(resource=handle, dtype=tf.float32))

    def eagerly() -> Any:
        handle = raw.VarHandleOp(dtype=tf.float32, shape=[2])
        raw.AssignVariableOp(resource=handle, value=[1.0, 2.0])
        return raw.ReadVariableOp(resource=handle, dtype=tf.float32)

    return {"graph": in_graph, "eager": eagerly}


def repeated(tf: Any) -> dict[str, Any]:
    """An output that has a label twice is zero but where both are the same."""
    cases = {
        "i->ii": [[1.0, float("inf")]],
        "ij->iij": [M],
        "ii->ii": [M],
        "i,i->ii": [[1.0, 2.0], [3.0, 4.0]],
        "ij,jk->iik": [M, [[1.0], [2.0]]],
        "...i->...ii": [M],
        "i->iii": [[1.0, 2.0]],
    }

    def product(equation: str) -> Any:
        return tf.raw_ops.Einsum(inputs=[tf.constant(x) for x in cases[equation]], equation=equation)

    def gradients(equation: str) -> Any:
        inputs = [tf.constant(x) for x in cases[equation]]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(inputs)
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                y = tf.raw_ops.Einsum(inputs=inputs, equation=equation)
                loss = tf.reduce_sum(y * y * tf.reshape(tf.range(1.0, tf.cast(tf.size(y), tf.float32) + 1.0), tf.shape(y)))
            first = tape.gradient(loss, inputs)
            total = tf.add_n([tf.reduce_sum(g * g) for g in first])
        return [*first, *outer.gradient(total, inputs)]

    def in_function(equation: str) -> Any:
        return tf.function(lambda: product(equation))()

    def in_graph() -> Any:
        with tf.Graph().as_default():
            return run_all(tf.compat.v1, [product("ij->iij")])

    finite = [equation for equation in cases if equation != "i->ii"]
    return {
        **{equation: lambda equation=equation: product(equation) for equation in cases},
        **{f"{equation} in a function": lambda equation=equation: in_function(equation) for equation in cases},
        **{f"{equation} gradients": lambda equation=equation: gradients(equation) for equation in finite},
        "shape": lambda: product("ij,jk->iik").shape,
        "in a graph": in_graph,
    }
