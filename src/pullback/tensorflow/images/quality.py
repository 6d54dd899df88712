"""How alike two images are, and how much one changes from pixel to pixel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor, tensor_with
from ...ir.attributes import refused_value
from ...ir.context import scope
from ...ir.tensor import NumberLike, Tensor
from ...ops.array.basic import fill, reshape, shape_of
from ...ops.array.join import concat, stack
from ...ops.array.pad import pad
from ...ops.array.shape import shape_n
from ...ops.effects.asserts import wait_for
from ...ops.math.arithmetic import maximum, square, squared_difference
from ...ops.math.functions import log
from ...ops.math.magnitude import abs as _abs
from ...ops.math.power import pow
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater_equal
from ...ops.reduce.reductions import reduce_all, reduce_mean, reduce_prod, reduce_sum
from ...ops.windows.conv import DEPTHWISE
from ...ops.windows.pool import AVG_POOL
from .adjust import convert_image_dtype
from .checks import require, static_value

MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def _pair(a: Any, b: Any) -> tuple[Any, Any]:
    """Two images, or batches of them, whose last three sizes agree and whose others broadcast."""
    a, b = convert_to_tensor(a, name="img1"), convert_to_tensor(b, name="img2")
    for image in (a, b):
        if image.dims is not None and len(image.dims) < 3:
            raise ValueError(f"Shape {show(image.dims)} must have rank at least 3")
    if a.dtype is not b.dtype:
        shape_n([a, b])  # for the error
    checks = []
    if a.dims is None or b.dims is None or None in a.dims[-3:] or None in b.dims[-3:]:
        tails = [convert_to_tensor(shape_of(image))[-3:] for image in (a, b)]
        checks = require(reduce_all(equal(tails[0], tails[1])), "images must have the same height, width and channels")
    elif a.dims[-3:] != b.dims[-3:]:
        raise ValueError(f"Shapes {show(a.dims[-3:])} and {show(b.dims[-3:])} are incompatible")
    if a.dims is not None and b.dims is not None:
        for m, n in zip(reversed(a.dims[:-3]), reversed(b.dims[:-3]), strict=False):
            if m is not None and n is not None and m != n and 1 not in (m, n):
                raise ValueError(f"Two images are not compatible: {show(a.dims)} and {show(b.dims)}")
    return wait_for(checks, a), b


def _as_floats(a: Any, b: Any, max_val: Any) -> tuple[Any, Any, Any]:
    a, b = _pair(a, b)
    most = convert_image_dtype(cast(max_val, a.dtype), float32)
    return convert_image_dtype(a, float32), convert_image_dtype(b, float32), most


@export("image.psnr")
def psnr(a: NumberLike, b: NumberLike, max_val: NumberLike, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio of two images in decibels: 20 log10(max_val) - 10 log10(mean squared difference).

    a, b: [..., height, width, channels].  max_val: the greatest value there may be, in the dtype of `a`.  Returns [...], float32.  Raises
    ValueError for sizes that differ.

    >>> tf.image.psnr(tf.zeros([2, 2, 1]), tf.fill([2, 2, 1], 0.1), 1.0).numpy().round(3).item()
    20.0
    """
    with scope(name, "PSNR"):
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        most = convert_image_dtype(cast(max_val, a.dtype), float32)
        a, b = _pair(convert_image_dtype(a, float32), convert_image_dtype(b, float32))
        error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
        return 20.0 * log(most) / np.float32(np.log(10.0)) - np.float32(10 / np.log(10)) * log(error)


def _bell(size: int, sigma: float) -> np.ndarray[Any, Any]:
    """Gaussian weights of a square window, which sum to 1."""
    at = np.arange(size, dtype=np.float32) - np.float32((size - 1) / 2.0)
    line = np.square(at) * np.float32(-0.5 / sigma**2)
    weights = np.exp(line[None, :] + line[:, None])
    bell: np.ndarray[Any, Any] = (weights / weights.sum()).astype(np.float32)
    return bell


