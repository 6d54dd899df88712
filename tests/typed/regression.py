"""A straight line through points, by a tape."""

import numpy as np

import pullback as tf

points = np.linspace(-1.0, 1.0, 64, dtype=np.float32)
x = tf.constant(points)
y = 3.0 * x - 0.5 + 0.01 * tf.random.stateless_normal([64], seed=[1, 2])
slope = tf.Variable(0.0, name="slope")
offset = tf.Variable(0.0, name="offset")


def loss() -> tf.Tensor:
    return tf.reduce_mean(tf.square(slope * x + offset - y))


@tf.function
def step(rate: float) -> tf.Tensor:
    with tf.GradientTape() as tape:
        value = loss()
    by_slope, by_offset = tape.gradient(value, (slope, offset))
    slope.assign_sub(rate * by_slope)
    offset.assign_sub(rate * by_offset)
    return value


def fit(steps: int = 200) -> tuple[float, float]:
    last = step(0.1)
    for _ in range(steps):
        last = step(0.1)
    assert float(last) < 0.01 and last.shape == () and last.dtype == tf.float32
    with tf.GradientTape(persistent=True) as tape:
        value = loss()
    variables = [slope, offset]
    norms: list[tf.Tensor] = [tf.norm(g) for g in tape.gradient(value, variables)]
    assert all(norm < 0.05 for norm in norms)
    named = tape.gradient(value, {"slope": slope, "offset": offset})
    assert sorted(named) == ["offset", "slope"]
    return float(slope.numpy()), float(offset.numpy())


if __name__ == "__main__":
    print(fit())
