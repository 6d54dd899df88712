"""TensorFlow 1's face: every name of `tf.compat.v1` that Pullback has. Importing it changes nothing, as in TensorFlow 2:
`disable_v2_behavior()` or `disable_eager_execution()` turn graph mode on for the whole program, `Graph().as_default()` for a block.

>>> with tf1.Graph().as_default(), tf1.Session() as sess:
...     x = tf1.placeholder(tf1.float32, [None])
...     sess.run(tf1.gradients(x * x, x), {x: [1.0, 2.0]})
[array([2., 4.], dtype=float32)]
"""

from ...base.export import export
from ...base.version import TENSORFLOW_VERSION
from ...interop.faces import fill_namespace

__version__ = TENSORFLOW_VERSION  # of the TensorFlow whose names and answers these are
export("compat.v1")(__name__)
__path__: list[str] = []  # as in compat/v2
fill_namespace(__name__, "tf1")
