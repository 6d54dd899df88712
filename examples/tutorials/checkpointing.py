# %% [markdown]
"""
# Less memory: compute again instead of keeping

The gradient needs what the forward pass computed. A deep program keeps a lot. You can keep less, and compute some of it again on the way
back. The gradient is the same.

## How much is kept

Sixteen layers, and a function that says how many megabytes wait for the backward pass. Pullback's tensors are NumPy arrays, so Python's
`tracemalloc` sees them.
"""

# %%
import tracemalloc

import numpy as np

import pullback as tf

rng = np.random.default_rng(0)
DEPTH, WIDTH = 16, 128
layers = [tf.Variable(rng.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH), dtype=tf.float32) for _ in range(DEPTH)]
x = tf.constant(rng.standard_normal((512, WIDTH)), tf.float32)


def layer(h, w):
    h = h @ w
    return h + tf.sin(h) * tf.sigmoid(h)


def held(network):
    tracemalloc.start()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(network(x) ** 2)
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return megabytes, tape.gradient(loss, layers)


def plain(x):
    h = x
    for w in layers:
        h = layer(h, w)
    return h


all_kept, wanted = held(plain)
print(f"all kept: {all_kept:.1f} MB")

# %% [markdown]
"""
## One layer at a time

`tf.recompute_grad` keeps only what goes into a function, and runs it again when its gradient is asked for. It is TensorFlow's name.
"""

# %%


def by_layers(x):
    h = x
    for w in layers:
        h = tf.recompute_grad(layer)(h, w)
    return h


kept_inputs, gradients = held(by_layers)
same = all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(gradients, wanted))
print(f"inputs of layers kept: {kept_inputs:.1f} MB, the same gradient: {same}")

# %% [markdown]
"""
## Say how much there is

Which layers to run again is a question of arithmetic. `tf.checkpointed` answers it: say how many bytes may be held, and it chooses what
costs least extra work.
"""

# %%
small = tf.checkpointed(plain, memory=6_000_000)
print(small.plan(x))

# %%
megabytes, gradients = held(small)
same_again = all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(gradients, wanted))
print(f"held: {megabytes:.1f} MB, the same gradient: {same_again}")

# %% [markdown]
"""
A budget that nothing can meet is an error, which says what the least is:
"""

# %%
try:
    tf.checkpointed(plain, memory=100_000).plan(x)
except ValueError as error:
    refusal = str(error)
print(refusal)

# %% [markdown]
"""
## Loops

A loop of ten thousand steps keeps ten thousand states. With `checkpoint="log"` it keeps a few, and finds the others from these. Time grows
by a small factor, and memory with the logarithm of the number of steps.
"""

# %%


def long_loop(x, checkpoint):
    _, y = tf.while_loop(lambda i, y: i < 10_000, lambda i, y: (i + 1, y + 1e-3 * tf.sin(y)), (0, x), checkpoint=checkpoint)
    return tf.reduce_sum(y)


start = tf.linspace(0.1, 1.0, 64)
slopes = {}
for checkpoint in (None, "log"):
    step = tf.function(lambda x, checkpoint=checkpoint: tf.value_and_gradient(lambda x: long_loop(x, checkpoint), x)[1])
    slopes[checkpoint] = step(start).numpy()
print("the same gradient:", np.allclose(slopes[None], slopes["log"], rtol=1e-4))

# %% tags=["check"]
assert same and same_again
assert kept_inputs < 0.6 * all_kept
assert megabytes < 6.5 < all_kept
assert "is the least that is possible" in refusal
assert np.allclose(slopes[None], slopes["log"], rtol=1e-4, atol=1e-5)
