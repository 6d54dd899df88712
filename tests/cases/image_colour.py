"""Cases: colours, contrasts, dtypes of images, how alike images are, image files."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(2, 3, 4, 3, low=0.05, high=0.95)
EDGES = np.float32([[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.2], [0.2, 0.5, 0.5], [0, 0, 0.3], [1, 0, 1], [0.5, 0.2, 0.5], [0, 0.5, 0.5]])
BYTES = ints(3, 4, 3, high=256, dtype="uint8")


def value(f: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients, which TensorFlow has none of."""
    return lambda tf, *xs: f(tf, *(tf.stop_gradient(x) if x.dtype.is_floating else x for x in xs))


def plain(name: str, *args: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.image, name)(x, *args)


CASES: list[Case] = [
    case("RGBToHSV", "float32", plain("rgb_to_hsv"), X),
    case("RGBToHSV", "float64", plain("rgb_to_hsv"), X.astype(np.float64)),
    case("RGBToHSV", "float16", plain("rgb_to_hsv"), X.astype(np.float16), smooth=False, rtol=2e-2),  # halves
    case("RGBToHSV", "equal channels", plain("rgb_to_hsv"), EDGES, smooth=False),
    case("RGBToHSV", "one pixel", plain("rgb_to_hsv"), X[0, 0, 0]),
    case("RGBToHSV", "empty", plain("rgb_to_hsv"), floats(0, 3), smooth=False),
    case("HSVToRGB", "float32", value(plain("hsv_to_rgb")), X, smooth=False),
    case("HSVToRGB", "float64", value(plain("hsv_to_rgb")), X.astype(np.float64), smooth=False),
    case("HSVToRGB", "edges", value(plain("hsv_to_rgb")), EDGES, smooth=False),
    *(
        case(op, f"{d}, {factor}", value(plain(name, factor)), x, smooth=False)
        for op, name in (("AdjustHue", "adjust_hue"), ("AdjustSaturation", "adjust_saturation"), ("AdjustContrastv2", "adjust_contrast"))
        for factor in (0.0, 0.3, 0.9)
        for d, x in (("float32", X), ("uint8", BYTES))
    ),
    case("AdjustHue", "backwards", value(plain("adjust_hue", -0.7)), X, smooth=False),
    case("AdjustHue", "float64", value(plain("adjust_hue", 0.2)), X.astype(np.float64), smooth=False, rtol=2e-6),  # computed in float32
    case("AdjustSaturation", "more than there is", value(plain("adjust_saturation", 5.0)), X, smooth=False),
    case("AdjustContrastv2", "float16", value(plain("adjust_contrast", 2.0)), X.astype(np.float16), smooth=False),
    case("AdjustBrightness", "float32", lambda tf, x, d: tf.image.adjust_brightness(x, d), X, 0.3, smooth=False),  # in float32 always
    case("AdjustBrightness", "uint8", plain("adjust_brightness", 0.4), BYTES, smooth=False),
    case("AdjustBrightness", "float16", plain("adjust_brightness", 0.4), X.astype(np.float16), smooth=False),
    case("AdjustGamma", "float32", plain("adjust_gamma", 2.2, 1.5), X, smooth=False),
    case("AdjustGamma", "uint8", plain("adjust_gamma", 0.5), BYTES, smooth=False),
    case("PerImageStandardization", "batch", plain("per_image_standardization"), X),
    case("PerImageStandardization", "one value", plain("per_image_standardization"), np.full((3, 3, 1), 4.0, np.float32), smooth=False),
    case("PerImageStandardization", "uint8", plain("per_image_standardization"), BYTES, smooth=False),
    case("RGBToGrayscale", "float32", plain("rgb_to_grayscale"), X, smooth=False),
    case("RGBToGrayscale", "uint8", plain("rgb_to_grayscale"), BYTES, smooth=False),
    case("GrayscaleToRGB", "float32", plain("grayscale_to_rgb"), X[..., :1]),
    *(
        case("ColourSpace", f"{name}, {d}", plain(name), X.astype(d))
        for name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb")
        for d in ("float32", "float64")
    ),
    *(
        case(
            "ConvertImageDtype",
            f"{a} to {b}, saturate {s}",
            lambda tf, x, b=b, s=s: tf.image.convert_image_dtype(x, b, saturate=s),
            x,
            smooth=False,
        )
        for a, x in (
            ("uint8", BYTES),
            ("int16", ints(3, 4, low=-9000, high=32000, dtype="int16")),
            ("float32", X),
            ("int32", ints(3, 4, low=0, high=2**30)),
        )
        for b in ("uint8", "uint16", "float32", "float16", "int8")
        for s in (False, True)
        if not (a in ("float32", "int16") and not s)  # what does not fit is cut as the processor cuts it
    ),
]

