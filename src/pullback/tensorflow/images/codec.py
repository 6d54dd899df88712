"""Image files: JPEG, PNG, BMP, GIF and WebP, read and written by Pillow.

PNG is written without Pillow, and read without it where it has 16 bits (`png`) or is not interlaced (`png_loops`); JPEG is read by
libjpeg-turbo (`jpeg`).
"""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import DType, bool, float32, int32, string, uint8, uint16
from ...base.errors import InvalidArgumentError, UnimplementedError
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import define, keyword_parameters, set_signature
from ...ir.tensor import TensorType
from ...kernels.loops import native_loop
from ...ops.array.type_rules import Array, elements, invalid_argument, require_rank
from ...ops.batching import stack_rows
from . import jpeg as image_jpeg, png as image_png, png_loops

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


@cache
def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("images are read and written with Pillow, which is not installed: `pip install pillow`") from error
    return Image


def _bytes(contents: Array) -> bytes:
    if contents.ndim:
        raise invalid_argument(f"contents must be scalar, got shape {show(contents.shape)}")
    data: bytes = contents.item()
    return data


def _open_image(data: bytes) -> Any:
    """Pillow's image of a file."""
    pillow = _pillow()
    try:
        image = pillow.open(io.BytesIO(data), formats=("PNG", "GIF", "BMP", "WEBP"))
        image.load()
    except (OSError, SyntaxError, ValueError, pillow.DecompressionBombError) as error:  # what Pillow raises for files that it cannot read
        raise invalid_argument(
            f"Unknown image file format, or data that is damaged. One of JPEG, PNG, GIF, BMP, WebP required: {error}"
        ) from error
    return image


def _mode(image: Any, channels: int) -> str:
    """Pillow's name of the channels asked for, 0 for those of the file."""
    if channels:
        return _MODES[channels]
    if image.mode in ("1", "L", "I", "I;16", "F"):
        return "L"
    if image.mode == "P":
        return "RGBA" if "transparency" in image.info else "RGB"
    return image.mode if image.mode in ("LA", "RGBA") else "RGB"


def _is_webp(data: bytes) -> Any:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def _read(data: bytes, channels: int) -> Array:
    """The pixels of a file [height, width, channels]; of a WebP, which may be moving, [frames, height, width, channels]."""
    if data.startswith(image_jpeg.SIGNATURE):
        if channels not in (0, 1, 3):
            raise invalid_argument(f"JPEG does not support {channels} channels")
        return image_jpeg.read(data, channels)
    _check_gif(data, channels)
    if not _is_webp(data):
        found = png_loops.read(data, channels)
        return _pixels(_open_image(data), channels) if found is None else found
    image = _open_image(data)
    own = 4 if image.mode == "RGBA" else 3
    if channels == 1:
        raise invalid_argument("WebP only supports 3 or 4 channels")
    if channels not in (0, own):
        raise invalid_argument(f"Number of channels requested does not match input: {channels} of {own}")
    return _stack_frames(image, own)


def _stack_frames(image: Any, channels: int) -> Array:
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(_pixels(image, channels))
    return np.stack(found)


def _pixels(image: Any, channels: int) -> Array:
    wanted = _mode(image, channels)
    pixels = np.array(image if image.mode == wanted else image.convert(wanted))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels


def _check_gif(data: bytes, channels: int) -> None:
    if data.startswith(b"GIF8") and channels not in (0, 3):
        raise invalid_argument(f"channels must be 0 or 3 for GIF, got {channels}")


def _check_channels(channels: int, allowed: tuple[int, ...]) -> None:
    if channels not in allowed:
        raise invalid_argument(f"channels must be one of {', '.join(map(str, allowed))}, got {channels}")


# ---- reading


def _image_type(contents: Any, channels: int, dtype: DType = uint8) -> TensorType:
    require_rank(contents, 0, f"contents must be scalar, got shape {show(contents.dims)}")
    if channels < 0:
        text = f"channels must be non-negative, got {channels}"
        raise ShapeError(text, text)
    return TensorType((None, None, channels or None), dtype)


