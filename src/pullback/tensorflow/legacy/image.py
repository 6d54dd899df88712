"""TensorFlow 1's functions on images whose arguments differ."""

from __future__ import annotations

from typing import Any

from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from ...ops.windows.dilation import dilation2d as _dilation2d, erosion2d as _erosion2d
from ...ops.windows.patches import extract_patches
from ..images.crop import crop_and_resize as _crop_and_resize
from ..images.draw import GLIMPSE, draw_bounding_boxes as _draw_bounding_boxes


@export(v1="image.crop_and_resize")
def crop_and_resize(
    image: NumberLike,
    boxes: NumberLike,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: Any = None,
) -> Tensor:
    """`crop_and_resize`; box_indices is a later name of box_ind.

    >>> tf1.image.crop_and_resize(tf1.zeros([1, 4, 4, 3]), [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]).shape.as_list()
    [1, 2, 2, 3]
    """
    index = box_indices if box_ind is None else box_ind
    return _crop_and_resize(image, boxes, index, crop_size, method, extrapolation_value, name)


@export(v1="image.draw_bounding_boxes")
def draw_bounding_boxes(images: NumberLike, boxes: NumberLike, name: str | None = None, colors: TensorLike | None = None) -> Tensor:
    """`draw_bounding_boxes`, name before colors.

    >>> tf1.image.draw_bounding_boxes(tf1.zeros([1, 4, 4, 3]), [[[0.0, 0.0, 1.0, 1.0]]]).shape.as_list()
    [1, 4, 4, 3]
    """
    return _draw_bounding_boxes(images, boxes, colors, name)


@export(v1="image.extract_glimpse")
def extract_glimpse(
    input: NumberLike,
    size: IntLike,
    offsets: TensorLike | None,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: str | None = None,
) -> Tensor:
    """`extract_glimpse`, where half of the window is taken off the offset always; what lies beyond the image is uniform noise.

    >>> tf1.image.extract_glimpse(tf1.zeros([1, 4, 4, 3]), [2, 2], [[0.0, 0.0]]).shape.as_list()
    [1, 2, 2, 3]
    """
    options = {"centered": bool(centered), "normalized": bool(normalized), "uniform_noise": bool(uniform_noise), "noise": "uniform"}
    return GLIMPSE(input, size, offsets, name=name, **options)


@export(v1=("extract_image_patches", "image.extract_image_patches"))
def extract_image_patches(
    images: NumberLike,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Tensor:
    """`extract_patches`; sizes is a later name of ksizes.

    >>> tf1.extract_image_patches(tf1.zeros([1, 4, 4, 3]), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID").shape.as_list()
    [1, 2, 2, 12]
    """
    return extract_patches(images, resolve_renamed("sizes", sizes, "ksizes", ksizes), strides, rates, padding, name)


@export(v1="nn.dilation2d")
def dilation2d(
    input: NumberLike,
    filter: NumberLike | None = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: NumberLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """`dilation2d`; filters and dilations are later names of filter and rates.

    >>> tf1.nn.dilation2d(tf1.zeros([1, 4, 4, 1]), tf1.zeros([2, 2, 1]), [1] * 4, [1] * 4, "SAME").shape.as_list()
    [1, 4, 4, 1]
    """
    filters, dilations = resolve_renamed("filters", filters, "filter", filter), resolve_renamed("dilations", dilations, "rates", rates)
    return _dilation2d(input, filters, strides, padding, "NHWC", dilations, name)


@export(v1="nn.erosion2d")
def erosion2d(value: NumberLike, kernel: Any, strides: Any, rates: Any, padding: Any, name: str | None = None) -> Tensor:
    """`erosion2d`, without a data format.

    >>> tf1.nn.erosion2d(tf1.zeros([1, 4, 4, 1]), tf1.zeros([2, 2, 1]), [1] * 4, [1] * 4, "SAME").shape.as_list()
    [1, 4, 4, 1]
    """
    return _erosion2d(value, kernel, strides, padding, "NHWC", rates, name)
