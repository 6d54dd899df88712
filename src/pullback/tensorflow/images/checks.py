"""What the functions on images share: ranks, sizes that may be tensors, and conditions on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...base.dtypes import int32
from ...base.shapes import show
from ...control.cond import cond
from ...ir.apply import convert_to_tensor
from ...ir.convert import is_tensor_like
from ...ir.op import is_known
from ...ir.tensor import Tensor
from ...ops.array.basic import shape_of
from ...ops.array.shape import ensure_shape, expand_dims, rank, squeeze
from ...ops.effects.operations import Assert
from ...ops.math.arithmetic import maximum, minimum
from ...ops.primitives.compare import equal

if TYPE_CHECKING:
    from ...ir.tensor import IntLike, TensorLike


def to_image(image: TensorLike, name: str = "image") -> Tensor:
    """A tensor of three or more dimensions, none of the last three of size 0."""
    image = convert_to_tensor(image, name=name)
    dims = image.dims
    if dims is None:
        return image
    if len(dims) < 3:
        raise ValueError(f"'{name}' (shape {show(dims)}) must be at least three-dimensional.")
    if 0 in dims[-3:]:
        raise ValueError(f"inner 3 dims of '{name}.shape' must be > 0: {show(dims)}")
    return image


def three_or_four(image: Any, name: str = "image") -> Tensor:
    """As `to_image`, of three or four dimensions."""
    image = to_image(image, name)
    if image.dims is not None and len(image.dims) not in (3, 4):
        raise ValueError(f"'{name}' (shape {show(image.dims)}) must have either 3 or 4 dimensions.")
    return image


def by_rank(image: Any, single: Callable[[], Any], batch: Callable[[], Any]) -> Any:
    """What is done to one image, or to a batch of them; where only a run knows the rank, that run decides."""
    if image.dims is None:
        return cond(equal(rank(image), 3), single, batch)
    return single() if len(image.dims) == 3 else batch()


def as_batch(image: TensorLike) -> tuple[Any, bool]:
    """An image as a batch of one, and whether it was a batch already; an unknown rank counts as one image."""
    image = convert_to_tensor(image, name="image")
    if image.dims is not None and len(image.dims) == 4:
        return image, True
    if image.dims is not None and len(image.dims) != 3:
        raise ValueError(f"'image' (shape {show(image.dims)}) must have either 3 or 4 dimensions.")
    images = expand_dims(image, 0)
    return (images if image.dims is not None else ensure_shape(images, [None] * 4)), False


def undo_batch(images: Any, is_batch: bool) -> Tensor:
    """The undoing of `as_batch`."""
    return images if is_batch else squeeze(images, [0])


def sizes(images: Any, rank: int = 4) -> list[Any]:
    """The sizes of a tensor, each an int where it is known, else a scalar tensor."""
    dims = images.dims if images.dims is not None else (None,) * rank
    if len(dims) != rank:
        raise ValueError(f"images must have {rank} dimensions, not {show(dims)}")
    if None not in dims:
        return list(dims)
    found = shape_of(images)
    return [found[i] if n is None else n for i, n in enumerate(dims)]


def static_value(value: TensorLike) -> Any:
    """A number as Python's where it is known, else the tensor."""
    if not is_tensor_like(value):
        return value
    constant = convert_to_tensor(value).constant
    return constant.item() if is_known(constant) and constant.size == 1 else value


def require_whole(*sizes: Any) -> None:
    """Refuse sizes that are Python's floats."""
    for size in sizes:
        if isinstance(size, float):
            raise TypeError(f"Cannot convert {size!r} to EagerTensor of dtype int32: a size is a whole number")


def require(condition: TensorLike, message: str) -> list[Any]:
    """Refuse what does not hold: at once with a ValueError, or when it runs, where `condition` is a tensor."""
    if is_tensor_like(condition):
        return [Assert(condition, [message])]
    if not condition:
        raise ValueError(message)
    return []


def set_sizes(tensor: Any, *dims: Any) -> Tensor:
    """`tensor`, told those of its sizes that are ints."""
    if not hasattr(tensor, "numpy"):
        tensor.set_shape([n if isinstance(n, int) else None for n in dims])
    return tensor


def choose_larger(x: Any, y: Any) -> Any:
    """The larger of two sizes, each an int or a tensor."""
    return maximum(x, y) if is_tensor_like(x) or is_tensor_like(y) else max(x, y)


def choose_smaller(x: Any, y: Any) -> Any:
    """The smaller of two sizes, each an int or a tensor."""
    return minimum(x, y) if is_tensor_like(x) or is_tensor_like(y) else min(x, y)


def size_vector(size: IntLike) -> Tensor:
    """Height and width as an int32 vector."""
    try:
        found = convert_to_tensor(size, int32, name="size")
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if found.dims is not None and (len(found.dims) != 1 or found.dims[0] not in (2, None)):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    return found
