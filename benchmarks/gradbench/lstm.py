"""GradBench's `lstm`: the loss of a language model of layers whose gates have diagonal weights, and its gradient.

Layer i at character t needs layer i - 1 at t and itself at t - 1. So at step s of the loop, layer i is at character s - i, and all layers
are one row each of the same element-wise operations. The first steps, in which not all layers have begun, come before the loop.
"""

from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, vector

Gates = list[Any]


def _step(gates: Gates, biases: Gates, below: Any, hidden: Any, cell: Any) -> tuple[Any, Any]:
    """One step of some layers: each has a row in all tensors. `below` is what each reads from the layer below it."""
    forget = tf.sigmoid(below * gates[0] + biases[0])
    ingate = tf.sigmoid(hidden * gates[1] + biases[1])
    outgate = tf.sigmoid(below * gates[2] + biases[2])
    change = tf.tanh(hidden * gates[3] + biases[3])
    cell = cell * forget + ingate * change
    return outgate * tf.tanh(cell), cell


def _read(character: Any, hidden: Any) -> Any:
    """What the layers read: the lowest a character, each other one the layer below it."""
    return tf.concat([character[tf.newaxis], hidden[:-1]], 0)


@tf.function
def loss(main: Any, extra: Any, state: Any, sequence: Any) -> Any:
    """main: [2 layers, 4 bits], weights and biases in turn; extra: [3, bits]; state: [2 layers, bits]; sequence: [characters, bits]."""
    layers, last = main.shape[0] // 2, sequence.shape[0] - 1
    weights, biases = tf.split(main[0::2], 4, axis=1), tf.split(main[1::2], 4, axis=1)
    in_weight, out_weight, out_bias = tf.unstack(extra)
    hidden, cell = state[0::2], state[1::2]
    for s in range(layers - 1):
        begun = s + 1
        # Where all characters were read before all layers have begun, what is read again is not used.
        read = _read(sequence[min(s, last)] * in_weight, hidden[:begun])
        new_hidden, new_cell = _step([w[:begun] for w in weights], [b[:begun] for b in biases], read, hidden[:begun], cell[:begun])
        hidden, cell = tf.concat([new_hidden, hidden[begun:]], 0), tf.concat([new_cell, cell[begun:]], 0)

    def step(s: Any, hidden: Any, cell: Any, total: Any) -> tuple[Any, ...]:
        # Nor is what the lowest layer reads while the highest is at the last characters.
        character = tf.gather(sequence, tf.minimum(s + layers - 1, last))
        hidden, cell = _step(weights, biases, _read(character * in_weight, hidden), hidden, cell)
        guess = hidden[-1] * out_weight + out_bias
        normal = tf.math.log(tf.reduce_sum(tf.exp(guess)) + 2.0)
        return s + 1, hidden, cell, total + tf.reduce_sum(tf.gather(sequence, s + 1) * (guess - normal))

    first = [0, hidden, cell, tf.zeros([], main.dtype)]
    total = tf.while_loop(lambda s, *_: s < last, step, first, maximum_iterations=last)[3]
    return -total / (last * sequence.shape[1])


@tf.function
def slopes(main: Any, extra: Any, state: Any, sequence: Any) -> Any:
    found = gradient(lambda main, extra: loss(main, extra, state, sequence), main, extra)
    return tf.concat([tf.reshape(slope, [-1]) for slope in found], 0)


def prepare(given: Any) -> tuple[Any, ...]:
    return tuple(vector(given[name]) for name in ("main_params", "extra_params", "state", "sequence"))


FUNCTIONS = {
    "objective": Function(prepare, loss, number),
    "jacobian": Function(prepare, slopes, lambda found: found.numpy().tolist()),
}
