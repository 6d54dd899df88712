"""What is measured, continued: the rest of images and of Fourier transforms."""

from __future__ import annotations

import struct
from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, N, Rows, inside, integers, numbers, tensors


def resized(tf: Any) -> Rows:
    t = tensors(tf, x=inside(0, 1, 4, 256, 256, 3), g=numbers(4, 300, 300, 3))
    raw = tf.raw_ops
    for kind in ("Bilinear", "Bicubic", "NearestNeighbor"):
        name = f"Resize{kind}"
        yield name, partial(getattr(raw, name), images=t.x, size=[300, 300])
        target: dict[str, Any] = {"size": [256, 256]} if kind == "NearestNeighbor" else {"original_image": t.x}
        yield f"{name}Grad", partial(getattr(raw, f"{name}Grad"), grads=t.g, **target)
    yield "ResizeArea", lambda: raw.ResizeArea(images=t.x, size=[100, 100])
    where: dict[str, Any] = {"scale": [1.17, 1.17], "translation": [1.0, 2.0]}
    yield "ScaleAndTranslate", lambda: raw.ScaleAndTranslate(images=t.x, size=[300, 300], **where)
    yield "ScaleAndTranslateGrad", lambda: raw.ScaleAndTranslateGrad(grads=t.g, original_image=t.x, **where)
    yield "HSVToRGB", lambda: raw.HSVToRGB(images=t.x)
    yield "AdjustHue", lambda: raw.AdjustHue(images=t.x, delta=0.2)
    yield "AdjustSaturation", lambda: raw.AdjustSaturation(images=t.x, scale=0.5)


def projected(tf: Any) -> Rows:
    t = tensors(tf, x=inside(0, 1, 4, 256, 256, 3), turn=np.array([[0.9, 0.1, 3, -0.1, 0.9, 5, 0, 0]] * 4, "float32"), boxes=_boxes(40))
    raw = tf.raw_ops
    how: dict[str, Any] = {"images": t.x, "transforms": t.turn, "output_shape": [256, 256], "interpolation": "BILINEAR"}
    yield "ImageProjectiveTransformV2", lambda: raw.ImageProjectiveTransformV2(**how)
    yield "ImageProjectiveTransformV3", lambda: raw.ImageProjectiveTransformV3(fill_value=0.0, **how)
    of = tf.constant(integers(4, 40))
    crops = raw.CropAndResize(image=t.x, boxes=t.boxes, box_ind=of, crop_size=[64, 64])
    yield "CropAndResize", lambda: raw.CropAndResize(image=t.x, boxes=t.boxes, box_ind=of, crop_size=[64, 64])
    back: dict[str, Any] = {"grads": crops, "boxes": t.boxes, "box_ind": of}
    yield "CropAndResizeGradImage", lambda: raw.CropAndResizeGradImage(image_size=[4, 256, 256, 3], T=tf.float32, **back)
    yield "CropAndResizeGradBoxes", lambda: raw.CropAndResizeGradBoxes(image=t.x, **back)
    drawn = tf.reshape(t.boxes, [4, 10, 4])
    yield "DrawBoundingBoxes", lambda: raw.DrawBoundingBoxes(images=t.x, boxes=drawn)
    yield "DrawBoundingBoxesV2", lambda: raw.DrawBoundingBoxesV2(images=t.x, boxes=drawn, colors=tf.ones([1, 3]))
    look: dict[str, Any] = {"input": t.x, "size": [128, 128], "offsets": tf.zeros([4, 2]), "uniform_noise": False, "noise": "zero"}
    yield "ExtractGlimpse", lambda: raw.ExtractGlimpse(**look)
    yield "ExtractGlimpseV2", lambda: raw.ExtractGlimpseV2(**look)
    frame: dict[str, Any] = {"image_size": [256, 256, 3], "bounding_boxes": drawn[:1]}
    yield "SampleDistortedBoundingBox", lambda: raw.SampleDistortedBoundingBox(**frame)
    yield "SampleDistortedBoundingBoxV2", lambda: raw.SampleDistortedBoundingBoxV2(min_object_covered=0.1, **frame)
    yield "StatelessSampleDistortedBoundingBox", lambda: raw.StatelessSampleDistortedBoundingBox(
        min_object_covered=0.1, seed=[1, 2], **frame
    )


def _boxes(count: int) -> Any:
    low = inside(0, 0.5, count, 2)
    return np.concatenate([low, low + inside(0.1, 0.5, count, 2, seed=1)], 1)


