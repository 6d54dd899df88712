"""Native loops of image kernels against NumPy's way, and against what TensorFlow says where it is peculiar."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.engine.loop_code import Loops
from pullback.kernels.backend import ENGINE
from pullback.tensorflow.images import png_loops, taps

pytest.importorskip("llvmlite")
RAW = tf.raw_ops
KINDS = ("plain", "on a grid", "small", "no numbers", "infinite")


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], tuple[list[Any], list[Any]]]:
    """What a call gives natively, and without: on NumPy, or where a loop is the only way in Python."""

    def both(call: Callable[[], Any]) -> tuple[list[Any], list[Any]]:
        found = []
        for loop in (Loops(), lambda *_: None):
            with monkeypatch.context() as patch:
                patch.setattr(Settings, "jit", True)
                patch.setattr(ENGINE, "find_loop", loop)
                answer = call()
            found.append([np.asarray(x) for x in (answer if isinstance(answer, (tuple, list)) else (answer,))])
        return found[0], found[1]

    return both


def assert_alike(pair: tuple[list[Any], list[Any]], rtol: float = 0.0) -> None:
    for native, plain in zip(*pair, strict=True):
        assert native.dtype == plain.dtype
        assert native.shape == plain.shape
        wide = [x.astype(np.float64) for x in (native, plain)]
        largest = np.abs(wide[1]).max(initial=0, where=np.isfinite(wide[1]))
        np.testing.assert_allclose(*wide, rtol=rtol, atol=rtol * largest)


# ---- non-maximum suppression


def boxes_of(rng: Any, count: int, kind: str) -> Any:
    found = rng.random((count, 4))
    if kind == "on a grid":
        found = np.round(found * 6) / 6
    if kind == "small":
        found[:, 2:] = found[:, :2] + 0.05 + 0.4 * found[:, 2:]
    if kind == "no numbers":
        found[rng.random((count, 4)) < 0.05] = np.nan
    if kind == "infinite":
        found[rng.random((count, 4)) < 0.05] = np.inf
    return found.astype(np.float32)


def scores_of(rng: Any, count: int, kind: str) -> Any:
    found = rng.standard_normal(count)
    if kind != "plain":
        found = np.round(found * 2) / 2  # ties, and both zeros
    if kind == "no numbers":
        found[rng.random(count) < 0.1] = np.nan
    return found.astype(np.float32)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 40, 150])
def test_suppression(ways: Any, kind: str, count: int) -> None:
    rng = np.random.default_rng(count)
    for wanted, share, least in ((33, 0.5, -np.inf), (0, 0.5, 0.0), (1000, 0.1, -0.5), (16, 0.0, 0.3), (3, 1.0, -np.inf)):
        boxes, scores = boxes_of(rng, count, kind), scores_of(rng, count, kind)
        for dtype in (np.float32, np.float16):
            numbers = {"boxes": boxes, "scores": scores, "iou_threshold": share, "score_threshold": least, "soft_nms_sigma": 0.5}
            given = {name: tf.constant(x, dtype) for name, x in numbers.items()} | {"max_output_size": wanted}
            hard = {name: x for name, x in given.items() if name != "soft_nms_sigma"}
            assert_alike(ways(lambda a=hard: RAW.NonMaxSuppressionV4(pad_to_max_output_size=True, **a)))
            assert_alike(ways(lambda a=given: RAW.NonMaxSuppressionV5(**a)), 1e-6 if dtype is np.float32 else 2e-3)
        overlaps = rng.random((count, count)).astype(np.float32)
        limits = {"max_output_size": wanted, "overlap_threshold": share, "score_threshold": least}
        assert_alike(ways(lambda o=overlaps, s=scores, a=limits: RAW.NonMaxSuppressionWithOverlaps(overlaps=o, scores=s, **a)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("groups", "classes"), [(1, 1), (1, 3), (3, 3)])
def test_suppression_of_classes(ways: Any, kind: str, groups: int, classes: int) -> None:
    rng = np.random.default_rng(groups)
    for count, each, total, share in ((40, 5, 12, 0.3), (40, 100, 300, 0.9), (1, 1, 1, 0.5), (0, 2, 3, 0.5)):
        boxes = boxes_of(rng, 2 * count * groups, kind).reshape(2, count, groups, 4) * 1.5 - 0.2
        scores = rng.standard_normal((2, count, classes)).astype(np.float32)
        for pad_per_class, clip_boxes in ((False, True), (True, False)):
            assert_alike(ways(lambda b=boxes, s=scores, n=each, m=total, t=share, p=pad_per_class, c=clip_boxes: (
                RAW.CombinedNonMaxSuppression(boxes=b, scores=s, max_output_size_per_class=n, max_total_size=m, iou_threshold=t,
                                              score_threshold=-5.0, pad_per_class=p, clip_boxes=c))))


@pytest.mark.parametrize("kind", KINDS)
def test_suppression_in_order(ways: Any, kind: str) -> None:
    rng = np.random.default_rng(0)
    for count, wanted in ((1, 3), (40, 33), (150, 20)):
        boxes, scores = boxes_of(rng, count, kind), rng.random(count).astype(np.float32)
        assert_alike(ways(lambda b=boxes, s=scores, n=wanted: tf.image.non_max_suppression_padded(
            b, s, n, iou_threshold=0.4, score_threshold=0.2, pad_to_max_output_size=True)))


def test_overlaps_that_are_no_numbers_lower_a_score_to_zero(ways: Any) -> None:
    """TensorFlow's answers: such a box comes again, after those with scores above 0."""
    boxes = np.array([[0, 0, 1, 1], [np.nan, 0, 1, 1], [0, 2, 1, 3], [0, 5, 1, 6]], np.float32)
    scores = np.array([4, 3, 2, -1], np.float32)
    for found in ways(lambda: RAW.NonMaxSuppression(boxes=boxes, scores=scores, max_output_size=4, iou_threshold=0.5)):
        assert found[0].tolist() == [0, 2, 1, 3]


