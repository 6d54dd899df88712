# %% [markdown]
"""
# Fit a differential equation

The equation is dy/dt = -rate · y with y(0) = 1. We look for the rate that gives y(1) = 0.2. The solver is a loop of 100 steps of Runge and
Kutta, and the gradient goes through all of them. `@tf.function` makes one native program of the loop and its gradient.
"""

# %%
import pullback as tf


@tf.function
def position(rate):
    y, h = tf.ones_like(rate), 0.01
    for _ in tf.range(100):
        a = -rate * y
        b = -rate * (y + h / 2 * a)
        c = -rate * (y + h / 2 * b)
        d = -rate * (y + h * c)
        y += h / 6 * (a + 2 * b + 2 * c + d)
    return y


# %% [markdown]
"""
The loss is a square, so a step of Newton is twice the loss over its slope.
"""

# %%
rate = tf.Variable(1.0, dtype=tf.float64)
for turn in range(6):
    loss, slope = tf.value_and_gradient(lambda: (position(rate) - 0.2) ** 2, rate)
    print(f"turn {turn}: rate {float(rate):.6f}, loss {float(loss):.1e}")
    rate.assign_sub(2.0 * loss / slope)
print(f"{float(rate):.5f}; the answer is -log(0.2) = 1.60944")

# %% tags=["check"]
assert abs(float(rate) - 1.6094379) < 1e-6