def _decode_png(contents: Array, *, channels: int = 0, dtype: DType = uint8) -> Array:
    _check_channels(channels, (0, 1, 2, 3, 4))
    data = _bytes(contents)
    if image_png.bit_depth(data) == 16:
        pixels = image_png.read_16(data, channels)
        return pixels if dtype is uint16 else (pixels >> 8).astype(np.uint8)
    pixels = _read(data, channels)
    return pixels.astype(np.uint16) * np.uint16(257) if dtype is uint16 else pixels


def _png_type(contents: Any, *, channels: int = 0, dtype: DType = uint8) -> TensorType:
    if dtype not in {uint8, uint16}:
        raise TypeError(f"dtype must be uint8 or uint16, not {dtype.name}")
    return _image_type(contents, channels, dtype)


def _decode_jpeg(
    contents: Array,
    *,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: Any = True,
    try_recover_truncated: Any = False,
    acceptable_fraction: float = 1.0,
    dct_method: str = "",
) -> Array:
    _check_channels(channels, (0, 1, 3))
    if ratio not in (1, 2, 4, 8):
        raise invalid_argument(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    if try_recover_truncated:
        raise UnimplementedError(None, None, "files that end too early are refused: leave try_recover_truncated as it is")
    data = _bytes(contents)
    if not data.startswith(image_jpeg.SIGNATURE):
        return _read(data, channels)
    return image_jpeg.read(data, channels, ratio, dct_method, fancy_upscaling)


def _jpeg_type(contents: Any, *, channels: int = 0, **_: Any) -> TensorType:
    return _image_type(contents, channels)


def _decode_and_crop(contents: Array, crop_window: Array, **options: Any) -> Array:
    if crop_window.shape != (4,):
        raise invalid_argument(f"crop_window must have four elements: {show(crop_window.shape)}")
    top, left, height, width = (int(n) for n in crop_window)
    pixels = _decode_jpeg(contents, **options)
    if min(top, left) < 0 or min(height, width) <= 0 or top + height > pixels.shape[0] or left + width > pixels.shape[1]:
        raise invalid_argument(f"Invalid JPEG data or crop window {crop_window.tolist()} of an image {show(pixels.shape)}")
    return pixels[top : top + height, left : left + width].copy()


def _crop_type(contents: Any, crop_window: Any, *, channels: int = 0, **_: Any) -> TensorType:
    window = elements(crop_window) or [None] * 4
    return TensorType((*window[2:4], _image_type(contents, channels).dims[2]), uint8)  # type: ignore[index]  # images have three


def _frames(data: bytes) -> Array:
    """All pictures of a GIF or WebP, one over the other."""
    if _is_webp(data):
        return _read(data, 0)
    image = _open_image(data)
    return _stack_frames(image, 3) if image.format == "GIF" else _pixels(image, 3)[None]


def _decode_image(contents: Array, *, channels: int = 0, dtype: DType = uint8, expand_animations: Any = True) -> Array:
    _check_channels(channels, (0, 1, 3, 4))
    data = _bytes(contents)
    _check_gif(data, channels)
    if data.startswith(b"GIF8") or _is_webp(data):
        pixels = _read(data, channels) if _is_webp(data) else _frames(data)
        pixels = pixels if expand_animations else pixels[0]
    elif data.startswith(png_loops.SIGNATURE) and dtype is not uint8:
        wide = _decode_png(contents, channels=channels, dtype=uint16)
        return wide if dtype is uint16 else (wide / np.float32(65535)).astype(np.float32)
    else:
        pixels = _decode_png(contents, channels=channels)
    if dtype is uint16:
        return pixels.astype(np.uint16) * np.uint16(256)
    return pixels if dtype is uint8 else (pixels / np.float32(255)).astype(np.float32)


def _any_type(contents: Any, *, channels: int = 0, dtype: DType = uint8, expand_animations: Any = True) -> TensorType:
    require_rank(contents, 0, f"contents must be scalar, got shape {show(contents.dims)}")
    if dtype not in {uint8, uint16, float32}:
        raise TypeError(f"dtype must be uint8, uint16 or float32, not {dtype.name}")
    return TensorType(None if expand_animations else (None, None, channels or None), dtype)


def _jpeg_shape(contents: Array, *, output_type: DType = int32) -> Array:
    shape = image_jpeg.shape(_bytes(contents))
    if shape is None:
        raise invalid_argument(f"Invalid JPEG data, size {len(_bytes(contents))}")
    return np.array(shape, output_type.numpy_dtype)


def _decode_bmp(contents: Array, *, channels: int = 0) -> Array:
    _check_channels(channels, (0, 3, 4))
    data = _bytes(contents)
    if data.startswith(image_jpeg.SIGNATURE):
        raise invalid_argument("Trying to decode JPEG format using DecodeBmp op. Use `decode_jpeg` or `decode_image` instead.")
    return _read(data, channels)


def _check_webp_dtype(dtype: DType) -> None:
    if dtype is not uint8:
        raise invalid_argument(f"Value for attr 'dtype' of {dtype.name} is not in the list of allowed values: uint8")


def _decode_webp(contents: Array, *, channels: int = 0, dtype: DType = uint8) -> Array:
    _check_webp_dtype(dtype)
    _check_channels(channels, (0, 3, 4))
    return _read(_bytes(contents), channels)


def _webp_type(contents: Any, *, channels: int = 0, dtype: DType = uint8) -> TensorType:
    _check_webp_dtype(dtype)
    return TensorType((None, *(_image_type(contents, channels).dims or ())), dtype)


DECODE_PNG = define("DecodePng", "contents:string", _png_type, _decode_png, {}, batch="one file at a time")
DECODE_JPEG = define("DecodeJpeg", "contents:string", _jpeg_type, _decode_jpeg, {}, batch="one file at a time")
DECODE_AND_CROP_JPEG = define(
    "DecodeAndCropJpeg", "contents:string crop_window:int32", _crop_type,
    set_signature(_decode_and_crop, keyword_parameters(_decode_jpeg)), {},
    batch="one file at a time",
)
DECODE_BMP = define(
    "DecodeBmp", "contents:string", lambda contents, *, channels=0: _image_type(contents, channels), _decode_bmp, {},
    batch="one file at a time",
)
DECODE_GIF = define(
    "DecodeGif",
    "contents:string",
    lambda contents: TensorType((None, *(_image_type(contents, 3).dims or ())), uint8),
    lambda contents: _frames(_bytes(contents)),
    {},
    batch="one file at a time",
)
DECODE_WEBP = define("DecodeWebP", "contents:string", _webp_type, _decode_webp, {}, batch="one file at a time")
DECODE_IMAGE = define("DecodeImage", "contents:string", _any_type, _decode_image, {}, batch="one file at a time")
EXTRACT_JPEG_SHAPE = define(
    "ExtractJpegShape",
    "contents:string",
    lambda contents, *, output_type=int32: TensorType((3,), output_type),
    _jpeg_shape,
    {},
    batch="one file at a time",
)
IS_JPEG = define(
    "IsJpeg",
    "contents:string",
    lambda contents: TensorType(contents.dims, bool),
    lambda contents: np.array([data[:3] == b"\xff\xd8\xff" for data in contents.ravel()], np.bool_).reshape(contents.shape),
    {},
    batch=stack_rows(),
)


# ---- writing


def _written_png_type(image: Any, *, compression: int = -1) -> TensorType:
    if image.dims is not None and len(image.dims) < 3:
        text = f"image must have at least 3 dimensions and 1, 2, 3, or 4 channels, got shape {show(image.dims)}"
        raise ShapeError(f"Shape must be at least rank 3 but is rank {len(image.dims)}", text)
    return TensorType(None if image.dims is None else image.dims[:-3], string)


def _encode_png(image: Array, *, compression: int = -1) -> Array:
    if not -1 <= compression <= 9:
        raise invalid_argument(f"compression should be in [-1,9], got {compression}")
    if image.ndim < 3 or image.shape[-1] not in _MODES or 0 in image.shape[-3:]:
        raise invalid_argument(f"image must have at least 3 dimensions and 1, 2, 3, or 4 channels, got shape {show(image.shape)}")
    batch = image.shape[:-3]
    out = np.empty(int(np.prod(batch, dtype=np.int64)), object)
    for i, pixels in enumerate(image.reshape(-1, *image.shape[-3:])):
        out[i] = image_png.write(pixels, compression)
    return out.reshape(batch)


def _encode_jpeg(
    image: Array,
    *,
    format: str = "",
    quality: int = 95,
    progressive: Any = False,
    optimize_size: Any = False,
    chroma_downsampling: Any = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: Any = "",
) -> Array:
    if density_unit not in ("in", "cm"):
        raise invalid_argument(f"density_unit must be 'in' or 'cm', got {density_unit}")
    expected = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}.get(format)
    if expected is None:
        raise invalid_argument(f"format must be '', grayscale or rgb, got {format}")
    per_inch = 1.0 if density_unit == "in" else 2.54
    options: dict[str, Any] = {"progressive": progressive, "optimize": optimize_size}
    options |= {"subsampling": 2 if chroma_downsampling else 0, "dpi": (round(x_density * per_inch), round(y_density * per_inch))}
    if xmp_metadata:
        options["xmp"] = xmp_metadata if isinstance(xmp_metadata, bytes) else xmp_metadata.encode()
    return np.array(_jpeg_bytes(image, quality, expected, options), object)


