"""`tf.experimental.dlpack`: tensors to and from other libraries' arrays, without a copy."""

from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.tensor import EagerTensor, Tensor


class _Capsule:
    """A capsule as NumPy takes it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **asked: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@export(v2="experimental.dlpack.to_dlpack")
def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule of a tensor's memory, for a library that takes capsules; it can be taken once.

    Raises InvalidArgumentError for what is no tensor with a value.

    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy().tolist()
    [1.0, 2.0]
    """
    if not isinstance(tf_tensor, EagerTensor):
        raise InvalidArgumentError(None, None, f"The argument to `to_dlpack` must be a TF tensor, not {tf_tensor!r}")
    return tf_tensor.__dlpack__()


@export(v2="experimental.dlpack.from_dlpack")
def from_dlpack(dlcapsule: Any) -> Tensor:
    """A tensor in the memory of a DLPack capsule, which is then taken; or of an array that offers one.

    >>> import pullback as tf, numpy as np
    >>> tf.experimental.dlpack.from_dlpack(np.array([1, 2])).numpy().tolist()
    [1, 2]
    """
    if not hasattr(dlcapsule, "__dlpack__"):
        if type(dlcapsule).__name__ != "PyCapsule":
            raise TypeError(f"from_dlpack takes a DLPack capsule, or an array that offers one, not {dlcapsule!r}")
        dlcapsule = _Capsule(dlcapsule)
    return EagerTensor(np.from_dlpack(dlcapsule))
