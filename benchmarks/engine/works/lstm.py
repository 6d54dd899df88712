"""A training step of an LSTM language model: embedding, one layer unrolled over time, softmax over the vocabulary."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine import training
from benchmarks.engine.program import Program

TINY = {"steps": 3, "batch": 2, "hidden": 4, "vocabulary": 5}


def data(steps: int = 50, batch: int = 32, hidden: int = 256, vocabulary: int = 1_000) -> Any:
    """Gates stand in the order input, forget, cell, output; times come before examples."""
    draw = np.random.default_rng(0)
    scale = hidden**-0.5
    shapes = [(vocabulary, hidden), (hidden, 4 * hidden), (hidden, 4 * hidden), (4 * hidden,), (hidden, vocabulary), (vocabulary,)]
    tokens, targets = draw.integers(0, vocabulary, (2, steps, batch)).astype(np.int32)
    parameters = [draw.uniform(-scale, scale, shape).astype(np.float32) for shape in shapes]
    return SimpleNamespace(parameters=parameters, tokens=tokens, targets=targets)


def in_tensorflow(tf: Any, d: Any) -> Program:
    variables = [tf.Variable(p) for p in d.parameters]
    embedding, inward, across, bias, outward, shift = variables
    (steps, batch), hidden = d.tokens.shape, d.parameters[2].shape[0]

    def loss(tokens: Any, targets: Any) -> Any:
        x = tf.reshape(tf.gather(embedding, tokens), [-1, hidden])
        inputs = tf.reshape(tf.matmul(x, inward) + bias, [steps, batch, 4 * hidden])
        taken = tf.TensorArray(inputs.dtype, steps, element_shape=[batch, 4 * hidden]).unstack(inputs)

        def cell(t: Any, h: Any, c: Any, states: Any) -> Any:
            i, f, g, o = tf.split(taken.read(t) + tf.matmul(h, across), 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
            return t + 1, h, c, states.write(t, h)

        zeros = tf.zeros([batch, hidden], inputs.dtype)
        states = tf.TensorArray(inputs.dtype, steps, element_shape=[batch, hidden])
        states = tf.while_loop(lambda t, *_: t < steps, cell, (0, zeros, zeros, states), maximum_iterations=steps)[3].stack()
        logits = tf.matmul(tf.reshape(states, [-1, hidden]), outward) + shift
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(targets, [-1]), logits=logits))

    return Program(training.in_tensorflow(tf, loss, variables), [d.tokens, d.targets], variables)


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    hidden = d.parameters[2].shape[0]

    def loss(parameters: Any, tokens: Any, targets: Any) -> Any:
        embedding, inward, across, bias, outward, shift = parameters

        def cell(state: Any, x: Any) -> Any:
            h, c = state
            i, f, g, o = jnp.split(x + h @ across, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zeros = jnp.zeros((tokens.shape[1], hidden), inward.dtype)
        _, states = jax.lax.scan(cell, (zeros, zeros), embedding[tokens] @ inward + bias)
        logs = jax.nn.log_softmax(states @ outward + shift)
        return -jnp.mean(jnp.take_along_axis(logs, targets[..., None], axis=2))

    return Program(training.in_jax(loss), [d.tokens, d.targets], d.parameters)


def in_torch(d: Any, compiled: bool) -> Program:
    """The fused module; of its two biases one stays zero."""
    import torch
    from torch.nn.functional import cross_entropy, linear

    hidden = d.parameters[2].shape[0]
    embedding, inward, across, bias, outward, shift = (torch.tensor(p) for p in d.parameters)
    module = torch.nn.LSTM(hidden, hidden)
    with torch.no_grad():
        module.weight_ih_l0.copy_(inward.T)
        module.weight_hh_l0.copy_(across.T)
        module.bias_ih_l0.copy_(bias)
        module.bias_hh_l0.zero_().requires_grad_(False)
    outside = [p.contiguous().requires_grad_() for p in (embedding, outward.T, shift)]
    parameters = [outside[0], module.weight_ih_l0, module.weight_hh_l0, module.bias_ih_l0, outside[1], outside[2]]

    def loss(parameters: Any, tokens: Any, targets: Any) -> Any:
        states, _ = module(parameters[0][tokens])
        return cross_entropy(linear(states.flatten(0, 1), parameters[4], parameters[5]), targets.flatten())

    def layout(found: Any) -> Any:
        value, embedding, inward, across, bias, outward, shift = found
        return [value, embedding, inward.T, across.T, bias, outward.T, shift]

    tokens, targets = (a.astype(np.int64) for a in (d.tokens, d.targets))
    return Program(training.in_torch(loss, parameters, compiled), [tokens, targets], parameters, layout=layout)
