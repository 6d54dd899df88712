"""TensorFlow's `tf.experimental.numpy`: NumPy's functions on tensors, differentiable throughout.

Functions take numbers, sequences, arrays and tensors, promote their dtypes as NumPy does, and return tensors. They are written over the
public functions of `tf`, so that gradients, batches and graphs need nothing of their own. Nothing is imported from here at start.

>>> tnp = tf.experimental.numpy
>>> x = tnp.array([1.0, 2.0])
>>> with tf.GradientTape() as tape:
...     tape.watch(x)
...     y = tnp.sum(x * tnp.log(x))
>>> tape.gradient(y, x).numpy().round(4).tolist()
[1.0, 1.6931]
"""

from ..interop.faces import fill_namespace

fill_namespace(__name__, "tf.experimental.numpy")