def test_scores_of_classes_below_minus_one_stand_behind_free_places(ways: Any) -> None:
    boxes = np.array([[[[0, 0, 0.1, 0.1]], [[0.5, 0.5, 0.6, 0.6]], [[0.8, 0.8, 0.9, 0.9]]]], np.float32)
    scores = np.array([[[0.5, -3.0], [-2.0, 0.25], [-4.0, -2.5]]], np.float32)
    for found in ways(lambda: RAW.CombinedNonMaxSuppression(
        boxes=boxes, scores=scores, max_output_size_per_class=2, max_total_size=4, iou_threshold=0.5, score_threshold=-10.0
    )):
        assert found[1].tolist() == [[0.5, 0.25, -2.0, -2.5]]
        assert found[3].tolist() == [4]


# ---- crops, frames, projections, resizing, contrast


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(2, 7, 9, 3), (1, 1, 1, 1), (2, 20, 3, 6)])
def test_crops(ways: Any, dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(2)
    image, count = (rng.random(shape) * 200).astype(dtype), 5
    boxes = (rng.random((count, 4)) * 1.6 - 0.3).astype(np.float32)
    boxes[0], boxes[1] = [np.nan, 0, 1, 1], [0.25, 0.5, 0.75, 0.5]
    of = rng.integers(0, shape[0], count).astype(np.int32)
    for size in ((1, 1), (5, 8)):
        grads = rng.standard_normal((count, *size, shape[3])).astype(np.float32)
        where, x = {"boxes": boxes, "box_ind": of}, tf.constant(image)
        assert_alike(ways(lambda w=where, x=x, s=size: RAW.CropAndResize(image=x, crop_size=s, extrapolation_value=2.5, **w)), 2e-6)
        assert_alike(ways(lambda w=where, x=x, g=grads: RAW.CropAndResizeGradBoxes(grads=g, image=x, **w)), 2e-5)
        assert_alike(ways(lambda w=where, g=grads: RAW.CropAndResizeGradImage(grads=g, image_size=shape, T=tf.float32, **w)), 2e-6)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("depth", [1, 3, 4])
def test_boxes_drawn(ways: Any, dtype: str, depth: int) -> None:
    rng = np.random.default_rng(depth)
    images = tf.constant(rng.random((2, 9, 13, depth)).astype(dtype))
    boxes = (rng.random((2, 12, 4)) * 1.6 - 0.3).astype(np.float32)
    boxes[0, 0], boxes[1, 0] = [np.nan, 0, 1, np.inf], [0, 0, 1, 1]
    colours = rng.random((3, 5)).astype(np.float32)
    before = images.numpy().copy()
    assert_alike(ways(lambda: RAW.DrawBoundingBoxes(images=images, boxes=boxes)))
    assert_alike(ways(lambda: RAW.DrawBoundingBoxesV2(images=images, boxes=boxes, colors=colours)))
    np.testing.assert_array_equal(images.numpy(), before)


@pytest.mark.parametrize("fill_mode", ["REFLECT", "WRAP", "CONSTANT", "NEAREST"])
def test_projections(ways: Any, fill_mode: str) -> None:
    rng = np.random.default_rng(3)
    for shape, many in (((2, 7, 9, 3), 2), ((3, 1, 20, 6), 1), ((1, 5, 1, 1), 1)):
        images = rng.random(shape).astype(np.float32)
        turns = np.tile(np.array([1, 0, 0, 0, 1, 0, 0, 0], np.float32), (many, 1))
        turns += (rng.standard_normal((many, 8)) * [0.4, 0.4, 4, 0.4, 0.4, 4, 0.01, 0.01]).astype(np.float32)
        turns[0, 6:] = [-0.5, 0]  # nowhere, in one column
        given = {"images": images, "transforms": turns, "output_shape": [6, 11], "fill_value": 1.25}
        assert_alike(ways(lambda g=given: RAW.ImageProjectiveTransformV3(interpolation="BILINEAR", fill_mode=fill_mode, **g)), 2e-5)


@pytest.mark.parametrize(("channels", "dtype"), [(1, "f4"), (2, "f4"), (3, "f4"), (3, "f8"), (4, "f4"), (5, "f4")])
def test_resampling(ways: Any, channels: int, dtype: Any) -> None:
    rng = np.random.default_rng(channels)
    sizes = [((7, 9), (5, 4)), ((7, 9), (15, 30)), ((1, 1), (3, 2)), ((6, 20), (6, 7)), ((9, 4), (3, 4))]
    for number, ((height, width), size) in enumerate(sizes):
        options = number % 2 == 1, number % 4 == 0
        tables = [
            (taps.bilinear(height, size[0], *options), taps.bilinear(width, size[1], *options)),
            (taps.bicubic(height, size[0], *options), taps.bicubic(width, size[1], *options)),
            (taps.nearest(height, size[0], *options), taps.nearest(width, size[1], *options)),
            (taps.area(height, size[0], options[0]), taps.area(width, size[1], options[0])),
            tuple(taps.scaled_taps(n, m, 0.8, 0.3, "lanczos3", True) for n, m in zip((height, width), size, strict=True)),
        ]
        for rows, columns in tables:
            x = rng.standard_normal((2, height, width, channels)).astype(dtype)
            if (height, width) == (7, 9):
                x[1, 3, 4] = np.inf
            eps = 8 * np.finfo(dtype).eps
            assert_alike(ways(lambda x=x, r=rows, c=columns: taps.resample_images(x, r, c)), eps)
            back = rng.standard_normal((2, *size, channels)).astype(dtype)
            assert_alike(ways(lambda x=back, r=rows.turned, c=columns.turned: taps.resample_images(x, r, c)), eps)


@pytest.mark.parametrize("shape", [(2, 3, 7, 5, 3), (4, 6, 1), (1, 1, 2)])
def test_contrast(ways: Any, shape: tuple[int, ...]) -> None:
    for dtype in (np.float32, np.float16):
        images = tf.constant(np.random.default_rng(4).random(shape).astype(dtype))
        assert_alike(ways(lambda x=images: RAW.AdjustContrastv2(images=x, contrast_factor=1.7)), 1e-6 if dtype is np.float32 else 2e-3)


# ---- random boxes


def test_boxes_drawn_at_random(ways: Any) -> None:
    rng, whole = np.random.default_rng(5), 0
    for _ in range(100):
        low = rng.random((int(rng.integers(1, 4)), 2)) * 0.6
        boxes = np.concatenate([low, low + 0.05 + 0.3 * rng.random(low.shape)], 1).astype(np.float32)
        height, width = (int(n) for n in rng.integers(20, 400, 2))
        ratio, area, least = 0.2 + rng.random(), 0.001 + rng.random() / 2, float(rng.choice([0, 0.1, 0.9]))
        given = rng.integers(0, 2**31, 2), least, (ratio, 2 * ratio), (area, area + 0.3), int(rng.choice([1, 20]))
        native, plain = ways(partial(tf.image.stateless_sample_distorted_bounding_box, [height, width, 3], boxes[None], *given))
        assert [x.tolist() for x in native] == [x.tolist() for x in plain]
        whole += native[1].tolist() == [height, width, -1]
    assert 0 < whole < 100


def test_boxes_that_are_none_are_refused(ways: Any) -> None:
    for wrong in ([[[0.5, 0.1, 0.4, 0.9]]], [[[0.1, 0.1, 1.5, 0.9]]], [[[0.1, np.nan, 0.5, 0.9]]]):
        with pytest.raises(tf.errors.InvalidArgumentError):
            ways(lambda b=wrong: tf.image.stateless_sample_distorted_bounding_box([20, 30, 3], b, seed=[0, 3]))


# ---- files


def saved(pixels: Any, kind: str) -> bytes:
    pillow, file = pytest.importorskip("PIL.Image"), io.BytesIO()
    pillow.fromarray(pixels).save(file, kind)
    return file.getvalue()


def test_bitmaps() -> None:
    pixels = np.random.default_rng(6).integers(0, 256, (5, 7, 3)).astype(np.uint8)
    data = saved(pixels, "BMP")
    turned = data[:22] + (-5).to_bytes(4, "little", signed=True) + data[26:]
    for contents, expected in ((data, pixels), (turned, pixels[::-1])):
        np.testing.assert_array_equal(RAW.DecodeBmp(contents=contents), expected)
    with pytest.raises(tf.errors.InvalidArgumentError):
        RAW.DecodeBmp(contents=data[:-8])


def test_windows_of_jpeg_files() -> None:
    data = saved(np.random.default_rng(9).integers(0, 256, (20, 33, 3)).astype(np.uint8), "JPEG")
    whole = RAW.DecodeJpeg(contents=data).numpy()
    np.testing.assert_array_equal(RAW.DecodeAndCropJpeg(contents=data, crop_window=[3, 4, 10, 20]), whole[3:13, 4:24])
    for window in ((0, 0, 21, 1), (-1, 0, 1, 1), (0, 0, 0, 1), (0, 33, 1, 1)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            RAW.DecodeAndCropJpeg(contents=data, crop_window=window)


@pytest.fixture
def read_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", True)
    monkeypatch.setattr(ENGINE, "find_loop", Loops())


def rows_filtered(pixels: Any, kinds: Any) -> bytes:
    """A PNG whose lines have filters of these kinds."""
    height, width, count = pixels.shape
    wide = np.zeros((height + 1, width + 1, count), np.int64)
    wide[1:, 1:] = pixels
    left, up, corner = wide[1:, :-1], wide[:-1, 1:], wide[:-1, :-1]
    estimate = left + up - corner
    a, b, c = (np.abs(estimate - x) for x in (left, up, corner))
    nearest = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
    guesses = np.stack([0 * left, left, up, (left + up) // 2, nearest])
    lines = ((pixels - guesses[kinds, np.arange(height)]) & 255).astype(np.uint8).reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 2: 4, 3: 2, 4: 6}[count], 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(np.insert(lines, 0, kinds, axis=1).tobytes())), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_png_files_of_every_filter(ways: Any, read_natively: Any, count: int) -> None:
    pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(count)
    for size in ((1, 1), (7, 5), (20, 33)):
        pixels, kinds = rng.integers(0, 256, (*size, count)), rng.integers(0, 5, size[0])
        data = rows_filtered(pixels, kinds)
        for found in ways(lambda c=data: RAW.DecodePng(contents=c)):
            np.testing.assert_array_equal(found[0], pixels)
        assert png_loops.read(data, count) is not None
        assert png_loops.read(data, count % 4 + 1) is None
        assert png_loops.read(rows_filtered(pixels, kinds).replace(b"IHDR", b"IHDX"), 0) is None
        assert png_loops.read(data[:-14], 0) is None


def test_damaged_png_files_are_refused_or_pillows(read_natively: Any) -> None:
    pillow = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(11)
    data = rows_filtered(rng.integers(0, 256, (20, 30, 3)), rng.integers(0, 5, 20))
    for _ in range(200):
        damaged = bytearray(data)
        damaged[int(rng.integers(len(data)))] = int(rng.integers(256))
        found = png_loops.read(bytes(damaged), 0)
        if found is not None:
            with contextlib.suppress(OSError, SyntaxError):  # what Pillow is stricter about
                np.testing.assert_array_equal(found, np.array(pillow.open(io.BytesIO(bytes(damaged)))))


def test_jpeg_files_are_written_alike(ways: Any) -> None:
    pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(12)
    for shape in ((9, 20, 3), (1, 1, 3), (16, 5, 1)):
        image = tf.constant(rng.integers(0, 256, shape), tf.uint8)
        for call in (lambda x=image: RAW.EncodeJpeg(image=x), lambda x=image: RAW.EncodeJpegVariableQuality(images=x, quality=40)):
            native, plain = ways(call)
            assert native[0].item() == plain[0].item()