A, B = floats(2, 12, 13, 2, low=0.0, high=1.0), floats(2, 12, 13, 2, low=0.0, high=1.0, seed=3)
LARGE, OTHER = floats(1, 33, 38, 1, low=0.0, high=1.0), floats(1, 33, 38, 1, low=0.0, high=1.0, seed=3)
NEAR = 0.7 * LARGE + 0.3 * OTHER
CASES += [
    case("Psnr", "float32", lambda tf, a, b: tf.image.psnr(a, b, 1.0), A, B),
    case("Psnr", "uint8", lambda tf, a, b: tf.image.psnr(a, b, 255), BYTES, BYTES[::-1].copy(), smooth=False),
    case("Ssim", "float32", lambda tf, a, b: tf.image.ssim(a, b, 1.0), A, B),
    case("Ssim", "one image", lambda tf, a, b: tf.image.ssim(a, b, 1.0, filter_size=5, filter_sigma=0.9, k1=0.02, k2=0.05), A[0], B[0]),
    case("Ssim", "map", lambda tf, a, b: tf.image.ssim(a, b, 1.0, filter_size=5, return_index_map=True), A[:1, :6, :6], B[:1, :6, :6]),
    case("Ssim", "broadcast", lambda tf, a, b: tf.image.ssim(a, b, 1.0, filter_size=5), A[:, :6, :6], B[:1, :6, :6]),
    case("SsimMultiscale", "two scales", lambda tf, a, b: tf.image.ssim_multiscale(a, b, 1.0, power_factors=(0.4, 0.6)), LARGE, NEAR),
    case(
        "SsimMultiscale",
        "three scales, odd sizes",
        lambda tf, a, b: tf.image.ssim_multiscale(a, b, 1.0, power_factors=(0.3, 0.3, 0.4), filter_size=3),
        LARGE[0, :13, :15],
        NEAR[0, :13, :15],
    ),
    case("TotalVariation", "batch", plain("total_variation"), X),
    case("TotalVariation", "one image", plain("total_variation"), X[0]),
    case("ImageGradients", "float32", plain("image_gradients"), X),
    case("ImageGradients", "int32", plain("image_gradients"), ints(1, 3, 4, 2), smooth=False),
    case("SobelEdges", "float32", plain("sobel_edges"), X),
    case("SobelEdges", "float64", plain("sobel_edges"), X.astype(np.float64)),
]

SMOOTH = np.add.outer(np.arange(16), np.arange(24))[:, :, None] * np.array([3, 2, 4])  # hardly any colour to lose
PICTURE = SMOOTH.astype(np.uint8)
WIDE = (ints(4, 5, 4, high=65536).astype(np.uint16), ints(4, 5, 1, high=65536).astype(np.uint16))


def through(encode: str, decode: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.image, decode)(getattr(tf.image, encode)(x), **options)


def about(f: Callable[..., Any]) -> Callable[..., Any]:
    """As floats: JPEG's decoders differ by a few levels."""
    return lambda tf, x: tf.cast(f(tf, x), tf.float32) / 255.0