def _average_windows(x: Any, window: np.ndarray[Any, Any]) -> Tensor:
    """The weighted means of all windows of images [..., height, width, channels]."""
    shape = convert_to_tensor(shape_of(x))
    flat = reshape(x, concat([[-1], shape[-3:]], 0))
    weights = reshape(window, [*window.shape, 1, 1]) * fill(stack([1, 1, shape[-1], 1]), np.float32(1))
    found = DEPTHWISE(flat, weights, strides=[1, 1, 1, 1], padding="VALID")
    return reshape(found, concat([shape[:-3], convert_to_tensor(shape_of(found))[1:]], 0))


def _compare_by_channel(a: Any, b: Any, most: Any, filter_size: int, filter_sigma: float, k1: float, k2: float) -> tuple[Any, Any]:
    """Luminance times contrast and structure, and the latter two alone, at every window and channel."""
    checks = []
    for image in (a, b):
        shape = convert_to_tensor(shape_of(image))
        for side in (static_value(shape[-3]), static_value(shape[-2])):
            checks += require(greater_equal(side, filter_size) if not isinstance(side, int) else True, "images are smaller than the window")
            if isinstance(side, int) and side < filter_size:
                raise refused_value(f"images {show(image.dims)} are smaller than the window, filter_size={filter_size}")
    if filter_size < 1:
        raise refused_value(f"Requires start <= limit when delta > 0: filter_size must be positive, got {filter_size}")
    a = wait_for(checks, a)
    window = _bell(filter_size, filter_sigma)
    c1, c2 = square(k1 * most), square(k2 * most)
    mean_a, mean_b = _average_windows(a, window), _average_windows(b, window)
    both = mean_a * mean_b * 2.0
    squares = square(mean_a) + square(mean_b)
    luminance = (both + c1) / (squares + c1)
    structure = (_average_windows(a * b, window) * 2.0 - both + c2) / (_average_windows(square(a) + square(b), window) - squares + c2)
    return luminance * structure, structure


def _whole_size(size: Any) -> int:
    if isinstance(size, (float, str)) or (isinstance(size, Tensor) and not size.dtype.is_integer):
        raise TypeError(f"Cannot convert {size!r} to EagerTensor of dtype int32: the size of a window is a whole number")
    return int(size)


