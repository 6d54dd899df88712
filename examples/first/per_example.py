# %% [markdown]
"""
# The gradient of each example's loss

`tape.gradient` adds up over the batch. `tf.per_example_gradients` does not: its results have one more axis in front, one row for each
example. It costs about as much as the sum.
"""

# %%
import pullback as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
target = tf.constant([0.0, 1.0, 0.0])
w = tf.Variable([0.1, -0.2])


def losses():
    return (tf.linalg.matvec(x, w) - target) ** 2


each = tf.per_example_gradients(losses, w)
print(each.numpy())

# %% [markdown]
"""
The function returns one loss for each example. The sum of the rows is the gradient that a tape gives:
"""

# %%
total = tf.value_and_gradient(lambda: tf.reduce_sum(losses()), w)[1]
print(tf.reduce_sum(each, 0).numpy(), total.numpy())

# %% [markdown]
"""
## Clip each example's gradient

This is what differentially private training does before it adds up.
"""

# %%
lengths = tf.norm(each, axis=1, keepdims=True)
clipped = each * tf.minimum(1.0, 2.0 / lengths)
print(lengths.numpy().ravel().round(2), tf.norm(clipped, axis=1).numpy().round(2))

# %% tags=["check"]
assert each.shape == (3, 2)
assert abs((tf.reduce_sum(each, 0) - total).numpy()).max() < 1e-4
assert tf.norm(clipped, axis=1).numpy().max() < 2.001