CASES += [
    *(
        case("EncodePng", f"{n} channels", through("encode_png", "decode_png"), ints(5, 4, n, high=256, dtype="uint8"), smooth=False)
        for n in (1, 2, 3, 4)
    ),
    *(
        case(
            "EncodePng",
            f"16 bits, {x.shape[2]} channels",
            lambda tf, x: tf.image.decode_png(tf.image.encode_png(x), dtype=tf.uint16),
            x,
            smooth=False,
        )
        for x in WIDE
    ),
    case("DecodePng", "16 bits as 8", through("encode_png", "decode_png"), WIDE[0], smooth=False),
    case("DecodePng", "8 bits as 16", lambda tf, x: tf.image.decode_png(tf.image.encode_png(x), dtype=tf.uint16), PICTURE, smooth=False),
    case(
        "DecodePng",
        "without opacity",
        through("encode_png", "decode_png", channels=3),
        ints(5, 4, 4, high=256, dtype="uint8"),
        smooth=False,
    ),
    case(
        "DecodePng",
        "grey as colours",
        through("encode_png", "decode_png", channels=3),
        ints(5, 4, 1, high=256, dtype="uint8"),
        smooth=False,
    ),
    case("DecodePng", "with opacity", through("encode_png", "decode_png", channels=4), PICTURE, smooth=False),
    case("DecodeImage", "uint8", through("encode_png", "decode_image"), PICTURE, smooth=False),
    case("DecodeImage", "float32", lambda tf, x: tf.image.decode_image(tf.image.encode_png(x), dtype=tf.float32), PICTURE, smooth=False),
    case("DecodeImage", "uint16", lambda tf, x: tf.image.decode_image(tf.image.encode_png(x), dtype=tf.uint16), PICTURE, smooth=False),
    case("DecodeImage", "no animation", through("encode_png", "decode_image", channels=3, expand_animations=False), PICTURE, smooth=False),
    # The exact transform, where that of TensorFlow is the quick one: up to four steps of 255.
    case("DecodeJpeg", "colours", about(through("encode_jpeg", "decode_jpeg")), PICTURE, smooth=False, rtol=6e-2, atol=0.016),
    case("DecodeJpeg", "grey", about(through("encode_jpeg", "decode_jpeg")), PICTURE[:, :, :1], smooth=False, rtol=6e-2, atol=0.016),
    case("DecodeJpeg", "half", about(through("encode_jpeg", "decode_jpeg", ratio=2)), PICTURE, smooth=False, rtol=6e-2, atol=0.016),
    case(
        "DecodeAndCropJpeg",
        "window",
        about(through("encode_jpeg", "decode_and_crop_jpeg", crop_window=[2, 3, 5, 7])),
        PICTURE,
        smooth=False,
        rtol=0.1,
        atol=0.016,
    ),
    case("ExtractJpegShape", "int32", through("encode_jpeg", "extract_jpeg_shape"), PICTURE, smooth=False),
    case(
        "EncodeJpegVariableQuality",
        "75",
        lambda tf, x: tf.stop_gradient(tf.image.adjust_jpeg_quality(x, 75)),
        (PICTURE / 255).astype(np.float32),
        smooth=False,
        rtol=6e-2,
        atol=0.016,
    ),
    case("IsJpeg", "jpeg", lambda tf, x: tf.image.is_jpeg(tf.image.encode_jpeg(x)), PICTURE, smooth=False),
    case("IsJpeg", "png", lambda tf, x: tf.image.is_jpeg(tf.image.encode_png(x)), PICTURE, smooth=False),
]
PNG_16 = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 1, 1, 16, 0, 0, 0, 0, 0x6AEE4716)  # and no pixels
BMP = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 58, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + b"\x01\x02\x03\xff"
GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00"
    b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)
#: Two rows of three pixels, without loss.
WEBP = (
    b"RIFFF\x00\x00\x00WEBPVP8L:\x00\x00\x00/\x02@\x00\x00/\xa0\xa0m\x1b\xa6\x1f\xff`\x0e\x92\x82\xb6m\x98~\xfe\\\x07`\n\xda\xb6a"
    b"\xfa9\x8c?\xaeq\x99\xff\x00\x10\x0f\x92m\xf3\xf7n\x07\x04\x02\x94\xb1\xe2\x99\x07\"\xfa\x1f\xef\x00"
)
CASES += [
    case("DecodeWebP", "without loss", lambda tf: tf.raw_ops.DecodeWebP(contents=WEBP, channels=3), smooth=False),
    case("DecodeWebP", "as any file", lambda tf: tf.image.decode_image(WEBP), smooth=False),
    case("DecodeWebP", "one picture", lambda tf: tf.image.decode_image(WEBP, expand_animations=False), smooth=False),
    case("DecodeBmp", "one pixel", lambda tf, x: tf.image.decode_bmp(x), BMP, smooth=False),
    case("DecodeGif", "one pixel", lambda tf, x: tf.image.decode_gif(x), GIF, smooth=False),
    case("DecodeImage", "a GIF", lambda tf, x: tf.image.decode_image(x), GIF, smooth=False),
    case("DecodeImage", "a BMP", lambda tf, x: tf.image.decode_image(x), BMP, smooth=False),
]

