# %% [markdown]
"""
# Hessians, and what to do with them

The Hessian is the matrix of second derivatives. This page gets it whole, by products, by parts, and only its diagonal, and uses each for
something.

## The whole matrix, and Newton's method

A logistic regression with three weights. Its Hessian has nine entries, so we may ask for all of them.
"""

# %%
import numpy as np

import pullback as tf

rng = np.random.default_rng(0)
inputs = tf.constant(rng.standard_normal((200, 3)))
labels = tf.cast(rng.uniform(size=200) < 1 / (1 + np.exp(-inputs.numpy() @ [1.0, -2.0, 0.5])), tf.float64)


def loss(w):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, tf.linalg.matvec(inputs, w)))


w = tf.zeros(3, tf.float64)
for _ in range(6):
    value, gradient = tf.value_and_gradient(loss, w)
    print(f"loss {float(value):.12f}, gradient {float(tf.norm(gradient)):.1e}")
    w -= tf.linalg.solve(tf.hessian(loss, w), gradient[:, None])[:, 0]

# %% [markdown]
"""
The number of right digits doubles at each step, as Newton's method promises. The inverse of the Hessian also says how sure the fit is:
"""

# %%
deviations = tf.sqrt(tf.linalg.diag_part(tf.linalg.inv(tf.hessian(loss, w) * 200.0)))
for name, value, deviation in zip("abc", w.numpy(), deviations.numpy()):
    print(f"{name} = {value:.2f} ± {deviation:.2f}")

# %% [markdown]
"""
## Products, when the matrix is too large

A network with thousands of weights has a Hessian with millions of entries. `tf.hvp` multiplies it with a vector for the price of a few
gradients. That is enough for the largest eigenvalue: multiply again and again. The largest step of gradient descent that is stable is two
over that number.
"""

# %%
layers = [tf.constant(rng.standard_normal(s) / np.sqrt(s[0]), tf.float32) for s in ((3, 64), (64, 64), (64, 1))]
x, y = tf.cast(inputs, tf.float32), tf.cast(labels, tf.float32)


def network_loss(layers):
    h = x
    for weights in layers[:-1]:
        h = tf.tanh(h @ weights)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, (h @ layers[-1])[:, 0]))


@tf.function
def multiply(direction):
    return tf.hvp(network_loss, layers, direction)


direction = [tf.constant(rng.standard_normal(part.shape), tf.float32) for part in layers]
for _ in range(30):
    length = tf.linalg.global_norm(direction)
    direction = multiply([part / length for part in direction])
largest = float(tf.linalg.global_norm(direction))
print(f"{sum(int(tf.size(part)) for part in layers)} weights, largest eigenvalue {largest:.3f}, steps are stable below {2 / largest:.2f}")

# %% [markdown]
"""
## By parts

The Hessian of a function of a structure is a structure of blocks: one for each pair of parts.
"""

# %%
point = {"a": tf.constant([1.0, 2.0]), "b": 3.0}
blocks = tf.hessian(lambda p: tf.reduce_sum(p["a"] ** 3) * p["b"] ** 2, point)
for row in blocks:
    for column in blocks[row]:
        print(row, column, blocks[row][column].numpy().tolist())

# %% [markdown]
"""
## Only the diagonal

`tf.hessian_diagonal` does not form the rest. Here it gives the sum of second derivatives, the Laplacian, of a field at a point.
"""

# %%
field = lambda p: 1.0 / tf.norm(p)
place = tf.constant([1.0, 2.0, 2.0], tf.float64)
diagonal = tf.hessian_diagonal(field, place)
print(diagonal.numpy().round(4), "sum", round(float(tf.reduce_sum(diagonal)), 12))

# %% [markdown]
"""
The sum is zero: 1/r has no sources away from the origin.

## Mostly zeros

A Hessian with few entries per row is a case for `tf.sparse_hessian`: [sparse Jacobians](sparse_jacobians.py) says how it works.
"""

# %% tags=["check"]
assert float(tf.norm(tf.value_and_gradient(loss, w)[1])) < 1e-10
assert abs(float(tf.linalg.global_norm(multiply([part / largest for part in direction]))) / largest - 1) < 0.01
assert blocks["b"]["b"].numpy() == 18.0
assert abs(float(tf.reduce_sum(diagonal))) < 1e-12
