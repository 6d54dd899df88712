"""Cases: boxes selected, drawn and sampled, glimpses, and changes at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

BOXES, SCORES = floats(20, 4, low=0.0, high=1.0), floats(20, low=0.0, high=1.0, seed=4)
TIED = np.round(SCORES, 1)
DETECTIONS = floats(2, 8, 3, low=0.0, high=1.0, seed=6)


def value(f: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients, which TensorFlow has none of."""
    return lambda tf, *xs: f(tf, *(tf.stop_gradient(x) if x.dtype.is_floating else x for x in xs))


def seeded(f: Callable[..., Any]) -> Callable[..., Any]:
    """With the global seed set, so that numbers do not depend on what ran before."""

    def call(tf: Any, *inputs: Any) -> Any:
        (tf.random.set_seed if hasattr(tf.random, "Generator") and not hasattr(tf, "Session") else tf.random.set_random_seed)(7)
        return f(tf, *inputs)

    return call


def raw(op: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, boxes, scores: getattr(tf.raw_ops, op)(boxes=boxes, scores=scores, max_output_size=6, **options)


def combined(**options: Any) -> Callable[..., Any]:
    return lambda tf, boxes, scores: tf.image.combined_non_max_suppression(boxes, scores, 3, 5, 0.3, 0.2, **options)


CASES: list[Case] = [
    *(
        case("NonMaxSuppression", f"overlaps {t}", raw("NonMaxSuppression", iou_threshold=t), BOXES, SCORES, smooth=False)
        for t in (0.0, 0.5, 1.0)
    ),
    case("NonMaxSuppressionV2", "float32", raw("NonMaxSuppressionV2", iou_threshold=0.2), BOXES, TIED, smooth=False),
    case(
        "NonMaxSuppressionV2",
        "float16",
        lambda tf, b, s: tf.raw_ops.NonMaxSuppressionV2(boxes=b, scores=s, max_output_size=6, iou_threshold=0.2),
        BOXES.astype(np.float16),
        TIED.astype(np.float16),
        smooth=False,
    ),
    case("NonMaxSuppressionV3", "function", lambda tf, b, s: tf.image.non_max_suppression(b, s, 6, 0.2, 0.4), BOXES, SCORES, smooth=False),
    case("NonMaxSuppressionV3", "all of them", lambda tf, b, s: tf.image.non_max_suppression(b, s, 60), BOXES, SCORES, smooth=False),
    case("NonMaxSuppressionV3", "none", lambda tf, b, s: tf.image.non_max_suppression(b, s, 0), BOXES, SCORES, smooth=False),
    case("NonMaxSuppressionV3", "no boxes", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3), BOXES[:0], SCORES[:0], smooth=False),
    *(
        case(
            "NonMaxSuppressionV4",
            f"padded {p}",
            raw("NonMaxSuppressionV4", iou_threshold=0.1, score_threshold=0.7, pad_to_max_output_size=p),
            BOXES,
            SCORES,
            smooth=False,
        )
        for p in (False, True)
    ),
    *(
        case(
            "NonMaxSuppressionV5",
            f"sigma {sigma}",
            value(lambda tf, b, s, sigma=sigma: tf.image.non_max_suppression_with_scores(b, s, 8, 0.4, 0.1, sigma)),
            BOXES,
            SCORES,
            smooth=False,
        )
        for sigma in (0.0, 0.3, 1.5)
    ),
    case(
        "NonMaxSuppressionV5",
        "padded",
        value(raw("NonMaxSuppressionV5", iou_threshold=0.1, score_threshold=0.7, soft_nms_sigma=0.0, pad_to_max_output_size=True)),
        BOXES,
        SCORES,
        smooth=False,
    ),
    case(
        "NonMaxSuppressionWithOverlaps",
        "given",
        lambda tf, o, s: tf.image.non_max_suppression_overlaps(o, s, 6, 0.5, 0.1),
        floats(20, 20, low=0.0, high=1.0),
        SCORES,
        smooth=False,
    ),
    *(
        case(
            "CombinedNonMaxSuppression",
            f"{groups} boxes, padded {pad}, clipped {clip}",
            value(combined(pad_per_class=pad, clip_boxes=clip)),
            floats(2, 8, groups, 4, low=-0.1, high=1.2),
            DETECTIONS,
            smooth=False,
        )
        for groups in (1, 3)
        for pad, clip in ((False, True), (True, False))
    ),
    *(
        case(
            "NonMaxSuppressionPadded",
            f"batch, {label}",
            lambda tf, b, s, o=options: tf.image.non_max_suppression_padded(b, s, 5, 0.3, pad_to_max_output_size=True, **o),
            floats(2, 9, 4, low=0.0, high=1.0),
            floats(2, 9, low=0.0, high=1.0),
            smooth=False,
        )
        for label, options in (
            ("plain", {}),
            ("scores", {"score_threshold": 0.4}),
            ("canonical", {"canonicalized_coordinates": True}),
            ("sorted", {"sorted_input": True}),
        )
    ),
    case(
        "NonMaxSuppressionPadded",
        "one image",
        lambda tf, b, s: tf.image.non_max_suppression_padded(b, s, 5, 0.3),
        BOXES,
        SCORES,
        smooth=False,
    ),
]