def _jpeg_bytes(image: Array, quality: int, expected: tuple[int, ...], options: dict[str, Any]) -> bytes:
    if image.ndim != 3 or image.shape[2] not in expected or 0 in image.shape:
        raise invalid_argument(
            f"image must be 3-dimensional with {' or '.join(map(str, expected))} channels, got shape {show(image.shape)}"
        )
    if not 0 <= quality <= 100:
        raise invalid_argument(f"quality must be in [0,100], got {quality}")
    if image.shape[2] == 1:
        options = options | {"subsampling": 0}  # there are no colours to keep at half size
    file = io.BytesIO()
    _as_pillows(image).save(file, "JPEG", quality=max(quality, 1), **options)
    return file.getvalue()


def _widen_pixels(pixels: Array, out: Array, count: int) -> int:
    """A loop (`kernels.loops`): pixels of three bytes, each with a fourth of 255; NumPy copies them byte by byte."""
    for i in range(count):
        out[4 * i] = pixels[3 * i]
        out[4 * i + 1] = pixels[3 * i + 1]
        out[4 * i + 2] = pixels[3 * i + 2]
        out[4 * i + 3] = 255
    return 0


def _add_channel(image: Array) -> Array | None:
    """An image [height, width, 3] of uint8 with a fourth channel; None where there is no code."""
    loop = native_loop(_widen_pixels, image.size)
    if loop is None or image.dtype != np.uint8:
        return None
    out = np.empty((*image.shape[:2], 4), np.uint8)
    return None if loop(np.ascontiguousarray(image), out, image.size // 3) is None else out


def _as_pillows(image: Array) -> Any:
    """Pixels of one channel or three as Pillow's image; it keeps four bytes for three, and takes them as they are."""
    if image.shape[2] == 1:
        return _pillow().fromarray(np.ascontiguousarray(image[:, :, 0]))
    wide = _add_channel(image)
    if wide is None:
        return _pillow().fromarray(np.ascontiguousarray(image))
    return _pillow().frombuffer("RGBX", image.shape[1::-1], wide, "raw", "RGBX", 0, 1)


def _encode_quality(images: Array, quality: Array) -> Array:
    if quality.ndim:
        raise InvalidArgumentError(None, None, f"quality must be scalar: {show(quality.shape)}")
    return np.array(_jpeg_bytes(images, int(quality), (1, 3), {"subsampling": 2, "dpi": (300, 300)}), object)


def _encode_jpeg_type(image: Any, **_: Any) -> TensorType:
    require_rank(image, 3, f"image must be 3-dimensional {show(image.dims)}")
    return TensorType((), string)


ENCODE_PNG = define(
    "EncodePng",
    "image:T=uint8",
    _written_png_type,
    _encode_png,
    {},
    dtypes={uint8, uint16},
    batch=stack_rows(),
)
ENCODE_JPEG = define("EncodeJpeg", "image:uint8", _encode_jpeg_type, _encode_jpeg, {}, batch="one file at a time")
ENCODE_JPEG_QUALITY = define(
    "EncodeJpegVariableQuality", "images:uint8 quality:int32", lambda images, quality: TensorType((), string), _encode_quality, {},
    batch="one file at a time",
)
