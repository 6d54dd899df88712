"""Second derivatives: the whole matrix, one product with it, and a large sparse one."""
import pullback as tf


def energy(x):
    return tf.reduce_sum(x[1:] ** 2 * x[:-1] ** 2)


x = tf.constant([1.0, 2.0, 3.0])
print(tf.hessian(energy, x).numpy().tolist())
print(tf.hvp(energy, x, tf.constant([1.0, 0.0, 0.0])).numpy().tolist())

large = tf.ones([2000], tf.float64)
print(tf.sparse_hessian(energy, large).nnz, "of", 2000 * 2000, "entries")

# prints:
# [[8.0, 8.0, 0.0], [8.0, 20.0, 24.0], [0.0, 24.0, 8.0]]
# [8.0, 8.0, 0.0]
# 5998 of 4000000 entries
