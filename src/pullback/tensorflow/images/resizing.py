"""`tf.image.resize` and its like: images taken to another size by a method that is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import float32, int32
from ...base.export import export
from ...control.functional import map_fn
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.context import scope
from ...ir.op import is_known
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.array.basic import shape_of
from ...ops.array.join import stack
from ...ops.array.shape import expand_dims
from ...ops.effects.asserts import wait_for
from ...ops.math.arithmetic import floor, maximum, minimum, round as _round
from ...ops.primitives.cast import cast
from .checks import as_batch, require, require_whole, size_vector, sizes, static_value, to_image, undo_batch
from .geometry import pad_to_bounding_box
from .resize import RESIZE_AREA, RESIZE_BICUBIC, RESIZE_BILINEAR, RESIZE_NEAREST, SCALE_AND_TRANSLATE

Resizer = Callable[[Any, Any], Any]


@export(v2="image.ResizeMethod")
class ResizeMethod:
    """The names of the methods of `tf.image.resize`.

    >>> ResizeMethod.BICUBIC
    'bicubic'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@export(v1="image.ResizeMethod")
class ResizeMethodV1:
    """TensorFlow 1's numbers of its methods.

    >>> ResizeMethodV1.BICUBIC
    2
    """

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_SCALED = ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def _resizer(method: Any, antialias: bool) -> Resizer:
    kernel = method if method in _SCALED else {"bilinear": "triangle", "bicubic": "keyscubic"}.get(method) if antialias else None
    if kernel is not None:

        def resize_by_kernel(images: Any, size: Any) -> Any:
            scale = cast(size, float32) / cast(convert_to_tensor(shape_of(images)[1:3]), float32)
            return SCALE_AND_TRANSLATE(images, size, scale, [0.0, 0.0], kernel_type=kernel, antialias=antialias)

        return resize_by_kernel
    if method == "bilinear":
        return lambda images, size: RESIZE_BILINEAR(images, size, half_pixel_centers=True)
    if method == "nearest":
        return lambda images, size: RESIZE_NEAREST(images, size, half_pixel_centers=True)
    if method == "bicubic":
        return lambda images, size: RESIZE_BICUBIC(images, size, half_pixel_centers=True)
    if method == "area":
        return RESIZE_AREA
    raise ValueError(f"Resize method is not implemented: {method}")


def _resizer_v1(method: Any, align_corners: bool) -> Resizer:
    ops = (RESIZE_BILINEAR, RESIZE_NEAREST, RESIZE_BICUBIC, RESIZE_AREA)
    for number, (op, word) in enumerate(zip(ops, ("bilinear", "nearest", "bicubic", "area"), strict=True)):
        if method in (number, word):
            return lambda images, size: op(images, size, align_corners=align_corners)
    raise ValueError(f"Resize method is not implemented: {method}")


def _resize(images: Any, size: Any, resizer: Resizer, preserve_aspect_ratio: bool, name: str | None, skip_same: bool) -> Tensor:
    with scope(name, "resize"):
        images = convert_to_tensor(images, name="images")
        if images.dims is None:
            raise ValueError("'images' contains no shape.")
        if len(images.dims) not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        is_batch = len(images.dims) == 4
        images = images if is_batch else expand_dims(images, 0)
        size = size_vector(size)
        _, height, width, _ = sizes(images)
        if preserve_aspect_ratio:
            size = _fit_proportions(size, height, width)
        same = skip_same and is_known(wanted := size.constant) and wanted.tolist() == [height, width]
        if not same:
            images = resizer(images, size)
        return undo_batch(images, is_batch)


