"""What is measured, continued: the rest of networks: pools, volumes, normalisation, recurrent blocks, alignments, quantised types."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, Rows, inside, integers, numbers, tensors

POOL: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
CUBES: dict[str, Any] = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "SAME"}


def pools(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(16, 64, 64, 16), g=numbers(16, 32, 32, 16))
    raw = tf.raw_ops
    top = raw.MaxPool(input=t.x, **POOL)
    yield "MaxPoolV2", lambda: raw.MaxPoolV2(input=t.x, **POOL)
    yield "MaxPoolGradV2", lambda: raw.MaxPoolGradV2(orig_input=t.x, orig_output=top, grad=t.g, **POOL)
    for name in ("MaxPoolGradGrad", "MaxPoolGradGradV2"):
        yield name, partial(getattr(raw, name), orig_input=t.x, orig_output=top, grad=t.x, **POOL)
    _, places = raw.MaxPoolWithArgmax(input=t.x, **POOL)
    yield "MaxPoolWithArgmax", lambda: raw.MaxPoolWithArgmax(input=t.x, **POOL)
    yield "MaxPoolGradWithArgmax", lambda: raw.MaxPoolGradWithArgmax(input=t.x, grad=t.g, argmax=places, **POOL)
    ratio = {"pooling_ratio": [1.0, 1.44, 1.73, 1.0], "seed": 1, "seed2": 2, "deterministic": True}
    pooled, rows, columns = raw.FractionalMaxPool(value=t.x, **ratio)
    yield "FractionalMaxPool", lambda: raw.FractionalMaxPool(value=t.x, **ratio)
    yield "FractionalAvgPool", lambda: raw.FractionalAvgPool(value=t.x, **ratio)
    where = {"row_pooling_sequence": rows, "col_pooling_sequence": columns, "out_backprop": pooled}
    yield "FractionalMaxPoolGrad", lambda: raw.FractionalMaxPoolGrad(orig_input=t.x, orig_output=pooled, **where)
    yield "FractionalAvgPoolGrad", lambda: raw.FractionalAvgPoolGrad(orig_input_tensor_shape=[16, 64, 64, 16], **where)
    yield "ExtractImagePatches", lambda: raw.ExtractImagePatches(
        images=t.x, ksizes=[1, 3, 3, 1], strides=[1, 2, 2, 1], rates=[1, 1, 1, 1], padding="SAME"
    )


def dilations(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(4, 64, 64, 16), w=numbers(3, 3, 16))
    raw = tf.raw_ops
    how: dict[str, Any] = {"strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "SAME"}
    yield "Dilation2D", lambda: raw.Dilation2D(input=t.x, filter=t.w, **how)
    yield "Dilation2DBackpropInput", lambda: raw.Dilation2DBackpropInput(input=t.x, filter=t.w, out_backprop=t.x, **how)
    yield "Dilation2DBackpropFilter", lambda: raw.Dilation2DBackpropFilter(input=t.x, filter=t.w, out_backprop=t.x, **how)


def volumes(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(2, 16, 32, 32, 16), w=numbers(3, 3, 3, 16, 16), g=numbers(2, 8, 16, 16, 16))
    raw = tf.raw_ops
    how: dict[str, Any] = {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}
    yield "Conv3DBackpropInputV2", lambda: raw.Conv3DBackpropInputV2(input_sizes=[2, 16, 32, 32, 16], filter=t.w, out_backprop=t.x, **how)
    yield "Conv3DBackpropFilterV2", lambda: raw.Conv3DBackpropFilterV2(input=t.x, filter_sizes=[3, 3, 3, 16, 16], out_backprop=t.x, **how)
    top = raw.MaxPool3D(input=t.x, **CUBES)
    yield "MaxPool3DGrad", lambda: raw.MaxPool3DGrad(orig_input=t.x, orig_output=top, grad=t.g, **CUBES)
    yield "MaxPool3DGradGrad", lambda: raw.MaxPool3DGradGrad(orig_input=t.x, orig_output=top, grad=t.x, **CUBES)
    yield "AvgPool3DGrad", lambda: raw.AvgPool3DGrad(orig_input_shape=[2, 16, 32, 32, 16], grad=t.g, **CUBES)
    patches: dict[str, Any] = {"ksizes": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "SAME"}
    yield "ExtractVolumePatches", lambda: raw.ExtractVolumePatches(input=t.x, **patches)


def normalised(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(16, 64, 64, 16), g=numbers(16, 64, 64, 16, seed=1), one=inside(0.5, 1.5, 16), none=numbers(0))
    raw = tf.raw_ops
    for version in ("", "V2"):
        name = f"FusedBatchNorm{version}"
        yield name, partial(getattr(raw, name), x=t.x, scale=t.one, offset=t.one, mean=t.none, variance=t.none)
    kept: dict[str, Any] = {"y_backprop": t.g, "x": t.x, "scale": t.one, "reserve_space_1": t.one, "reserve_space_2": t.one}
    for version in ("", "V2"):
        yield f"FusedBatchNormGrad{version}", partial(getattr(raw, f"FusedBatchNormGrad{version}"), **kept)
    yield "FusedBatchNormGradV3", lambda: raw.FusedBatchNormGradV3(reserve_space_3=t.one, **kept)
    y = raw.LRN(input=t.x)
    yield "LRNGrad", lambda: raw.LRNGrad(input_grads=t.g, input_image=t.x, output_image=y)


def recurrent(tf: Any) -> Rows:
    """A batch of 64 and 128 units; layers take 20 steps."""
    n, size = 64, 128
    t = tensors(tf, x=numbers(20, n, size), h=numbers(n, size), w=numbers(2 * size, 4 * size) / 16, b=numbers(4 * size), p=numbers(size))
    raw, steps = tf.raw_ops, tf.constant(20, tf.int64)
    cell: dict[str, Any] = {"cs_prev": t.h, "h_prev": t.h, "w": t.w, "wci": t.p, "wcf": t.p, "wco": t.p, "b": t.b}
    named = ("i", "cs", "f", "o", "ci", "co", "h")
    for version in ("", "V2"):
        forward, backward = getattr(raw, f"BlockLSTM{version}"), getattr(raw, f"BlockLSTMGrad{version}")
        layer = {**cell, "x": t.x, "seq_len_max": steps}
        states = dict(zip(named, forward(**layer), strict=True))
        yield f"BlockLSTM{version}", partial(forward, **layer)
        yield f"BlockLSTMGrad{version}", partial(backward, **layer, **states, cs_grad=t.x, h_grad=t.x, use_peephole=False)
    states = dict(zip(named, raw.LSTMBlockCell(x=t.x[0], **cell), strict=True))
    yield "LSTMBlockCell", lambda: raw.LSTMBlockCell(x=t.x[0], **cell)
    del states["h"]
    yield "LSTMBlockCellGrad", lambda: raw.LSTMBlockCellGrad(x=t.x[0], **cell, **states, cs_grad=t.h, h_grad=t.h, use_peephole=False)
    biases: dict[str, Any] = {"b_ru": t.b[: 2 * size], "b_c": t.b[:size]}
    gru: dict[str, Any] = {"x": t.h, "h_prev": t.h, "w_ru": t.w[:, : 2 * size], "w_c": t.w[:, :size], **biases}
    r, u, c, _ = raw.GRUBlockCell(**gru)
    yield "GRUBlockCell", lambda: raw.GRUBlockCell(**gru)
    yield "GRUBlockCellGrad", lambda: raw.GRUBlockCellGrad(**gru, r=r, u=u, c=c, d_h=t.h)


def alignments(tf: Any) -> Rows:
    """A hundred frames, 32 sequences, 40 classes, 20 labels each."""
    frames, batch, classes, length = 100, 32, 40, 20
    x = tf.constant(numbers(frames, batch, classes))
    labels = 1 + integers(classes - 2, batch, length)
    at = np.stack(np.meshgrid(np.arange(batch), np.arange(length), indexing="ij"), -1).reshape(-1, 2)
    given: dict[str, Any] = {"labels_indices": tf.constant(at), "labels_values": tf.constant(labels.ravel())}
    lengths, all_frames = tf.constant(np.full(batch, length, "int32")), tf.constant(np.full(batch, frames, "int32"))
    raw = tf.raw_ops
    yield "CTCLoss", lambda: raw.CTCLoss(inputs=x, sequence_length=all_frames, **given)
    dense = tf.constant(labels)
    yield "CTCLossDense", lambda: tf.nn.ctc_loss(dense, x, lengths, all_frames)
    yield "CTCGreedyDecoder", lambda: raw.CTCGreedyDecoder(inputs=x, sequence_length=all_frames)
    few: dict[str, Any] = {"inputs": x[:, :4], "sequence_length": all_frames[:4], "beam_width": 10, "top_paths": 1}
    yield "CTCBeamSearchDecoder", lambda: raw.CTCBeamSearchDecoder(**few)


def quantised(tf: Any) -> Rows:
    high = np.full(SIDE, 2, "float32")
    t = tensors(tf, x=numbers(SIDE, SIDE), g=numbers(SIDE, SIDE, seed=1), low=-high, high=high)
    raw = tf.raw_ops
    vary: dict[str, Any] = {"gradients": t.g, "inputs": t.x}
    yield "FakeQuantWithMinMaxVarsGradient", lambda: raw.FakeQuantWithMinMaxVarsGradient(min=-2.0, max=2.0, **vary)
    yield "FakeQuantWithMinMaxVarsPerChannelGradient", lambda: raw.FakeQuantWithMinMaxVarsPerChannelGradient(min=t.low, max=t.high, **vary)
    span: dict[str, Any] = {"input_min": -2.0, "input_max": 2.0}
    yield "QuantizeAndDequantizeV3", lambda: raw.QuantizeAndDequantizeV3(input=t.x, num_bits=8, **span)
    yield "QuantizeAndDequantizeV4Grad", lambda: raw.QuantizeAndDequantizeV4Grad(gradients=t.g, input=t.x, **span)
    q, low, high = raw.QuantizeV2(input=t.x, min_range=-2.0, max_range=2.0, T=tf.quint8)
    yield "QuantizeV2", lambda: raw.QuantizeV2(input=t.x, min_range=-2.0, max_range=2.0, T=tf.quint8)
    yield "Dequantize", lambda: raw.Dequantize(input=q, min_range=-2.0, max_range=2.0)
    joined: dict[str, Any] = {"values": [q, q], "input_mins": [low, low], "input_maxes": [high, high]}
    yield "QuantizedConcat", lambda: raw.QuantizedConcat(concat_dim=0, **joined)