def suppressed(tf: Any) -> Rows:
    """Two thousand boxes, of which at most a hundred are kept."""
    count = 2000
    t = tensors(tf, boxes=_boxes(count), scores=inside(0, 1, count), pairs=inside(0, 1, 500, 500))
    raw = tf.raw_ops
    asked: dict[str, Any] = {"boxes": t.boxes, "scores": t.scores, "max_output_size": 100, "iou_threshold": 0.5}
    yield "NonMaxSuppression", lambda: raw.NonMaxSuppression(**asked)
    yield "NonMaxSuppressionV2", lambda: raw.NonMaxSuppressionV2(**asked)
    yield "NonMaxSuppressionV3", lambda: raw.NonMaxSuppressionV3(score_threshold=0.1, **asked)
    yield "NonMaxSuppressionV4", lambda: raw.NonMaxSuppressionV4(score_threshold=0.1, **asked)
    yield "NonMaxSuppressionV5", lambda: raw.NonMaxSuppressionV5(score_threshold=0.1, soft_nms_sigma=0.0, **asked)
    yield "NonMaxSuppressionV5, soft", lambda: raw.NonMaxSuppressionV5(score_threshold=0.1, soft_nms_sigma=0.5, **asked)
    limits: dict[str, Any] = {"max_output_size": 100, "overlap_threshold": 0.5, "score_threshold": 0.1}
    yield "NonMaxSuppressionWithOverlaps", lambda: raw.NonMaxSuppressionWithOverlaps(overlaps=t.pairs, scores=t.scores[:500], **limits)
    batch = tf.reshape(t.boxes, [4, 500, 1, 4])
    classes: dict[str, Any] = {"boxes": batch, "scores": tf.constant(inside(0, 1, 4, 500, 5)), "max_output_size_per_class": 20}
    yield "CombinedNonMaxSuppression", lambda: raw.CombinedNonMaxSuppression(
        max_total_size=50, iou_threshold=0.5, score_threshold=0.1, **classes
    )
    yield "NonMaxSuppressionPadded", lambda: tf.image.non_max_suppression_padded(t.boxes, t.scores, 100, pad_to_max_output_size=True)


def files(tf: Any) -> Rows:
    """A picture of 512 by 512: smooth, with some noise."""
    across = np.linspace(0, 255, 512)
    smooth = (across[:, None, None] + across[None, :, None] + np.array([0, 60, 120])) / 2.5
    image = tf.constant((smooth + inside(0, 8, 512, 512, 3)).astype("uint8"))
    raw = tf.raw_ops
    png, jpeg = raw.EncodePng(image=image), raw.EncodeJpeg(image=image)
    yield "EncodePng", lambda: raw.EncodePng(image=image)
    yield "EncodeJpeg", lambda: raw.EncodeJpeg(image=image)
    yield "EncodeJpegVariableQuality", lambda: raw.EncodeJpegVariableQuality(images=image, quality=80)
    yield "DecodePng", lambda: raw.DecodePng(contents=png)
    yield "DecodeJpeg", lambda: raw.DecodeJpeg(contents=jpeg)
    yield "DecodeAndCropJpeg", lambda: raw.DecodeAndCropJpeg(contents=jpeg, crop_window=[100, 100, 200, 200])
    yield "DecodeImage", lambda: raw.DecodeImage(contents=png)
    yield "ExtractJpegShape", lambda: raw.ExtractJpegShape(contents=jpeg)
    yield "IsJpeg", lambda: tf.io.is_jpeg(jpeg)
    bitmap, moving = _bitmap(512), _gif(512)
    yield "DecodeBmp", lambda: raw.DecodeBmp(contents=bitmap)
    yield "DecodeGif", lambda: raw.DecodeGif(contents=moving)


def _bitmap(side: int) -> bytes:
    """A file of three channels, from the format's description."""
    size = 3 * side * side
    info = struct.pack("<iiihhiiiiii", 40, side, side, 1, 24, 0, size, 2835, 2835, 0, 0)
    head = struct.pack("<2siHHi", b"BM", 54 + size, 0, 0, 54) + info
    return bytes(head + integers(256, size, dtype="uint8").tobytes())


def _gif(side: int) -> bytes:
    """A file of 128 colours whose codes take a byte each: the table is cleared before they grow."""
    codes = np.insert(integers(128, side * side, dtype="uint8"), np.arange(0, side * side, 100), 128).tobytes() + b"\x81"
    blocks = b"".join(bytes([len(part)]) + part for k in range(0, len(codes), 255) if (part := codes[k : k + 255]))
    size = struct.pack("<HH", side, side)
    colours = integers(256, 128, 3, dtype="uint8").tobytes()
    return bytes(b"GIF89a" + size + b"\xf6\0\0" + colours + b",\0\0\0\0" + size + b"\0\x07" + blocks + b"\0;")


def transforms(tf: Any) -> Rows:
    c = numbers(N) + 1j * numbers(N, seed=1)
    t = tensors(tf, cube=c.reshape(100, 100, 100), square=c.reshape(SIDE, SIDE), x=numbers(SIDE, SIDE), box=numbers(100, 100, 100))
    raw = tf.raw_ops
    half, halved = t.square[:, :501], t.cube[:, :, :51]
    yield "IFFT2D", lambda: raw.IFFT2D(input=t.square)
    yield "FFT3D", lambda: raw.FFT3D(input=t.cube)
    yield "IFFT3D", lambda: raw.IFFT3D(input=t.cube)
    yield "IRFFT", lambda: raw.IRFFT(input=half, fft_length=[SIDE])
    yield "RFFT2D", lambda: raw.RFFT2D(input=t.x, fft_length=[SIDE, SIDE])
    yield "IRFFT2D", lambda: raw.IRFFT2D(input=half, fft_length=[SIDE, SIDE])
    yield "RFFT3D", lambda: raw.RFFT3D(input=t.box, fft_length=[100, 100, 100])
    yield "IRFFT3D", lambda: raw.IRFFT3D(input=halved, fft_length=[100, 100, 100])
