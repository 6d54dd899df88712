# %% [markdown]
"""
# From regression to a network that knows physics

We fit a line, then a network, and then a network that has hardly any data but knows a differential equation. The code grows by a few lines
at each step. You need `pip install pullback matplotlib`.

## A line

Ten noisy points, two parameters, and the mean of the squared errors. `tf.value_and_gradient` gives the loss and its gradient, which has the
structure of the parameters.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import pullback as tf

rng = np.random.default_rng(0)
x = tf.constant(np.linspace(0.0, 1.0, 10))
y = 3.0 * x - 1.0 + 0.1 * rng.standard_normal(10)


def line_loss(p):
    return tf.reduce_mean((p["slope"] * x + p["offset"] - y) ** 2)


p = {"slope": tf.constant(0.0, tf.float64), "offset": tf.constant(0.0, tf.float64)}
for _ in range(300):
    loss, gradient = tf.value_and_gradient(line_loss, p)
    p = {name: p[name] - 0.5 * gradient[name] for name in p}
print({name: round(float(value), 2) for name, value in p.items()}, f"loss {float(loss):.4f}")

# %% [markdown]
"""
## A network

Now the parameters are variables in a list, and a tape records what is computed from them. `@tf.function` turns the whole step, the gradient
and the update included, into native code.
"""

# %%


def make_network(width=16):
    sizes = [(1, width), (width, width), (width, 1)]
    return [
        (tf.Variable(rng.standard_normal(size) / np.sqrt(size[0])), tf.Variable(np.zeros(size[1])))
        for size in sizes
    ]


def predict(layers, x):
    *hidden, last = layers
    h = x[:, None]
    for w, b in hidden:
        h = tf.tanh(h @ w + b)
    return (h @ last[0] + last[1])[:, 0]


def train(layers, loss_of, steps, rate=0.01):
    variables = [v for layer in layers for v in layer]
    optimizer = tf.optimizers.Adam(rate)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(layers)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return [float(step()) for _ in range(steps)]


times = tf.constant(np.linspace(0.0, 1.5, 30))
waves = tf.sin(np.pi * times)
fitted = make_network()
losses = train(fitted, lambda layers: tf.reduce_mean((predict(layers, times) - waves) ** 2), 500)
print(f"loss {losses[0]:.3f} -> {losses[-1]:.5f}")

# %% [markdown]
"""
## Only the ends are known

Suppose that we know the wave at both ends only. A network fits two points at once, and says nothing sensible between them.

What we do know is the equation: u″ + π² u = 0 everywhere. The second derivative of the network is a tape within a tape. Each output depends
on its own input only, so the gradient of the sum is the derivative at each point.
"""

# %%


def residual(layers, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = predict(layers, x)
        slope = inner.gradient(u, x)
    return outer.gradient(slope, x) + np.pi**2 * u


ends = tf.constant([0.0, 1.5], tf.float64)


def at_ends(layers):
    return tf.reduce_mean((predict(layers, ends) - tf.sin(np.pi * ends)) ** 2)


def with_physics(layers):
    return at_ends(layers) + 0.01 * tf.reduce_mean(residual(layers, times) ** 2)


# %% [markdown]
"""
Training differentiates the loss once more, now with respect to the weights: three derivatives deep, in one program.
"""

# %%
blind, informed = make_network(), make_network()
train(blind, at_ends, 500)
losses = train(informed, with_physics, 1500)

exact = np.sin(np.pi * times.numpy())
networks = {"two points": blind, "two points and physics": informed}
error = {name: np.abs(predict(network, times).numpy() - exact).max() for name, network in networks.items()}
print({name: round(float(value), 3) for name, value in error.items()})

# %%
figure, axes = plt.subplots(figsize=(6, 3.2))
axes.plot(times, exact, "k", lw=3, alpha=0.3, label="exact")
axes.plot(times, predict(blind, times), "--", label="two points")
axes.plot(times, predict(informed, times), label="two points and physics")
axes.plot(ends, tf.sin(np.pi * ends), "ko")
axes.legend()
plt.show()

# %% [markdown]
"""
## Where next

- [Hessians](hessians.py): second derivatives of the loss with respect to the weights.
- [Which function do I want?](../../docs/which-function.md) has `tf.jacobian` and the others that could stand for the two tapes.
"""

# %% tags=["check"]
assert abs(float(p["slope"]) - 3) < 0.3 and abs(float(p["offset"]) + 1) < 0.2
assert error["two points and physics"] < 0.1
assert error["two points"] > 0.3
