# %% [markdown]
"""
# Sparse Jacobians

Equations on a grid couple each point with its neighbours only. Their Jacobian is mostly zeros. `tf.sparse_jacobian` finds out where it is
not, and computes those entries with a few products, however large the grid is. You need `pip install pullback matplotlib`.

## An equation on a grid

Bratu's equation: the Laplacian of u plus λ·exp(u) is zero inside a square, and u is zero at its edge.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse.linalg

import pullback as tf

SIDE, LAMBDA = 60, 5.0


def equations(u):
    u = tf.reshape(u, [SIDE, SIDE])
    wide = tf.pad(u, [[1, 1], [1, 1]])
    laplacian = (wide[2:, 1:-1] + wide[:-2, 1:-1] + wide[1:-1, 2:] + wide[1:-1, :-2] - 4.0 * u) * (SIDE + 1.0) ** 2
    return tf.reshape(laplacian + LAMBDA * tf.exp(u), [-1])


u = tf.zeros(SIDE * SIDE, tf.float64)
pattern = tf.jacobian_pattern(equations, u)
coloring = tf.color_jacobian(pattern)
print(f"{pattern.shape[0]} x {pattern.shape[1]}: {pattern.nnz} of {SIDE**4} entries can be other than zero")
print(coloring)

# %% [markdown]
"""
## How a few products suffice

Two columns that share no row can be added, and told apart afterwards. So columns get colours, such that columns of one colour share no row.
One product gives all columns of a colour. Here a handful of colours stands for 3,600 columns.

The pattern comes from the program itself: which results are computed from which elements. It holds at every point, so we make it once.

## Newton's method
"""

# %%
for _ in range(6):
    values = equations(u)
    print(f"largest residual {np.abs(values).max():.1e}")
    jacobian = tf.sparse_jacobian(equations, u, coloring=coloring)
    u -= scipy.sparse.linalg.spsolve(jacobian.tocsc(), values.numpy())

# %%
figure, axes = plt.subplots(figsize=(4, 3.2))
figure.colorbar(axes.imshow(tf.reshape(u, [SIDE, SIDE]), extent=(0, 1, 0, 1)))
plt.show()

# %% [markdown]
"""
## Against the whole matrix

On a small problem we can afford to compare. The sparse matrix is the same, entry by entry.
"""

# %%


def small(u):
    return u[1:-1] ** 2 * u[2:] - tf.sin(u[:-2])


point = tf.constant(np.linspace(0.0, 1.0, 12))
whole = tf.jacobian(small, point).numpy()
difference = np.abs(tf.sparse_jacobian(small, point).toarray() - whole).max()
print(whole.shape, "largest difference", difference)

# %% [markdown]
"""
## Hessians

`tf.sparse_hessian` does the same for second derivatives, and uses that they are symmetric. Constrained solvers take both kinds:
`tf.optimize.minimize` finds out by itself which of its matrices are sparse.
"""

# %% tags=["check"]
assert np.abs(equations(u)).max() < 1e-9
assert difference < 1e-14
assert pattern.nnz == 5 * SIDE**2 - 4 * SIDE
