"""The names of `tf.compat.v1.image`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.image_adjust import (
        adjust_brightness,
        adjust_contrast,
        adjust_gamma,
        adjust_hue,
        adjust_saturation,
        convert_image_dtype,
        grayscale_to_rgb,
        per_image_standardization,
        rgb_to_grayscale,
        rgb_to_yiq,
        rgb_to_yuv,
        yiq_to_rgb,
        yuv_to_rgb,
    )
    from ...nn.image_coding import (
        adjust_jpeg_quality,
        decode_and_crop_jpeg,
        decode_bmp,
        decode_gif,
        decode_image,
        decode_jpeg,
        decode_jxl,
        decode_png,
        decode_webp,
        encode_jpeg,
        encode_png,
        extract_jpeg_shape,
        is_jpeg,
    )
    from ...nn.image_geometry import (
        central_crop,
        crop_to_bounding_box,
        flip_left_right,
        flip_up_down,
        pad_to_bounding_box,
        resize_with_crop_or_pad,
        rot90,
        transpose,
    )
    from ...nn.image_geometry import resize_with_crop_or_pad as resize_image_with_crop_or_pad
    from ...nn.image_geometry import transpose as transpose_image
    from ...nn.image_quality import image_gradients, psnr, sobel_edges, ssim, ssim_multiscale, total_variation
    from ...nn.image_random import (
        random_brightness,
        random_contrast,
        random_crop,
        random_flip_left_right,
        random_flip_up_down,
        random_hue,
        random_jpeg_quality,
        random_saturation,
    )
    from ...nn.image_random import sample_distorted_bounding_box_v1 as sample_distorted_bounding_box
    from ...nn.image_resizing import ResizeMethodV1 as ResizeMethod
    from ...nn.image_resizing import resize_area, resize_bicubic, resize_bilinear, resize_nearest_neighbor
    from ...nn.image_resizing import resize_v1 as resize
    from ...nn.image_resizing import resize_v1 as resize_images
    from ...nn.image_resizing import resize_with_pad_v1 as resize_image_with_pad
    from ...nn.image_selection import (
        combined_non_max_suppression,
        non_max_suppression,
        non_max_suppression_overlaps,
        non_max_suppression_padded,
        non_max_suppression_with_scores,
    )
    from ...ops.image.colour import hsv_to_rgb, rgb_to_hsv
    from ...ops.image.proposals import generate_bounding_box_proposals
    from ...ops.windows.patches import extract_patches
    from ..legacy.image import crop_and_resize, draw_bounding_boxes, extract_glimpse, extract_image_patches

__all__ = [
    "ResizeMethod",
    "adjust_brightness",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_jpeg_quality",
    "adjust_saturation",
    "central_crop",
    "combined_non_max_suppression",
    "convert_image_dtype",
    "crop_and_resize",
    "crop_to_bounding_box",
    "decode_and_crop_jpeg",
    "decode_bmp",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_jxl",
    "decode_png",
    "decode_webp",
    "draw_bounding_boxes",
    "encode_jpeg",
    "encode_png",
    "extract_glimpse",
    "extract_image_patches",
    "extract_jpeg_shape",
    "extract_patches",
    "flip_left_right",
    "flip_up_down",
    "generate_bounding_box_proposals",
    "grayscale_to_rgb",
    "hsv_to_rgb",
    "image_gradients",
    "is_jpeg",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "pad_to_bounding_box",
    "per_image_standardization",
    "psnr",
    "random_brightness",
    "random_contrast",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "random_hue",
    "random_jpeg_quality",
    "random_saturation",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_image_with_crop_or_pad",
    "resize_image_with_pad",
    "resize_images",
    "resize_nearest_neighbor",
    "resize_with_crop_or_pad",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "rot90",
    "sample_distorted_bounding_box",
    "sobel_edges",
    "ssim",
    "ssim_multiscale",
    "total_variation",
    "transpose",
    "transpose_image",
    "yiq_to_rgb",
    "yuv_to_rgb",
]

__getattr__ = _missing("tf1.image", __all__, __name__)
