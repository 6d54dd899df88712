"""Exchange arrays with NumPy and SciPy; PyTorch, JAX and pandas take tensors in the same ways."""
import numpy as np
import scipy.optimize

import pullback as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(np.asarray(x).sum(), np.from_dlpack(x).shape)  # torch.from_dlpack(x), jax.numpy.asarray(x), pandas.DataFrame(x.numpy())
print(tf.convert_to_tensor(np.eye(2)).dtype.name)  # tensors of PyTorch: tf.experimental.dlpack or x.numpy()


@tf.function
def value_and_slope(p):
    return tf.value_and_gradient(lambda p: tf.reduce_sum((p - 3.0) ** 4), p)


def for_scipy(p):
    value, slope = value_and_slope(tf.constant(p))
    return float(value), slope.numpy()


found = scipy.optimize.minimize(for_scipy, np.zeros(2), jac=True)
print(np.abs(found.x - 3.0).max() < 0.05)

# prints:
# 10.0 (2, 2)
# float64
# True
