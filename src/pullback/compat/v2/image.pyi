"""The names of `pullback.compat.v2.image`, written by docs/make_exports.py."""

from pullback.ops.windows.patches import extract_patches as extract_patches
from pullback.tensorflow.images.adjust import adjust_brightness as adjust_brightness
from pullback.tensorflow.images.adjust import adjust_contrast as adjust_contrast
from pullback.tensorflow.images.adjust import adjust_gamma as adjust_gamma
from pullback.tensorflow.images.adjust import adjust_hue as adjust_hue
from pullback.tensorflow.images.adjust import adjust_saturation as adjust_saturation
from pullback.tensorflow.images.adjust import convert_image_dtype as convert_image_dtype
from pullback.tensorflow.images.adjust import grayscale_to_rgb as grayscale_to_rgb
from pullback.tensorflow.images.adjust import per_image_standardization as per_image_standardization
from pullback.tensorflow.images.adjust import rgb_to_grayscale as rgb_to_grayscale
from pullback.tensorflow.images.adjust import rgb_to_yiq as rgb_to_yiq
from pullback.tensorflow.images.adjust import rgb_to_yuv as rgb_to_yuv
from pullback.tensorflow.images.adjust import yiq_to_rgb as yiq_to_rgb
from pullback.tensorflow.images.adjust import yuv_to_rgb as yuv_to_rgb
from pullback.tensorflow.images.coding import adjust_jpeg_quality as adjust_jpeg_quality
from pullback.tensorflow.images.coding import decode_and_crop_jpeg as decode_and_crop_jpeg
from pullback.tensorflow.images.coding import decode_bmp as decode_bmp
from pullback.tensorflow.images.coding import decode_gif as decode_gif
from pullback.tensorflow.images.coding import decode_image as decode_image
from pullback.tensorflow.images.coding import decode_jpeg as decode_jpeg
from pullback.tensorflow.images.coding import decode_jxl as decode_jxl
from pullback.tensorflow.images.coding import decode_png as decode_png
from pullback.tensorflow.images.coding import decode_webp as decode_webp
from pullback.tensorflow.images.coding import encode_jpeg as encode_jpeg
from pullback.tensorflow.images.coding import encode_png as encode_png
from pullback.tensorflow.images.coding import extract_jpeg_shape as extract_jpeg_shape
from pullback.tensorflow.images.coding import is_jpeg as is_jpeg
from pullback.tensorflow.images.colour import hsv_to_rgb as hsv_to_rgb
from pullback.tensorflow.images.colour import rgb_to_hsv as rgb_to_hsv
from pullback.tensorflow.images.crop import crop_and_resize as crop_and_resize
from pullback.tensorflow.images.distort import stateless_sample_distorted_bounding_box as stateless_sample_distorted_bounding_box
from pullback.tensorflow.images.draw import draw_bounding_boxes as draw_bounding_boxes
from pullback.tensorflow.images.draw import extract_glimpse as extract_glimpse
from pullback.tensorflow.images.geometry import central_crop as central_crop
from pullback.tensorflow.images.geometry import crop_to_bounding_box as crop_to_bounding_box
from pullback.tensorflow.images.geometry import flip_left_right as flip_left_right
from pullback.tensorflow.images.geometry import flip_up_down as flip_up_down
from pullback.tensorflow.images.geometry import pad_to_bounding_box as pad_to_bounding_box
from pullback.tensorflow.images.geometry import resize_with_crop_or_pad as resize_with_crop_or_pad
from pullback.tensorflow.images.geometry import rot90 as rot90
from pullback.tensorflow.images.geometry import transpose as transpose
from pullback.tensorflow.images.proposals import generate_bounding_box_proposals as generate_bounding_box_proposals
from pullback.tensorflow.images.quality import image_gradients as image_gradients
from pullback.tensorflow.images.quality import psnr as psnr
from pullback.tensorflow.images.quality import sobel_edges as sobel_edges
from pullback.tensorflow.images.quality import ssim as ssim
from pullback.tensorflow.images.quality import ssim_multiscale as ssim_multiscale
from pullback.tensorflow.images.quality import total_variation as total_variation
from pullback.tensorflow.images.random import random_brightness as random_brightness
from pullback.tensorflow.images.random import random_contrast as random_contrast
from pullback.tensorflow.images.random import random_crop as random_crop
from pullback.tensorflow.images.random import random_flip_left_right as random_flip_left_right
from pullback.tensorflow.images.random import random_flip_up_down as random_flip_up_down
from pullback.tensorflow.images.random import random_hue as random_hue
from pullback.tensorflow.images.random import random_jpeg_quality as random_jpeg_quality
from pullback.tensorflow.images.random import random_saturation as random_saturation
from pullback.tensorflow.images.random import sample_distorted_bounding_box as sample_distorted_bounding_box
from pullback.tensorflow.images.random import stateless_random_brightness as stateless_random_brightness
from pullback.tensorflow.images.random import stateless_random_contrast as stateless_random_contrast
from pullback.tensorflow.images.random import stateless_random_crop as stateless_random_crop
from pullback.tensorflow.images.random import stateless_random_flip_left_right as stateless_random_flip_left_right
from pullback.tensorflow.images.random import stateless_random_flip_up_down as stateless_random_flip_up_down
from pullback.tensorflow.images.random import stateless_random_hue as stateless_random_hue
from pullback.tensorflow.images.random import stateless_random_jpeg_quality as stateless_random_jpeg_quality
from pullback.tensorflow.images.random import stateless_random_saturation as stateless_random_saturation
from pullback.tensorflow.images.resizing import ResizeMethod as ResizeMethod
from pullback.tensorflow.images.resizing import resize as resize
from pullback.tensorflow.images.resizing import resize_with_pad as resize_with_pad
from pullback.tensorflow.images.selection import combined_non_max_suppression as combined_non_max_suppression
from pullback.tensorflow.images.selection import non_max_suppression as non_max_suppression
from pullback.tensorflow.images.selection import non_max_suppression_overlaps as non_max_suppression_overlaps
from pullback.tensorflow.images.selection import non_max_suppression_padded as non_max_suppression_padded
from pullback.tensorflow.images.selection import non_max_suppression_with_scores as non_max_suppression_with_scores

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
    "resize_with_crop_or_pad",
    "resize_with_pad",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "rot90",
    "sample_distorted_bounding_box",
    "sobel_edges",
    "ssim",
    "ssim_multiscale",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "stateless_random_hue",
    "stateless_random_jpeg_quality",
    "stateless_random_saturation",
    "stateless_sample_distorted_bounding_box",
    "total_variation",
    "transpose",
    "yiq_to_rgb",
    "yuv_to_rgb",
]