def _fit_proportions(size: Any, height: Any, width: Any) -> Any:
    """The largest size within `size` with the proportions of an image."""
    known = [static_value(size[0]), static_value(size[1])]
    if all(isinstance(n, int) for n in (*known, height, width)):
        own = np.array([height, width], np.float32)
        return convert_to_tensor(np.rint((np.array(known, np.float32) / own).min() * own).astype(np.int32))
    sides = [cast(n, float32) for n in (height, width)]
    factor = minimum(cast(size[0], float32) / sides[0], cast(size[1], float32) / sides[1])
    return stack([cast(_round(factor * side), int32) for side in sides])


def _resize_each(images: Any, is_nearest: bool, resized: Callable[[Any], Any]) -> Any:
    """`resized` of images: of one batch, or of each image of a ragged one."""
    if not isinstance(images, CompositeTensor):
        return resized(images)
    kind = images.dtype if is_nearest else float32  # type: ignore[attr-defined]  # a ragged tensor
    return map_fn(lambda image: resized(_to_whole(image)), images, kind)


def _to_whole(image: Any) -> Any:
    return image.to_tensor() if isinstance(image, CompositeTensor) else image  # type: ignore[attr-defined]  # a ragged tensor


@export(v2="image.resize")
def resize(
    images: TensorLike,
    size: IntLike,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images of another size.

    images: [height, width, channels] or [batch, height, width, channels], any real dtype, or a ragged batch of images of several sizes.
    size: [2], int32: new height and width.  method: a name of `ResizeMethod`.  preserve_aspect_ratio: take the largest size within `size`
    that keeps the proportions.  antialias: when images become smaller, let each pixel be of all that it covers (bilinear, bicubic and the
    methods with names of kernels; "area" does).
    Returns float32, and with "nearest" the dtype of the images.  Differentiable by all methods.  Raises ValueError for other ranks, sizes
    and methods, InvalidArgumentError for sizes that are not positive.

    >>> tf.image.resize([[[1.0], [3.0]]], [1, 4]).numpy().ravel().tolist()
    [1.0, 1.5, 2.5, 3.0]
    """
    resizer = _resizer(method, antialias)
    resized = partial(_resize, size=size, resizer=resizer, preserve_aspect_ratio=preserve_aspect_ratio, name=name, skip_same=False)
    return _resize_each(images, method == ResizeMethod.NEAREST_NEIGHBOR, resized)


@export(v1=("image.resize", "image.resize_images"))
def resize_v1(
    images: TensorLike,
    size: IntLike,
    method: object = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """TensorFlow 1's `resize`: pixels are points at whole coordinates, and with align_corners the corners stay where they are.

    >>> tf1.image.resize(tf1.zeros([1, 4, 4, 3]), [2, 2], tf1.image.ResizeMethod.BICUBIC).shape.as_list()
    [1, 2, 2, 3]
    """
    resizer = _resizer_v1(method, align_corners)
    resized = partial(_resize, size=size, resizer=resizer, preserve_aspect_ratio=preserve_aspect_ratio, name=name, skip_same=True)
    return _resize_each(images, method == ResizeMethodV1.NEAREST_NEIGHBOR, resized)


def _resize_with_pad(image: Any, target_height: Any, target_width: Any, resize: Resizer) -> Any:
    with scope(None, "resize_image_with_pad"):
        images, is_batch = as_batch(image)
        to_image(images)
        high, wide = static_value(target_height), static_value(target_width)
        checks = [*require(wide > 0, "target_width must be > 0."), *require(high > 0, "target_height must be > 0.")]
        images = wait_for(checks, images)
        require_whole(high, wide)
        _, height, width, _ = sizes(images)
        if all(isinstance(n, int) for n in (height, width, high, wide)):
            size, margins = _fit_frame(np.array([height, width], np.float32), np.array([high, wide], np.float32))
        else:
            size, margins = _fit_at_run_time([cast(n, float32) for n in (height, width)], [cast(n, float32) for n in (high, wide)])
        return undo_batch(pad_to_bounding_box(resize(images, size), margins[0], margins[1], high, wide), is_batch)


def _fit_frame(old: np.ndarray[Any, Any], new: np.ndarray[Any, Any]) -> tuple[Any, list[int]]:
    """The size that an image gets inside a frame, and the margins above and to the left."""
    fitted = old / (old / new).max()
    return np.floor(fitted).astype(np.int32), [max(0, int(n)) for n in np.floor((new - fitted) / 2)]


def _fit_at_run_time(old: list[Any], new: list[Any]) -> tuple[Any, list[Any]]:
    """`_fit_frame` of sizes that are tensors."""
    ratio = maximum(old[1] / new[1], old[0] / new[0])
    size = stack([cast(floor(n / ratio), int32) for n in old])
    return size, [maximum(0, cast(floor((m - n / ratio) / 2.0), int32)) for n, m in zip(old, new, strict=True)]


@export(v2="image.resize_with_pad")
def resize_with_pad(
    image: TensorLike, target_height: IntLike, target_width: IntLike, method: str = ResizeMethod.BILINEAR, antialias: bool = False
) -> Tensor:
    """An image, or each of a batch, resized in proportion until it fits, with zeros on the two sides that are left.

    image: [height, width, channels] or [batch, height, width, channels].  target_height, target_width: integers or int32 scalars.  method,
    antialias: as in `resize`.  Raises as `resize`.

    >>> tf.image.resize_with_pad(tf.ones([2, 4, 1]), 4, 4).numpy()[:, 0, 0].tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    return _resize_with_pad(image, target_height, target_width, _resizer(method, antialias))


@export(v1="image.resize_image_with_pad")
def resize_with_pad_v1(
    image: TensorLike, target_height: IntLike, target_width: IntLike, method: object = ResizeMethodV1.BILINEAR, align_corners: bool = False
) -> Tensor:
    """TensorFlow 1's `resize_with_pad`.

    >>> tf1.image.resize_image_with_pad(tf1.ones([2, 4, 1]), 4, 4).shape.as_list()
    [4, 4, 1]
    """
    return _resize_with_pad(image, target_height, target_width, lambda images, size: resize_v1(images, size, method, align_corners))


def _define_direct(op: Any) -> Callable[..., Any]:
    def function(images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False) -> Any:
        options = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
        return op(images, size, name=name, **options)

    return function


resize_bilinear, resize_bicubic, resize_nearest_neighbor = (_define_direct(op) for op in (RESIZE_BILINEAR, RESIZE_BICUBIC, RESIZE_NEAREST))
export(v1="image.resize_bicubic")(resize_bicubic)
export(v1="image.resize_bilinear")(resize_bilinear)
export(v1="image.resize_nearest_neighbor")(resize_nearest_neighbor)
for _function, _word in ((resize_bilinear, "bilinear"), (resize_bicubic, "bicubic"), (resize_nearest_neighbor, "nearest_neighbor")):
    _function.__name__ = _function.__qualname__ = f"resize_{_word}"
    _function.__doc__ = f"""TensorFlow 1's `resize_{_word}`: a batch of images of another size.

    images: [batch, height, width, channels].  size: [2], int32.  align_corners: the corners stay where they are.  half_pixel_centers:
    pixels are squares around half coordinates.  Raises InvalidArgumentError for other shapes.

    >>> tf1.image.resize_{_word}(tf1.zeros([1, 4, 4, 3]), [2, 2]).shape.as_list()
    [1, 2, 2, 3]
    """


@export(v1="image.resize_area")
def resize_area(images: TensorLike, size: IntLike, align_corners: bool = False, name: str | None = None) -> Tensor:
    """TensorFlow 1's `resize_area`: each pixel the mean of what it covers.

    images: [batch, height, width, channels].  size: [2], int32.  Differentiable, which TensorFlow's is not.

    >>> tf1.image.resize_area(tf1.zeros([1, 4, 4, 3]), [2, 2]).shape.as_list()
    [1, 2, 2, 3]
    """
    return RESIZE_AREA(images, size, align_corners=align_corners, name=name)
