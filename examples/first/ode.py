"""Fit a parameter of a differential equation by the gradient through its solver."""
import pullback as tf


@tf.function
def position(rate):
    """dy/dt = -rate y from y(0) = 1, to t = 1, by 100 steps of Runge and Kutta."""
    y, h = tf.ones_like(rate), 0.01
    for _ in tf.range(100):
        a = -rate * y
        b = -rate * (y + h / 2 * a)
        c = -rate * (y + h / 2 * b)
        d = -rate * (y + h * c)
        y += h / 6 * (a + 2 * b + 2 * c + d)
    return y


rate = tf.Variable(1.0, dtype=tf.float64)
for _ in range(6):
    loss, slope = tf.value_and_gradient(lambda: (position(rate) - 0.2) ** 2, rate)
    rate.assign_sub(loss / slope * 2.0)  # Newton's step for a square
print(round(float(rate), 5), "is -log(0.2) = 1.60944")

# prints:
# 1.60944 is -log(0.2) = 1.60944
