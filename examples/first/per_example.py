"""The gradient of each example's loss, not their sum."""
import pullback as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
target = tf.constant([0.0, 1.0, 0.0])
w = tf.Variable([0.1, -0.2])


def losses():
    return (tf.linalg.matvec(x, w) - target) ** 2


each = tf.per_example_gradients(losses, w)
total = tf.value_and_gradient(lambda: tf.reduce_sum(losses()), w)[1]
print(each.shape, bool(tf.reduce_all(tf.abs(tf.reduce_sum(each, 0) - total) < 1e-4)))
print([round(float(n), 2) for n in tf.norm(each, axis=1)])

# prints:
# (3, 2) True
# [1.34, 15.0, 10.93]
