# %% [markdown]
"""
# Learn to learn: MAML

MAML looks for weights from which *one* step of gradient descent fits a new task. The step is part of what is differentiated: a gradient
goes through a gradient. You need `pip install pullback matplotlib`.

## Tasks

A task is a sine wave with its own height and shift. There are ten points to learn from, and ten to be judged by. A batch of tasks is a
tensor with one row for each.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import pullback as tf

rng = np.random.default_rng(1)


def draw_tasks(count):
    height, shift = rng.uniform(0.5, 2.0, (count, 1)), rng.uniform(0.0, np.pi, (count, 1))
    x = rng.uniform(-3.0, 3.0, (count, 20))
    y = height * np.sin(x + shift)
    return [tf.constant(part, tf.float32) for part in (x[:, :10], y[:, :10], x[:, 10:], y[:, 10:])]


# %% [markdown]
"""
## The network

It takes its weights as an argument. That lets us ask what it gives for weights that are not stored anywhere.
"""

# %%
WIDTH = 32
weights = {
    "w1": tf.Variable(rng.standard_normal((1, WIDTH)), dtype=tf.float32),
    "b1": tf.Variable(tf.zeros(WIDTH)),
    "w2": tf.Variable(rng.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH), dtype=tf.float32),
    "b2": tf.Variable(tf.zeros(WIDTH)),
    "w3": tf.Variable(rng.standard_normal((WIDTH, 1)) / np.sqrt(WIDTH), dtype=tf.float32),
}


def predict(w, x):
    h = tf.tanh(x[:, None] @ w["w1"] + w["b1"])
    h = tf.tanh(h @ w["w2"] + w["b2"])
    return (h @ w["w3"])[:, 0]


def error(w, x, y):
    return tf.reduce_mean((predict(w, x) - y) ** 2)


# %% [markdown]
"""
## One step inside

`tf.value_and_gradient` of a dictionary gives a dictionary. What it returns are tensors like any others, so a tape around it records how
they came about.

`tf.vectorized_map` runs the step for all tasks at once.
"""

# %%


def adapt(w, x, y, rate=0.05):
    _, gradient = tf.value_and_gradient(lambda w: error(w, x, y), w)
    return {name: w[name] - rate * gradient[name] for name in w}


def after_a_step(task):
    x, y, x_new, y_new = task
    start = {name: tf.convert_to_tensor(v) for name, v in weights.items()}
    return error(adapt(start, x, y), x_new, y_new)


optimizer = tf.optimizers.Adam(0.003)
variables = list(weights.values())


@tf.function
def train(x, y, x_new, y_new):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.vectorized_map(after_a_step, (x, y, x_new, y_new)))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


losses = [float(train(*draw_tasks(16))) for _ in range(800)]
print(f"error after one step: {np.mean(losses[:50]):.3f} at first, {np.mean(losses[-50:]):.3f} in the end")

# %% [markdown]
"""
## A new task

The trained weights fit no wave by themselves. One step makes them fit this one better, and some more steps better still.
"""

# %%
x, y, x_new, y_new = (part[0] for part in draw_tasks(1))
grid = tf.linspace(-3.0, 3.0, 100)
figure, axes = plt.subplots(figsize=(6, 3.2))
axes.plot(x, y, "ko", label="to learn from")
fast = {name: tf.convert_to_tensor(v) for name, v in weights.items()}
errors = []
for steps in range(6):
    errors.append(float(error(fast, x_new, y_new)))
    if steps in (0, 1, 5):
        axes.plot(grid, predict(fast, grid), label=f"{steps} steps")
    fast = adapt(fast, x, y)
axes.legend()
plt.show()
print([round(e, 3) for e in errors])

# %% [markdown]
"""
## What the second order is worth

First-order MAML takes the inner gradient as a constant: `tf.stop_gradient` says so. Here are the lengths of the two gradients of the same
loss, and the cosine of the angle between them.
"""

# %%


def outer_gradient(treat):
    with tf.GradientTape() as tape:
        start = {name: tf.convert_to_tensor(v) for name, v in weights.items()}
        _, g = tf.value_and_gradient(lambda w: error(w, x, y), start)
        loss = error({name: start[name] - 0.05 * treat(g[name]) for name in start}, x_new, y_new)
    return tf.concat([tf.reshape(part, [-1]) for part in tape.gradient(loss, variables)], 0)


full, first = outer_gradient(tf.identity), outer_gradient(tf.stop_gradient)
cosine = float(tf.reduce_sum(full * first) / tf.norm(full) / tf.norm(first))
print(f"full {float(tf.norm(full)):.3f}, first order {float(tf.norm(first)):.3f}, cosine {cosine:.3f}")

# %% tags=["check"]
assert np.mean(losses[-50:]) < 0.6 * np.mean(losses[:50])
assert errors[5] < errors[0]
assert -1 < cosine < 0.9999
