# %% [markdown]
"""
# Second derivatives

| you want | call |
|---|---|
| the whole matrix | `tf.hessian(f, x)` |
| its product with a vector, without the matrix | `tf.hvp(f, x, v)` |
| a large matrix that is mostly zeros | `tf.sparse_hessian(f, x)` |
"""

# %%
import pullback as tf


def energy(x):
    return tf.reduce_sum(x[1:] ** 2 * x[:-1] ** 2)


x = tf.constant([1.0, 2.0, 3.0])
matrix = tf.hessian(energy, x)
product = tf.hvp(energy, x, tf.constant([1.0, 0.0, 0.0]))
print(matrix.numpy())
print(product.numpy())

# %% [markdown]
"""
## A large one

Here every variable meets its two neighbours only. `tf.sparse_hessian` finds that out, and computes the other entries from a few products.
The result is a SciPy matrix.
"""

# %%
large = tf.ones([2000], tf.float64)
sparse = tf.sparse_hessian(energy, large)
print(sparse.nnz, "of", 2000 * 2000, "entries are stored")

# %% [markdown]
"""
## With tapes

A tape inside a tape is the way that TensorFlow programs write it. It works as well.
"""

# %%
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = energy(x)
    slope = inner.gradient(y, x)
again = outer.jacobian(slope, x)
print(again.numpy())

# %% tags=["check"]
assert matrix.numpy().tolist() == [[8.0, 8.0, 0.0], [8.0, 20.0, 24.0], [0.0, 24.0, 8.0]]
assert product.numpy().tolist() == [8.0, 8.0, 0.0]
assert sparse.nnz == 3 * 2000 - 2
assert again.numpy().tolist() == matrix.numpy().tolist()
