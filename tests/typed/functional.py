"""Functions given to others as lambdas, gradients by place, objects of an own class, several results by name."""

import pullback as tf

# A lambda's parameters are known where it is given.
_, doubled = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), (tf.constant(0), tf.constant(1.0)))
rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(doubled.numpy(), tf.map_fn(lambda row: row * 2.0, rows).numpy(), tf.vectorized_map(lambda row: row * 2.0, rows).numpy())
print(tf.scan(lambda total, row: total + row, rows).numpy(), tf.foldl(lambda total, row: total + row, rows).numpy())
print(tf.optimize.minimize(lambda x: tf.reduce_sum((x - 1.0) ** 2), tf.zeros([2], tf.float64)).success)


class Line:
    """A structure by registration."""

    def __init__(self, slope: tf.Tensor, name: str) -> None:
        self.slope, self.name = slope, name


def apply_line(line: Line, x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(line.slope * x)


def make_line(name: str, parts: tuple[tf.Tensor]) -> Line:
    return Line(parts[0], name)


tf.register_structure(Line, lambda line: ((line.slope,), line.name), make_line)
line = Line(tf.constant(2.0), "first")
_, gradient = tf.value_and_gradient(lambda line: apply_line(line, tf.constant(3.0)), line)
_, by_place = tf.value_and_gradient(apply_line, line, tf.constant(3.0), argnums=0)
_, in_x = tf.value_and_gradient(apply_line, line, tf.constant(3.0), argnums=1)
_, (both, _) = tf.value_and_gradient(apply_line, line, tf.constant(3.0), argnums=(0, 1))
print(gradient.slope.numpy(), by_place.slope.numpy(), in_x.numpy(), both.name)

# Several results have names and types.
values, places = tf.unique(tf.constant([1, 1, 2]))
print(values.numpy(), places.numpy(), tf.unique_with_counts(tf.constant([1, 1, 2])).count.numpy())
ragged = tf.ragged.constant([[1, 2], [3]])
print(ragged.row_lengths().numpy(), ragged.to_tensor().shape)
