"""The names of `tf.compat.v1.image`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import image as _image

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.image_geometry import resize_with_crop_or_pad as resize_image_with_crop_or_pad
    from ...nn.image_geometry import transpose as transpose_image
    from ...nn.image_random import sample_distorted_bounding_box_v1 as sample_distorted_bounding_box
    from ...nn.image_resizing import ResizeMethodV1 as ResizeMethod
    from ...nn.image_resizing import resize_area, resize_bicubic, resize_bilinear, resize_nearest_neighbor
    from ...nn.image_resizing import resize_v1 as resize
    from ...nn.image_resizing import resize_v1 as resize_images
    from ...nn.image_resizing import resize_with_pad_v1 as resize_image_with_pad
    from ..common.image import *
    from ..legacy.image import crop_and_resize, draw_bounding_boxes, extract_glimpse, extract_image_patches

__all__ = [
    "ResizeMethod",
    "crop_and_resize",
    "draw_bounding_boxes",
    "extract_glimpse",
    "extract_image_patches",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_image_with_crop_or_pad",
    "resize_image_with_pad",
    "resize_images",
    "resize_nearest_neighbor",
    "sample_distorted_bounding_box",
    "transpose_image",
]
__all__ += _image.__all__

__getattr__ = _missing("tf1.image", __all__, __name__)
