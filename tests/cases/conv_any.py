"""Cases: `tf.conv`, of images and of volumes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .case import Case, ErrorCase, case, error, floats, ints

IMAGES, FILTERS = floats(2, 4, 5, 2), floats(3, 2, 2, 3, seed=1)
VOLUMES, CUBES = floats(1, 3, 4, 3, 2), floats(2, 2, 2, 2, 1, seed=1)
ONES, FIVE = [1, 1, 1, 1], [1, 1, 1, 1, 1]


def conv(*options: Any, **more: Any) -> Callable[..., Any]:
    return lambda tf, x, w: tf.conv(x, w, *options, **more)


CASES: list[Case] = [
    case("Conv2D", "conv, same", conv(ONES, "SAME"), IMAGES, FILTERS),
    case("Conv2D", "conv, strides", conv([1, 2, 1, 1], "VALID"), IMAGES, FILTERS),
    case("Conv2D", "conv, dilations", conv(ONES, "SAME", dilations=[1, 2, 2, 1]), IMAGES, FILTERS),
    case("Conv2D", "conv, explicit", conv(ONES, "EXPLICIT", explicit_paddings=[0, 0, 1, 0, 2, 1, 0, 0]), IMAGES, FILTERS),
    case("Conv2D", "conv, two batch axes", conv(ONES, "SAME", batch_dims=2), floats(2, 3, 4, 5, 2), FILTERS),
    case("Conv2D", "conv, no batch", conv(ONES, "VALID", batch_dims=0), floats(4, 5, 2), FILTERS),
    case("Conv2D", "conv, channels first", conv(ONES, "SAME", data_format="CHANNELS_FIRST"), floats(2, 2, 4, 5), FILTERS),
    case("Conv2D", "conv, groups", conv(ONES, "SAME", groups=2), floats(1, 3, 4, 4), floats(2, 2, 2, 4, seed=1), beyond=True),
    case("Conv2D", "conv, integers", conv(ONES, "SAME"), ints(1, 4, 4, 2), ints(2, 2, 2, 1, seed=1), smooth=False),
    case("Conv2D", "conv, float64, empty", conv(ONES, "SAME"), floats(0, 4, 5, 2, dtype="float64"), floats(3, 2, 2, 3, dtype="float64")),
    case("Conv3D", "conv, same", conv(FIVE, "SAME"), VOLUMES, CUBES),
    case("Conv3D", "conv, two batch axes, strides", conv([1, 2, 1, 1, 1], "VALID", batch_dims=2), floats(1, 2, 3, 4, 3, 2), CUBES),
    case("Conv3D", "conv, integers", conv(FIVE, "SAME"), ints(1, 3, 3, 3, 1), ints(2, 2, 2, 1, 1, seed=1), smooth=False),
]

ERRORS: list[ErrorCase] = [
    error("conv: one axis of space", conv([1, 1, 1], "SAME"), floats(2, 4, 2), floats(3, 2, 2)),
    error("conv: too many batch axes", conv(ONES, "SAME", batch_dims=2), IMAGES, FILTERS),
    error("conv: other channels", conv(ONES, "SAME"), IMAGES, floats(3, 2, 3, 3)),
    error("conv: few strides", conv([1, 1], "SAME"), IMAGES, FILTERS),
    error("conv: strides of a batch", conv([2, 1, 1, 1], "SAME"), IMAGES, FILTERS),
    error("conv: padding", conv(ONES, "FULL"), IMAGES, FILTERS),
    error("conv: layout", conv(ONES, "SAME", data_format="NHWC"), IMAGES, FILTERS),
    error("conv: nothing explicit", conv(ONES, "EXPLICIT"), IMAGES, FILTERS),
    error("conv: explicit for the same", conv(ONES, "SAME", explicit_paddings=[0, 0, 1, 0, 2, 1, 0, 0]), IMAGES, FILTERS),
    error("conv: dtypes", conv(ONES, "SAME"), IMAGES, floats(3, 2, 2, 3, dtype="float64")),
]