IMAGES, FRAMES = floats(2, 9, 11, 3), floats(2, 5, 4, low=-0.2, high=1.2)
CASES += [
    *(
        case(
            "DrawBoundingBoxes",
            f"{n} channels",
            value(lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, None)),
            floats(2, 9, 11, n),
            FRAMES,
            smooth=False,
        )
        for n in (1, 3, 4)
    ),
    case(
        "DrawBoundingBoxesV2",
        "colours",
        value(lambda tf, x, b, c: tf.image.draw_bounding_boxes(x, b, c)),
        IMAGES,
        FRAMES,
        floats(2, 3),
        smooth=False,
    ),
    case(
        "DrawBoundingBoxesV2",
        "float16",
        value(lambda tf, x, b, c: tf.image.draw_bounding_boxes(x, b, c)),
        IMAGES.astype(np.float16),
        FRAMES,
        floats(2, 3),
        smooth=False,
    ),
    case(
        "DrawBoundingBoxes",
        "version 1",
        value(lambda tf, x, b: tf.image.draw_bounding_boxes(x, b)),
        IMAGES,
        FRAMES,
        smooth=False,
        face="v1",
    ),
]
PLACES = np.float32([[0.0, 0.0], [0.3, -0.2], [1.0, 2.0], [2.7, 1.2], [-1.0, 0.5]])
CASES += [
    case(
        op,
        f"{size}, centred {centred}, normalised {normalised}",
        value(
            lambda tf, x, p, o=op, s=size, c=centred, n=normalised: getattr(tf.raw_ops, o)(
                input=x, size=s, offsets=p, centered=c, normalized=n, noise="zero", uniform_noise=False
            )
        ),
        floats(5, 5, 6, 2),
        PLACES,
        smooth=False,
    )
    for op in ("ExtractGlimpse", "ExtractGlimpseV2")
    for centred in (True, False)
    for normalised in (True, False)
    for size in ([2, 3], [9, 8])
]
CASES += [
    case(
        "ExtractGlimpseV2",
        "function",
        value(lambda tf, x, p: tf.image.extract_glimpse(x, [3, 2], p, noise="zero")),
        floats(5, 5, 6, 2),
        PLACES,
        smooth=False,
    ),
    case(
        "ExtractGlimpse",
        "version 1",
        value(lambda tf, x, p: tf.image.extract_glimpse(x, [3, 2], p)),
        floats(1, 5, 6, 2),
        PLACES[:1],
        smooth=False,
        face="v1",
    ),
]

COLOURS = floats(2, 3, 3, 3, low=0.05, high=0.95)
OBJECTS = np.float32([[[0.1, 0.2, 0.6, 0.9], [0.7, 0.7, 0.8, 0.9]]])