ERRORS: list[ErrorCase] = [
    error("DecodeWebP: opacity that is not there", lambda tf: tf.raw_ops.DecodeWebP(contents=WEBP, channels=4)),
    error("RGBToHSV: four channels", plain("rgb_to_hsv"), floats(2, 4)),
    error("RGBToHSV: four channels", plain("rgb_to_hsv"), floats(2, 4), mode="graph"),
    error("RGBToHSV: scalar", plain("rgb_to_hsv"), 1.0),
    error("HSVToRGB: two channels", plain("hsv_to_rgb"), floats(2, 2)),
    error("AdjustHue: delta too large", plain("adjust_hue", 1.5), X),
    error("AdjustHue: two dimensions", plain("adjust_hue", 0.5), floats(2, 3)),
    error("AdjustContrastv2: two dimensions", plain("adjust_contrast", 0.5), floats(2, 3)),
    error("AdjustSaturation: factors", plain("adjust_saturation", [0.5, 0.6]), X),
    error("AdjustGamma: negative", plain("adjust_gamma", -1.0), X),
    error("ConvertImageDtype: string", lambda tf, x: tf.image.convert_image_dtype(x, tf.string), X),
    error("GrayscaleToRGB: colours", plain("grayscale_to_rgb"), X),
    error("Ssim: other sizes", lambda tf, a, b: tf.image.ssim(a, b, 1.0), A, B[:, :11]),
    error("Ssim: smaller than the window", lambda tf, a, b: tf.image.ssim(a, b, 1.0), A[:, :5], B[:, :5]),
    error("TotalVariation: two dimensions", plain("total_variation"), floats(2, 3)),
    error("ImageGradients: three dimensions", plain("image_gradients"), floats(2, 3, 1)),
    error("DecodePng: no image", lambda tf, x: tf.image.decode_png(x), b"nothing"),
    error("DecodePng: 16 bits, cut short", lambda tf, x: tf.image.decode_png(x, dtype=tf.uint16), PNG_16[:27]),
    error("DecodePng: 16 bits, no pixels", lambda tf, x: tf.image.decode_png(x, dtype=tf.uint16), PNG_16),
    error(
        "DecodePng: 16 bits, colours that there are not",
        lambda tf, x: tf.image.decode_png(x, dtype=tf.uint16),
        PNG_16[:25] + b"\x05" + PNG_16[26:],
    ),
    error("DecodeJpeg: no image", lambda tf, x: tf.image.decode_jpeg(x), b"nothing"),
    error("DecodeJpeg: no image, half", lambda tf, x: tf.image.decode_jpeg(x, ratio=2), b"nothing"),
    error("DecodePng: channels", lambda tf, x: tf.image.decode_png(x, channels=7), b"nothing"),
    error("DecodeJpeg: ratio", lambda tf, x: tf.image.decode_jpeg(tf.image.encode_jpeg(x), ratio=3), PICTURE),
    error("DecodePng: several", lambda tf, x: tf.image.decode_png(tf.stack([x, x])), b"nothing"),
    error("EncodePng: five channels", lambda tf, x: tf.image.encode_png(x), ints(2, 2, 5, dtype="uint8")),
    error("EncodePng: compression", lambda tf, x: tf.image.encode_png(x, compression=11), PICTURE),
    error("EncodeJpeg: two channels", lambda tf, x: tf.image.encode_jpeg(x), ints(2, 2, 2, dtype="uint8")),
    error("EncodeJpeg: quality", lambda tf, x: tf.image.encode_jpeg(x, quality=101), PICTURE),
    error("EncodeJpeg: grey said of colours", lambda tf, x: tf.image.encode_jpeg(x, format="grayscale"), PICTURE),
    error("ExtractJpegShape: no JPEG", lambda tf, x: tf.image.extract_jpeg_shape(tf.image.encode_png(x)), PICTURE),
    error("DecodeAndCropJpeg: beyond", through("encode_jpeg", "decode_and_crop_jpeg", crop_window=[10, 3, 50, 7]), PICTURE),
]
