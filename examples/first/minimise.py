# %% [markdown]
"""
# Find the lowest point of a function

`tf.optimize.minimize` takes a function and a point to begin at. The point is a number, a tensor, or a structure of them. A
list is a structure, so write `tf.constant([1.0, 2.0])` for a vector. Gradients are computed for you.
"""

# %%
import numpy as np

import pullback as tf


def valley(p):
    return (1.0 - p["x"]) ** 2 + 100.0 * (p["y"] - p["x"] ** 2) ** 2


found = tf.optimize.minimize(valley, {"x": tf.constant(-1.0, tf.float64), "y": 2.0})
print(found.success, round(float(found.x["x"]), 4), round(float(found.x["y"]), 4))

# %% [markdown]
"""
`found.x` has the structure of the point you began at. The rest of `found` is SciPy's result. Look at `found.success` first: where it is
False, `found.message` says why, and another method, bounds or another start may help.

## Another method, and bounds

Methods have SciPy's names. Those that use second derivatives get exact products with the Hessian.
"""

# %%
start = tf.constant([-1.0, 2.0], tf.float64)


def of_vector(p):
    return (1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] ** 2) ** 2


newton = tf.optimize.minimize(of_vector, start, method="trust-ncg")
bounded = tf.optimize.minimize(of_vector, start, method="L-BFGS-B", bounds=(-2.0, [0.5, 2.0]))
print(newton.x.numpy().round(4), newton.nit, "steps")
print(bounded.x.numpy().round(4))

# %% [markdown]
"""
## Fit a model to data

`tf.optimize.least_squares` takes a function that returns the residuals, one for each observation. It finds its way where `minimize`, given
the sum of their squares, takes steps that are too long.
"""

# %%
times = np.linspace(0.0, 1.0, 20)
seen = 2.0 * np.exp(-3.0 * times)


def residuals(p):
    return p["size"] * tf.exp(-p["rate"] * times) - seen


fitted = tf.optimize.least_squares(residuals, {"size": np.float64(1.0), "rate": np.float64(0.0)})
print(fitted.success, {name: round(float(x), 4) for name, x in fitted.x.items()})

# %% tags=["check"]
assert fitted.success and abs(float(fitted.x["size"]) - 2) < 1e-6 and abs(float(fitted.x["rate"]) - 3) < 1e-6
assert found.success and abs(float(found.x["x"]) - 1) < 1e-3 and abs(float(found.x["y"]) - 1) < 1e-3
assert abs(newton.x.numpy() - 1).max() < 1e-3
assert abs(bounded.x.numpy() - [0.5, 0.25]).max() < 1e-3
