"""TensorFlow's two faces: `v2`, which `pullback` itself shows, and `v1`."""

from ..interop.faces import fill_namespace

fill_namespace(__name__, "tf.compat")
