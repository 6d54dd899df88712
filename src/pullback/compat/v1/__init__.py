"""TensorFlow 1, as programs of its time import it: `import pullback.compat.v1 as tf`. Importing it turns graph mode on.

>>> import pullback
>>> tf = pullback.compat.v1
>>> with tf.Graph().as_default(), tf.Session() as sess:
...     x = tf.placeholder(tf.float32, [None])
...     sess.run(tf.gradients(x * x, x), {x: [1.0, 2.0]})
[array([2., 4.], dtype=float32)]
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .. import _v1
from .._v1 import __getattr__ as __getattr__
from .._v1 import __version__ as __version__

if _TYPE_CHECKING:
    from .._v1 import *  # noqa: F403  # what type checkers see of the loop below
else:
    globals().update({_name: vars(_v1)[_name] for _name in _v1.__all__ if _name in vars(_v1)})

__all__ = _v1.__all__

_v1.disable_v2_behavior()
