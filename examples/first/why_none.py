# %% [markdown]
"""
# Ask why a gradient is None

The gradient of this tape is None. `tf.why` says the reason, the line, and what to write instead.
"""

# %%
import pullback as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))

found = tf.why(y, x, tape)
print(found)

# %% [markdown]
"""
Programs can read `found.code`, `found.line` and `found.remedy`. [Ask a gradient why](../../docs/why.md) has every code. The remedy helps:
"""

# %%
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
gradient = tape.gradient(y, x)
print(gradient.numpy())

# %% tags=["check"]
assert found.code == "not watched"
assert found.remedy == "call tape.watch(x) before the first operation on it, or make it a tf.Variable"
assert gradient.numpy() == 6.0
