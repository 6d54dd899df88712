"""`pullback.distribute`: TensorFlow's `tf.distribute`, the collectives of replicas, and Horovod's names for training with them.

>>> import pullback
>>> pullback.distribute.get_strategy().num_replicas_in_sync, pullback.distribute.size()
(1, 1)
"""

from ..interop.faces import fill_namespace as _fill_namespace

_fill_namespace(__name__, "tf.distribute", "pullback.distribute")
