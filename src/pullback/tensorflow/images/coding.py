"""Images to and from files, in memory; read and written by Pillow (`pip install pillow`)."""

from __future__ import annotations

from ...base.dtypes import as_dtype, float32, int32, uint8, uint16
from ...base.errors import UnimplementedError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike
from . import codec as codec
from .adjust import convert_image_dtype


@export("image.encode_png", "io.encode_png")
def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Tensor:
    """Images as PNG files.

    image: [..., height, width, channels], uint8 or uint16, of 1 to 4 channels: grey, grey with opacity, colours, colours with opacity.
    compression: 0 (none) to 9 (most), -1 for zlib's own choice.  Returns strings, [...].  Raises InvalidArgumentError for other shapes.

    >>> tf.image.encode_png(tf.zeros([1, 1, 3], tf.uint8)).numpy()[:4]
    b'\\x89PNG'
    """
    return codec.ENCODE_PNG(convert_to_tensor(image), compression=compression, name=name)


@export("image.encode_jpeg", "io.encode_jpeg")
def encode_jpeg(
    image: TensorLike,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """An image as a JPEG file.

    image: [height, width, 1 or 3], uint8.  format: "", "grayscale" or "rgb": what the image must be.  quality: 0 to 100.  The rest is
    written as it says.  Raises InvalidArgumentError for other shapes and options, ImportError where Pillow is not installed.

    >>> tf.image.is_jpeg(tf.image.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8))).numpy().item()
    True
    """
    options = {"progressive": progressive, "optimize_size": optimize_size, "chroma_downsampling": chroma_downsampling}
    density = {"density_unit": density_unit, "x_density": x_density, "y_density": y_density, "xmp_metadata": xmp_metadata}
    return codec.ENCODE_JPEG(image, format=format, quality=quality, name=name, **options, **density)


@export("image.decode_png", "io.decode_png")
def decode_png(contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8, name: str | None = None) -> Tensor:
    """The image in a PNG file (or a JPEG, BMP or WebP file, or the first of a GIF file).

    contents: a string.  channels: 1, 2, 3 or 4, 0 for those of the file.  dtype: uint8 or uint16.  Returns [height, width, channels].
    Raises InvalidArgumentError for what is no image, ImportError where Pillow or simplejpeg is not installed.

    >>> tf.image.decode_png(tf.image.encode_png(tf.constant([[[1, 2, 3]]], tf.uint8))).numpy().tolist()
    [[[1, 2, 3]]]
    """
    return codec.DECODE_PNG(contents, channels=channels, dtype=as_dtype(dtype), name=name)


@export("image.decode_jpeg", "io.decode_jpeg")
def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """The image in a JPEG file.

    contents: a string.  channels: 1 or 3, 0 for those of the file.  ratio: 1, 2, 4 or 8: the image is made smaller while it is read.
    fancy_upscaling: whether colours kept at half size are interpolated.  dct_method: INTEGER_FAST, the default, or INTEGER_ACCURATE.
    Returns [height, width, channels], uint8: TensorFlow's pixels.  Raises InvalidArgumentError for what is no image,
    UnimplementedError for try_recover_truncated, ImportError where simplejpeg (`pip install pullback[images]`) is missing.

    >>> tf.image.decode_jpeg(tf.image.encode_jpeg(tf.zeros([8, 16, 3], tf.uint8))).shape
    TensorShape([8, 16, 3])
    """
    options = {"fancy_upscaling": fancy_upscaling, "try_recover_truncated": try_recover_truncated, "dct_method": dct_method}
    return codec.DECODE_JPEG(contents, channels=channels, ratio=ratio, acceptable_fraction=acceptable_fraction, name=name, **options)


@export("image.decode_and_crop_jpeg", "io.decode_and_crop_jpeg")
def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: IntLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """A window of the image in a JPEG file.

    crop_window: [4], int32: the first row and column, height and width.  The rest: as in `decode_jpeg`.

    >>> tf.image.decode_and_crop_jpeg(tf.image.encode_jpeg(tf.zeros([8, 16, 3], tf.uint8)), [1, 2, 3, 4]).shape
    TensorShape([3, 4, 3])
    """
    options = {"fancy_upscaling": fancy_upscaling, "try_recover_truncated": try_recover_truncated, "dct_method": dct_method}
    sizes = {"channels": channels, "ratio": ratio, "acceptable_fraction": acceptable_fraction}
    return codec.DECODE_AND_CROP_JPEG(contents, crop_window, name=name, **sizes, **options)


@export("image.decode_bmp", "io.decode_bmp")
def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor:
    """The image in a BMP file.

    contents: a string.  channels: 1, 3 or 4, 0 for those of the file.  Returns [height, width, channels], uint8.  Raises
    InvalidArgumentError for what is no image, ImportError where Pillow is not installed.

    >>> tf.image.decode_bmp(b"no image")
    Traceback (most recent call last):
    ...
    pullback.base.errors.InvalidArgumentError: Unknown image file format...
    """
    return codec.DECODE_BMP(contents, channels=channels, name=name)


@export("image.decode_gif", "io.decode_gif")
def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """The images in a GIF file.

    contents: a string.  Returns [frames, height, width, 3], uint8.  Raises InvalidArgumentError for what is no image, ImportError where
    Pillow is not installed.

    >>> tf.image.decode_gif(tf.image.encode_png(tf.zeros([2, 3, 3], tf.uint8))).shape
    TensorShape([1, 2, 3, 3])
    """
    return codec.DECODE_GIF(contents, name=name)


@export("image.decode_webp", "io.decode_webp")
def decode_webp(contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8, name: str | None = None) -> Tensor:
    """The pictures in a WebP file, which may be moving.

    contents: a string.  channels: 3 or 4, those of the file, or 0.  dtype: uint8.  Returns [frames, height, width, channels]; without
    frames for a PNG, JPEG or BMP, which it reads too.  Raises InvalidArgumentError for what is no image or has another number of
    channels, TypeError for another dtype, ImportError where Pillow is not installed.

    >>> tf.image.decode_webp(tf.image.encode_png(tf.zeros([2, 3, 3], tf.uint8))).shape
    TensorShape([2, 3, 3])
    """
    if as_dtype(dtype) is not uint8:
        raise TypeError(f"dtype must be uint8, not {as_dtype(dtype).name}")
    return codec.DECODE_WEBP(contents, channels=channels, dtype=uint8, name=name)


@export("image.decode_jxl", "io.decode_jxl")
def decode_jxl(contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8, name: str | None = None) -> Tensor:
    """The image in a JPEG XL file: not read here, for Pillow does not know the format.

    Raises UnimplementedError always.

    >>> tf.image.decode_jxl(b"")
    Traceback (most recent call last):
    ...
    pullback.base.errors.UnimplementedError: JPEG XL is not read: Pillow does not know the format...
    """
    raise UnimplementedError(None, None, "JPEG XL is not read: Pillow does not know the format. Convert the image to PNG or JPEG.")


@export("image.decode_image", "io.decode_image")
def decode_image(
    contents: TensorLike, channels: int | None = None, dtype: DTypeLike = uint8, name: str | None = None, expand_animations: bool = True
) -> Tensor:
    """The image in a file of any format known: BMP, GIF, JPEG, PNG or WebP.

    contents: a string.  channels: 1, 3 or 4, None or 0 for those of the file.  dtype: floats are scaled to [0, 1], integers to their
    range.  expand_animations: a GIF gives [frames, height, width, 3], else its first image.  Returns [height, width, channels].  Raises
    InvalidArgumentError for what is no image, ImportError where Pillow or simplejpeg is not installed.

    >>> tf.image.decode_image(tf.image.encode_png(tf.zeros([2, 3, 3], tf.uint8)), dtype=tf.float32).shape
    TensorShape([2, 3, 3])
    """
    with scope(name, "decode_image"):
        wanted = as_dtype(dtype)
        first = wanted if wanted in (float32, uint8, uint16) else uint16
        image = codec.DECODE_IMAGE(contents, channels=int(channels or 0), dtype=first, expand_animations=expand_animations)
        return image if first is wanted else convert_image_dtype(image, wanted)


@export("image.extract_jpeg_shape", "io.extract_jpeg_shape")
def extract_jpeg_shape(contents: TensorLike, output_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """Height, width and channels of the image in a JPEG file.

    contents: a string.  output_type: int32 or int64.  Raises InvalidArgumentError for what is no JPEG.

    >>> tf.image.extract_jpeg_shape(tf.image.encode_jpeg(tf.zeros([8, 16, 3], tf.uint8))).numpy().tolist()
    [8, 16, 3]
    """
    return codec.EXTRACT_JPEG_SHAPE(contents, output_type=as_dtype(output_type), name=name)


@export("image.is_jpeg", "io.is_jpeg")
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Whether a file begins as JPEG files do.

    contents: strings of any shape.  Returns booleans of that shape.

    >>> tf.image.is_jpeg(b"no image").numpy().item()
    False
    """
    return codec.IS_JPEG(contents, name=name)


@export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image: TensorLike, jpeg_quality: IntLike, dct_method: str = "", name: str | None = None) -> Tensor:
    """An image as it is after it was a JPEG file of a quality.

    image: [height, width, 1 or 3], floating from 0 to 1 or integer.  jpeg_quality: an integer or an int32 scalar, 0 to 100.  No gradient
    passes.  Raises InvalidArgumentError for other shapes and qualities, ImportError where Pillow or simplejpeg is not installed.

    >>> tf.image.adjust_jpeg_quality(tf.ones([8, 8, 3]), 75).numpy().mean().item()
    1.0
    """
    with scope(name, "adjust_jpeg_quality"):
        image = convert_to_tensor(image, name="image")
        channels = image.dims[-1] if image.dims else 0
        file = codec.ENCODE_JPEG_QUALITY(convert_image_dtype(image, uint8, saturate=True), convert_to_tensor(jpeg_quality, int32))
        return convert_image_dtype(codec.DECODE_JPEG(file, channels=channels or 0, dct_method=dct_method), image.dtype, saturate=True)
