"""A training step of one transformer block: layer normalisation before attention and before a gelu layer four times as wide."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine import training
from benchmarks.engine.program import Program

TINY = {"batch": 2, "length": 3, "width": 4, "heads": 2}
EPSILON = 1e-5


def data(batch: int = 8, length: int = 128, width: int = 256, heads: int = 4) -> Any:
    draw = np.random.default_rng(0)
    weights = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    parameters = [draw.normal(0, n**-0.5, (n, m)).astype(np.float32) for n, m in weights]
    parameters += [np.zeros(m, np.float32) for _, m in weights]
    parameters += [np.ones(width, np.float32), np.zeros(width, np.float32)] * 2
    x, target = draw.normal(size=(2, batch, length, width)).astype(np.float32)
    return SimpleNamespace(parameters=parameters, x=x, target=target, heads=heads)


def in_tensorflow(tf: Any, d: Any) -> Program:
    variables = [tf.Variable(p) for p in d.parameters]
    w_qkv, w_out, w_up, w_down, b_qkv, b_out, b_up, b_down, scale1, shift1, scale2, shift2 = variables
    batch, length, width = d.x.shape
    depth = width // d.heads

    def normalised(x: Any, scale: Any, shift: Any) -> Any:
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + EPSILON) * scale + shift

    def dense(x: Any, w: Any, b: Any) -> Any:
        return tf.matmul(x, w) + b

    def loss(x: Any, target: Any) -> Any:
        x = tf.reshape(x, [batch * length, width])
        qkv = tf.reshape(dense(normalised(x, scale1, shift1), w_qkv, b_qkv), [batch, length, 3, d.heads, depth])
        q, k, v = tf.unstack(tf.transpose(qkv, [2, 0, 3, 1, 4]))
        attended = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * depth**-0.5), v)
        x += dense(tf.reshape(tf.transpose(attended, [0, 2, 1, 3]), [batch * length, width]), w_out, b_out)
        x += dense(tf.nn.gelu(dense(normalised(x, scale2, shift2), w_up, b_up), approximate=True), w_down, b_down)
        return tf.reduce_mean(tf.math.squared_difference(x, tf.reshape(target, [batch * length, width])))

    return Program(training.in_tensorflow(tf, loss, variables), [d.x, d.target], variables)


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    batch, length, width = d.x.shape
    depth = width // d.heads

    def normalised(x: Any, scale: Any, shift: Any) -> Any:
        return jax.nn.standardize(x, axis=-1, epsilon=EPSILON) * scale + shift

    def loss(parameters: Any, x: Any, target: Any) -> Any:
        w_qkv, w_out, w_up, w_down, b_qkv, b_out, b_up, b_down, scale1, shift1, scale2, shift2 = parameters
        x = x.reshape(batch * length, width)
        qkv = (normalised(x, scale1, shift1) @ w_qkv + b_qkv).reshape(batch, length, 3, d.heads, depth)
        q, k, v = jnp.transpose(qkv, (2, 0, 3, 1, 4))
        attended = jax.nn.softmax(q @ jnp.swapaxes(k, 2, 3) * depth**-0.5) @ v
        x += jnp.transpose(attended, (0, 2, 1, 3)).reshape(batch * length, width) @ w_out + b_out
        x += jax.nn.gelu(normalised(x, scale2, shift2) @ w_up + b_up, approximate=True) @ w_down + b_down
        return jnp.mean(jnp.square(x - target.reshape(batch * length, width)))

    return Program(training.in_jax(loss), [d.x, d.target], d.parameters)


def in_torch(d: Any, compiled: bool) -> Program:
    import torch
    from torch.nn.functional import gelu, layer_norm, linear, mse_loss, scaled_dot_product_attention

    batch, length, width = d.x.shape
    parameters = [torch.tensor(np.ascontiguousarray(p.T), requires_grad=True) for p in d.parameters]  # PyTorch keeps (out, in)

    def loss(parameters: Any, x: Any, target: Any) -> Any:
        w_qkv, w_out, w_up, w_down, b_qkv, b_out, b_up, b_down, scale1, shift1, scale2, shift2 = parameters
        qkv = linear(layer_norm(x, [width], scale1, shift1, EPSILON), w_qkv, b_qkv).view(batch, length, 3, d.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        x = x + linear(scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width), w_out, b_out)
        x = x + linear(gelu(linear(layer_norm(x, [width], scale2, shift2, EPSILON), w_up, b_up), approximate="tanh"), w_down, b_down)
        return mse_loss(x, target)

    return Program(
        training.in_torch(loss, parameters, compiled), [d.x, d.target], parameters, layout=lambda found: [a.T for a in found]
    )