def sampled(op: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, b: list(getattr(tf.raw_ops, op)(image_size=[20, 30, 3], bounding_boxes=b, seed=5, seed2=7, **options))


STATELESS: dict[str, tuple[Any, ...]] = {
    "flip_left_right": (), "flip_up_down": (), "brightness": (0.4,), "contrast": (0.3, 0.8), "hue": (0.3,), "saturation": (0.3, 1.8),
}  # fmt: skip
CASES += [
    *(
        case(
            "StatelessSampleDistortedBoundingBox",
            f"seed {seed}",
            lambda tf, b, s=seed: list(
                tf.image.stateless_sample_distorted_bounding_box(
                    [100, 37, 3], b, [s, 3], min_object_covered=0.5, aspect_ratio_range=[0.5, 2.0], area_range=[0.1, 0.6]
                )
            ),
            OBJECTS,
            smooth=False,
        )
        for seed in range(5)
    ),
    *(
        case("RandomBox", label, seeded(value(f)), OBJECTS, smooth=False)
        for label, f in (
            ("second", sampled("SampleDistortedBoundingBoxV2", min_object_covered=0.3)),
            ("first", sampled("SampleDistortedBoundingBox")),
            ("function", lambda tf, b: list(tf.image.sample_distorted_bounding_box([20, 30, 3], b, seed=4))),
        )
    ),
    case(
        "RandomBox",
        "version 1",
        seeded(lambda tf, b: list(tf.image.sample_distorted_bounding_box([20, 30, 3], b, seed=4, seed2=2))),
        OBJECTS,
        smooth=False,
        face="v1",
    ),
    case(
        "RandomBox",
        "no boxes",
        seeded(lambda tf, b: list(tf.image.sample_distorted_bounding_box([20, 30, 3], b, seed=4, use_image_if_no_bounding_boxes=True))),
        OBJECTS[:, :0],
        smooth=False,
    ),
    *(
        case(
            "StatelessRandom",
            f"{name}, seed {seed}, {label}",
            value(lambda tf, x, n=name, a=args, s=seed: getattr(tf.image, f"stateless_random_{n}")(x, *a, seed=[s, 3])),
            x,
            smooth=False,
        )
        for name, args in STATELESS.items()
        for seed in (1, 2)
        for label, x in (("image", COLOURS[0]), ("batch", COLOURS))
    ),
    *(
        case(
            "Random",
            name,
            seeded(value(lambda tf, x, n=name, a=args: getattr(tf.image, f"random_{n}")(x, *a, seed=7))),
            COLOURS,
            smooth=False,
        )
        for name, args in STATELESS.items()
    ),
    case("StatelessRandom", "crop", lambda tf, x: tf.image.stateless_random_crop(x, [1, 4, 5, 3], [1, 2]), IMAGES),
    case("Random", "crop", seeded(lambda tf, x: tf.image.random_crop(x, [1, 4, 5, 3], seed=3)), IMAGES, smooth=False),
    case("Random", "crop, version 1", seeded(lambda tf, x: tf.random_crop(x, [1, 4, 5, 3], seed=3)), IMAGES, smooth=False, face="v1"),
    case(
        "Random",
        "flip of bytes",
        lambda tf, x: tf.image.stateless_random_flip_up_down(x, [4, 5]),
        ints(4, 3, 2, 1, dtype="uint8"),
        smooth=False,
    ),
]

ERRORS: list[ErrorCase] = [
    error("NonMaxSuppressionV3: boxes of three", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3), BOXES[:, :3], SCORES),
    error("NonMaxSuppressionV3: fewer scores", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3), BOXES, SCORES[:5]),
    error("NonMaxSuppressionV3: fewer scores", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3), BOXES, SCORES[:5], mode="graph"),
    error("NonMaxSuppressionV3: threshold", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3, 1.5), BOXES, SCORES),
    error("NonMaxSuppressionV3: negative size", lambda tf, b, s: tf.image.non_max_suppression(b, s, -3), BOXES, SCORES),
    error(
        "NonMaxSuppressionWithOverlaps: not square",
        lambda tf, o, s: tf.image.non_max_suppression_overlaps(o, s, 3),
        floats(4, 3),
        SCORES[:4],
    ),
    error("CombinedNonMaxSuppression: groups", combined(), floats(2, 8, 2, 4), DETECTIONS),
    error(
        "NonMaxSuppressionPadded: batch without padding",
        lambda tf, b, s: tf.image.non_max_suppression_padded(b, s, 5),
        floats(2, 9, 4),
        floats(2, 9),
    ),
    error("DrawBoundingBoxes: two channels", lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, None), floats(2, 5, 5, 2), FRAMES),
    error("DrawBoundingBoxes: other batch", lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, None), IMAGES[:1], FRAMES),
    error("DrawBoundingBoxes: rank 3", lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, None), IMAGES[0], FRAMES),
    error("ExtractGlimpseV2: noise", lambda tf, x, p: tf.image.extract_glimpse(x, [3, 2], p, noise="loud"), floats(5, 5, 6, 2), PLACES),
    error("ExtractGlimpseV2: other batch", lambda tf, x, p: tf.image.extract_glimpse(x, [3, 2], p), floats(4, 5, 6, 2), PLACES),
    error("SampleDistortedBoundingBoxV2: no boxes", lambda tf, b: tf.image.sample_distorted_bounding_box([20, 30, 3], b), OBJECTS[:, :0]),
    error("SampleDistortedBoundingBoxV2: beyond 1", lambda tf, b: tf.image.sample_distorted_bounding_box([20, 30, 3], b), OBJECTS * 2),
    error("SampleDistortedBoundingBoxV2: two sizes", lambda tf, b: tf.image.sample_distorted_bounding_box([20, 30], b), OBJECTS),
    error("Random: brightness below 0", lambda tf, x: tf.image.random_brightness(x, -1.0), IMAGES),
    error("Random: hue beyond a half", lambda tf, x: tf.image.random_hue(x, 0.7), IMAGES),
    error("Random: contrast the wrong way", lambda tf, x: tf.image.random_contrast(x, 0.7, 0.2), IMAGES),
    error("Random: jpeg quality", lambda tf, x: tf.image.random_jpeg_quality(x, 70, 120), IMAGES[0]),
    error("Random: crop too large", lambda tf, x: tf.image.random_crop(x, [3, 9, 9, 3]), IMAGES),
]