@export("image.ssim")
def ssim(
    img1: NumberLike,
    img2: NumberLike,
    max_val: NumberLike,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """The structural similarity of two images, 1 where they are the same (Wang et al., 2004).

    img1, img2: [..., height, width, channels], of one dtype, at least as large as the window.  max_val: the greatest value there may be.
    filter_size, filter_sigma: the Gaussian window.  k1, k2: what keeps divisors from 0.  return_index_map: the map over windows instead of
    its mean.  Returns [...], or [..., out height, out width], float32.  Raises ValueError for sizes that differ, InvalidArgumentError for
    images smaller than the window.

    >>> image = tf.reshape(tf.range(144.0) / 144.0, [12, 12, 1])
    >>> tf.image.ssim(image, image, 1.0).numpy().round(4).item()
    1.0
    """
    with scope(None, "SSIM"):
        a, b, most = _as_floats(img1, img2, max_val)
        found, _ = _compare_by_channel(a, b, most, _whole_size(filter_size), float(filter_sigma), k1, k2)
        return reduce_mean(found if return_index_map else reduce_mean(found, [-3, -2]), [-1])


@export("image.ssim_multiscale")
def ssim_multiscale(
    img1: NumberLike,
    img2: NumberLike,
    max_val: NumberLike,
    power_factors: Any = MSSSIM_WEIGHTS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity of two images at several scales, each half the one before (Wang et al., 2003).

    img1, img2: [..., height, width, channels] with known rank, of one dtype, large enough for the window at the last scale.
    power_factors: the power of each scale.  The others: as in `ssim`.  Returns [...], float32.  Raises as `ssim`.

    >>> image = tf.reshape(tf.range(1024.0) / 1024.0, [32, 32, 1])
    >>> tf.image.ssim_multiscale(image, image, 1.0, power_factors=(0.5, 0.5)).numpy().round(4).item()
    1.0
    """
    with scope(None, "MS-SSIM"):
        a, b, most = _as_floats(img1, img2, max_val)
        scales = []
        whole = None
        for k in range(len(power_factors)):
            if k:
                a, b = _halve_images(a), _halve_images(b)
            size, sigma = _whole_size(filter_size), float(filter_sigma)
            whole, structure = (reduce_mean(t, [-3, -2]) for t in _compare_by_channel(a, b, most, size, sigma, k1, k2))
            scales.append(maximum(structure, 0.0))
        scales[-1] = maximum(whole, 0.0)
        powers = convert_to_tensor(power_factors, float32)
        return reduce_mean(reduce_prod(pow(stack(scales, axis=-1), powers), [-1]), [-1])


def _halve_images(x: Any) -> Tensor:
    """Images of half the size: means of blocks of two by two, odd sizes repeating their last line."""
    shape = convert_to_tensor(shape_of(x))
    flat = reshape(x, concat([[-1], shape[-3:]], 0))
    margins = [stack([0, static_value(shape[at]) % 2]) for at in (-3, -2)]
    flat = pad(flat, stack([stack([0, 0]), *margins, stack([0, 0])]), "SYMMETRIC")
    found = AVG_POOL(flat, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    return reshape(found, concat([shape[:-3], convert_to_tensor(shape_of(found))[1:]], 0))


@export("image.total_variation")
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels.

    images: [height, width, channels] or [batch, height, width, channels].  Returns a scalar, or [batch].  Raises ValueError for another
    rank.

    >>> tf.image.total_variation([[[1.0], [3.0]], [[1.0], [0.0]]]).numpy().item()
    6.0
    """
    with scope(name, "total_variation"):
        images = tensor_with(images, "get_shape", "images")
        if images.dims is None or len(images.dims) not in (3, 4):
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        down = images[..., 1:, :, :] - images[..., :-1, :, :]
        across = images[..., 1:, :] - images[..., :-1, :]
        return reduce_sum(_abs(down), [-3, -2, -1]) + reduce_sum(_abs(across), [-3, -2, -1])


@export("image.image_gradients")
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """The differences of each pixel to the one below and the one to the right, 0 at the ends: (dy, dx).

    image: [batch, height, width, channels].  Raises ValueError for another rank.

    >>> dy, dx = tf.image.image_gradients(tf.reshape(tf.range(4.0), [1, 2, 2, 1]))
    >>> dy.numpy().ravel().tolist(), dx.numpy().ravel().tolist()
    ([2.0, 2.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0])
    """
    image = tensor_with(image, "get_shape", "image")
    if image.dims is None or len(image.dims) != 4:
        raise ValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {show(image.dims)}.")
    dy = pad(image[:, 1:] - image[:, :-1], [[0, 0], [0, 1], [0, 0], [0, 0]])
    dx = pad(image[:, :, 1:] - image[:, :, :-1], [[0, 0], [0, 0], [0, 1], [0, 0]])
    return dy, dx


_SOBEL = np.array([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]]).transpose(1, 2, 0)


@export("image.sobel_edges")
def sobel_edges(image: Any) -> Tensor:
    """Sobel's edges: smoothed differences downwards and to the right, side by side in a new last axis.

    image: [batch, height, width, channels], floating.  Returns [batch, height, width, channels, 2].  Raises ValueError for another rank.

    >>> tf.image.sobel_edges(tf.reshape(tf.range(9.0), [1, 3, 3, 1])).numpy()[0, 1, 1, 0].tolist()
    [24.0, 8.0]
    """
    image = tensor_with(image, "get_shape", "image")
    if image.dims is not None and len(image.dims) != 4:
        raise ValueError(f"sobel_edges expects a 4D tensor [batch_size, h, w, d], not {show(image.dims)}.")
    shape = convert_to_tensor(shape_of(image))
    window = _SOBEL[:, :, None, :].astype(image.dtype.numpy_dtype)
    weights = window * fill(stack([1, 1, shape[-1], 1]), np.ones((), image.dtype.numpy_dtype))
    found = DEPTHWISE(pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), weights, strides=[1, 1, 1, 1], padding="VALID")
    return reshape(found, concat([shape, [2]], 0))
