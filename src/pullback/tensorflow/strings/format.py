"""`tf.strings.format`: tensors written into a template."""

from __future__ import annotations

import numpy as np

from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.tensor import Tensor, TensorLike
from ...ops.effects.operations import STRING_FORMAT


@export("strings.format")
@takes_composites
def format(template: str, inputs: TensorLike, placeholder: str = "{}", summarize: int = 3, name: str | None = None) -> Tensor:
    """A string: `template` with tensors in place of its placeholders, written as `tf.print` writes them.

    inputs: a tensor, or a list or tuple of as many as the template has placeholders.  summarize: how many elements of each end of every
    dimension are shown; all when negative.  Raises ValueError for another number of tensors.

    >>> tf.strings.format("x = {}", tf.range(9)).numpy()
    b'x = [0 1 2 ... 6 7 8]'
    """
    given = list(inputs) if isinstance(inputs, (list, tuple, np.ndarray)) else [inputs]
    expected = template.count(placeholder)
    if expected != len(given):
        raise ValueError(
            f"The template expects {expected} tensors, but the inputs only has {len(given)}. "
            "Please ensure the number of placeholders in template matches inputs length."
        )
    tensors = [convert_to_tensor(x) for x in given]
    return STRING_FORMAT(tensors, template=template, placeholder=placeholder, summarize=summarize, name=name)
