"""The names of `tf.image`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import image as _image

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.image_random import (
        sample_distorted_bounding_box,
        stateless_random_brightness,
        stateless_random_contrast,
        stateless_random_crop,
        stateless_random_flip_left_right,
        stateless_random_flip_up_down,
        stateless_random_hue,
        stateless_random_jpeg_quality,
        stateless_random_saturation,
    )
    from ...nn.image_resizing import ResizeMethod, resize, resize_with_pad
    from ...ops.image.crop import crop_and_resize
    from ...ops.image.distort import stateless_sample_distorted_bounding_box
    from ...ops.image.draw import draw_bounding_boxes, extract_glimpse
    from ..common.image import *

__all__ = [
    "ResizeMethod",
    "crop_and_resize",
    "draw_bounding_boxes",
    "extract_glimpse",
    "resize",
    "resize_with_pad",
    "sample_distorted_bounding_box",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "stateless_random_hue",
    "stateless_random_jpeg_quality",
    "stateless_random_saturation",
    "stateless_sample_distorted_bounding_box",
]
__all__ += _image.__all__

__getattr__ = _missing("tf.image", __all__, __name__)
