# %% [markdown]
"""
# Find where a NaN begins

`tf.trace_nans` stops at the first operation, forward or backward, that makes a NaN or an infinity.
"""

# %%
import pullback as tf

x = tf.Variable([0.0, 0.0])

try:
    with tf.trace_nans():
        with tf.GradientTape() as tape:
            length = tf.norm(x)
        tape.gradient(length, x)
except tf.errors.InvalidArgumentError as error:
    said = error.message
print(said)

# %% [markdown]
"""
The message ends with a remedy. `tf.safe_norm` has the gradient zero at zero:
"""

# %%
with tf.GradientTape() as tape:
    length = tf.safe_norm(x)
gradient = tape.gradient(length, x)
print(gradient.numpy())

# %% [markdown]
"""
`pullback run --trace-nans program.py` does the same for a whole program. The [NaN hunt](../tutorials/nan_hunt.py) has the other common
causes.
"""

# %% tags=["check"]
assert said.rpartition("Instead: ")[2].startswith("the slope of a norm is not defined at 0: use pullback.safe_norm")
assert gradient.numpy().tolist() == [0.0, 0.0]
