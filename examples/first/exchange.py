# %% [markdown]
"""
# Exchange with NumPy, SciPy, pandas, PyTorch and JAX

A tensor is an array to whoever asks (`np.asarray`), without a copy. It also speaks DLPack, the protocol by which libraries share memory.
Nothing changes a tensor, so do not write to memory that you share with one. You need `pip install pullback pandas`.

## NumPy
"""

# %%
import importlib.util

import numpy as np

import pullback as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(np.asarray(x).sum(), np.from_dlpack(x).shape, np.exp(x).dtype)
print(tf.convert_to_tensor(np.eye(2)).dtype.name)

# %% [markdown]
"""
## SciPy

A solver of SciPy wants a value and a slope in float64. One decorated function gives both.
"""

# %%
import scipy.optimize


@tf.function
def value_and_slope(p):
    return tf.value_and_gradient(lambda p: tf.reduce_sum((p - 3.0) ** 4), p)


found = scipy.optimize.minimize(lambda p: [part.numpy() for part in value_and_slope(tf.constant(p))], np.zeros(2), jac=True)
print(found.x.round(1))

# %% [markdown]
"""
## pandas
"""

# %%
import pandas as pd

frame = pd.DataFrame(x.numpy(), columns=["a", "b"])
back = tf.constant(frame)
print(frame)
print(back.shape, back.dtype.name)

# %% [markdown]
"""
## PyTorch

`torch.from_dlpack` and `tf.experimental.dlpack` share memory in both directions. Tensors and variables of PyTorch and of Pullback are
arguments of each other's functions that convert: `torch.as_tensor`, `tf.constant`.
"""

# %%
if importlib.util.find_spec("torch"):
    import torch

    print(torch.from_dlpack(x).sum(), torch.as_tensor(tf.Variable([1.0, 2.0])))
    print(tf.experimental.dlpack.from_dlpack(torch.ones(3)))
else:
    print("PyTorch is not installed here")

# %% [markdown]
"""
## JAX

JAX's functions take JAX's and NumPy's arrays only. `jnp.asarray` makes one of a tensor. To give tensors to many functions, register their
class with JAX once: `jnp.sin`, `jax.jit`, `jax.grad` and `jax.vmap` take them then. `jax.tree.map` sees arrays in place of tensors from
then on.
"""

# %%
if importlib.util.find_spec("jax"):
    import jax
    import jax.numpy as jnp

    print(jnp.sin(jnp.asarray(x)))
    print(tf.constant(jnp.ones(3)))

    jax.tree_util.register_pytree_node(type(x), lambda tensor: ([np.asarray(tensor)], None), lambda _, arrays: arrays[0])
    print(jnp.sin(x), jax.grad(lambda x: jnp.sum(x**2))(x))
else:
    print("JAX is not installed here")

# %% tags=["check"]
assert np.asarray(x).sum() == 10.0 and abs(found.x - 3.0).max() < 0.05
assert back.dtype == tf.float32 and back.numpy().tolist() == x.numpy().tolist()
