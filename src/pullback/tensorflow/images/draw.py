"""Boxes drawn on images, and glimpses taken from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import float16, float32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...ops.array.basic import ones_of, shape_of, zeros_of
from ...ops.array.type_rules import Array, dims_in, invalid_argument, made_sizes, require_equal, require_rank
from ...ops.batching import Batched, answer_once, fold_rows
from ...ops.random.operations import next_stream
from ...ops.vmap_rules.nn import windows_grad
from . import crop_loops
from .resize import check_images

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

FLOAT = np.float32
# Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia: TensorFlow's, where none are given.
_COLOURS = np.array(
    [
        *([1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1]),
        *([0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1]),
    ],
    FLOAT,
)


def _draw_type(images: Any, boxes: Any, *colors: Any) -> TensorType:
    require_rank(images, 4, "The rank of the images should be 4")
    require_rank(boxes, 3, "The rank of the boxes tensor should be 3")
    if images.dims is not None and boxes.dims is not None:
        require_equal(images.dims[0], boxes.dims[0], "The batch sizes should be the same")
    if boxes.dims is not None:
        require_equal(boxes.dims[2], 4, "The box tensor should have 4 coordinates")
    if images.dims is not None and images.dims[3] not in (1, 3, 4, None):
        text = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"
        raise ShapeError(text, text)
    for t in colors:
        require_rank(t, 2, "colors must be a 2-D matrix")
    return TensorType(images.dims, images.dtype)


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, float32)


def _draw(images: Array, boxes: Array, colors: Array | None = None) -> Array:
    _draw_type(*map(_type_of, (images, boxes) if colors is None else (images, boxes, colors)))
    height, width, depth = images.shape[1:]
    table = _COLOURS if colors is None or not len(colors) else colors
    if colors is not None and len(colors) and colors.shape[1] < depth:
        raise invalid_argument(f"colors must have at least as many columns as there are channels: {colors.shape[1]} < {depth}")
    if table is _COLOURS and depth == 1:
        table = np.ones_like(_COLOURS)
    out = images.copy(order="C")
    finite = boxes if np.isfinite(boxes).all() else np.nan_to_num(boxes)
    corners = (finite * np.array([height - 1, width - 1, height - 1, width - 1], FLOAT)).astype(np.int64)
    crop_loops.draw_frames(corners, table[:, :depth].astype(out.dtype), out)
    return out


def _mask_drawn(g: Any, images_type: Any, boxes: Any) -> Any:
    """What of g belongs to pixels that no box covers."""
    nothing = zeros_of(images_type)
    return g * (1 - DRAW_V2(nothing, boxes, ones_of(TensorType((1, 4), float32))))


_ROWS = fold_rows("images", "boxes")
DRAW: Op = define(
    "DrawBoundingBoxes",
    "images:T=float32 boxes:float32",
    _draw_type,
    _draw,
    {"images": _mask_drawn},
    dtypes={float16, float32},
    batch=_ROWS,
)
DRAW_V2: Op = define(
    "DrawBoundingBoxesV2",
    "images:T=float32 boxes:float32 colors:float32",
    _draw_type,
    _draw,
    {"images": _mask_drawn},
    dtypes={float16, float32},
    batch=_ROWS,
)


@export(v2="image.draw_bounding_boxes")
def draw_bounding_boxes(images: TensorLike, boxes: TensorLike, colors: TensorLike | None = None, name: str | None = None) -> Tensor:
    """Images with the edges of boxes drawn on them.

    images: [batch, height, width, depth], float16 or float32, depth 1, 3 or 4.  boxes: [batch, count, 4], float32: y1, x1, y2, x2 with 0
    the first pixel and 1 the last; what lies outside is not drawn.  colors: [count of colours, depth], float32, taken in turn; ten of
    TensorFlow's where None.  Gradients pass where nothing is drawn.  Raises InvalidArgumentError (in graphs ValueError) for other shapes.

    >>> tf.image.draw_bounding_boxes(tf.zeros([1, 3, 3, 1]), [[[0.0, 0.0, 1.0, 1.0]]], [[5.0]]).numpy()[0, :, :, 0].tolist()
    [[5.0, 5.0, 5.0], [5.0, 0.0, 5.0], [5.0, 5.0, 5.0]]
    """
    return DRAW(images, boxes, name=name) if colors is None else DRAW_V2(images, boxes, colors, name=name)


# ---- glimpses


def _glimpse_type(input: Any, size: Any, offsets: Any, **_: Any) -> TensorType:
    check_images(input.dims)
    require_rank(size, 1, f"input must be a vector of size 2 for the size, got shape {show(size.dims)}")
    require_rank(offsets, 2, f"offsets must be a matrix, got shape {show(offsets.dims)}")
    if input.dims is not None and offsets.dims is not None:
        require_equal(input.dims[0], offsets.dims[0], f"offsets must have an entry for each image: {show(offsets.dims)}")
    batch, depth = (input.dims[0], input.dims[3]) if input.dims is not None else (None, None)
    height, width = made_sizes(size, 2)
    return TensorType((batch, height, width, depth), float32)


class _Window:
    """Where the glimpses of a batch lie: by image the rows and columns that they show, and whether there are any."""

    def __init__(
        self, shape: tuple[int, ...], size: tuple[int, int], offsets: Array, centered: bool, normalized: bool, second: bool
    ) -> None:
        sides = np.array(shape[1:3], FLOAT)
        at = offsets.astype(FLOAT) * sides if normalized else offsets.astype(FLOAT)
        middle = centered and (normalized or not second)
        if centered:
            at = (at / 2 if middle else at) + sides / 2
        if middle or not second:
            at = at - np.array(size, FLOAT) / 2
        start = np.trunc(at).astype(np.int64)
        self.rows, self.columns = start[:, :1] + np.arange(size[0]), start[:, 1:] + np.arange(size[1])
        self.row_there, self.column_there = ((x >= 0) & (x < n) for x, n in zip((self.rows, self.columns), shape[1:3], strict=True))
        self.all_there = bool(self.row_there.all() and self.column_there.all())

    def missing(self) -> Array:
        """Which places of each glimpse show nothing."""
        there: Array = self.row_there[:, :, None] & self.column_there[:, None, :]
        return ~there

    def parts(self, shape: tuple[int, ...]) -> list[tuple[Any, Any]]:
        """For each image the part of the glimpse that shows it, and the part of it that is seen."""
        pairs = []
        for row, column in zip(self.rows, self.columns, strict=True):
            spans = []
            for line, size in ((row, shape[1]), (column, shape[2])):
                first = int(line[0]) if len(line) else 0
                low, high = min(max(first, 0), size), max(min(first + len(line), size), 0)
                high = max(low, high)
                shown = min(max(low - first, 0), len(line))
                spans.append((slice(shown, shown + high - low), slice(low, high)))
            pairs.append((tuple(shown for shown, _ in spans), tuple(seen for _, seen in spans)))
        return pairs


def _glimpse(second: bool) -> Any:
    def kernel(
        input: Array,
        size: Array,
        offsets: Array,
        *,
        site: Any,
        centered: bool = True,
        normalized: bool = True,
        uniform_noise: bool = True,
        noise: str = "uniform",
    ) -> Array:
        _check_noise(uniform_noise, noise)
        check_images(input.shape)
        if size.shape != (2,) or offsets.shape != (len(input), 2):
            raise invalid_argument(
                f"size must be a vector of 2 and offsets of shape {[len(input), 2]}: {show(size.shape)}, {show(offsets.shape)}"
            )
        height, width = int(size[0]), int(size[1])
        window = _Window(input.shape, (height, width), offsets, centered, normalized, second)
        out = (np.empty if window.all_there else np.zeros)((len(input), height, width, input.shape[3]), FLOAT)
        for image, glimpse, (shown, seen) in zip(input, out, window.parts(input.shape), strict=True):
            glimpse[shown] = image[seen]
        noise = "uniform" if uniform_noise else noise
        if noise != "zero" and not window.all_there:
            missing = window.missing()
            out[missing] = _make_filling(input, int(missing.sum()), noise, site)
        return out

    return kernel


def _check_noise(uniform_noise: bool, noise: str) -> None:
    if uniform_noise and noise != "uniform":
        raise invalid_argument("The uniform_noise and noise could not be specified at the same time")
    if noise not in ("uniform", "gaussian", "zero"):
        raise invalid_argument(f"The noise could only be uniform, gaussian, or zero, got {noise}")


def _make_filling(input: Array, count: int, noise: str, site: Any) -> Any:
    """What fills the places beyond the image: numbers over its range, or spread as its own are, or zeros."""
    if not input.size:
        return FLOAT(0)
    depth = input.shape[3]
    words = next_stream(site, "ExtractGlimpse", 0, 0, (), -(-count * depth // 4)).words(count * depth)
    unit = (words.astype(np.float64) / 2.0**32).reshape(count, depth)
    if noise == "uniform":
        return (input.min() + unit * (input.max() - input.min())).astype(FLOAT)
    from scipy.special import ndtri

    return (input.mean() + input.std() * ndtri(np.clip(unit, 1e-9, 1 - 1e-9))).astype(FLOAT)


def _define_adjoint(second: bool) -> Any:
    def kernel(grads: Array, shape: Array, offsets: Array, *, centered: bool, normalized: bool) -> Array:
        sizes = tuple(int(n) for n in shape)
        window = _Window(sizes, grads.shape[1:3], offsets, centered, normalized, second)
        out = np.zeros(sizes, FLOAT)
        for image, glimpse, (shown, seen) in zip(out, grads, window.parts(sizes), strict=True):
            image[seen] = glimpse[shown]
        return out

    return kernel


def _adjoint_rule(second: bool) -> Any:
    """The rule of an adjoint: a glimpse, with zeros beyond the image."""

    def rule(g: Any, grads_type: Any, offsets: Any, centered: bool, normalized: bool) -> Any:
        options: dict[str, Any] = {"centered": centered, "normalized": normalized, "uniform_noise": False, "noise": "zero"}
        return _GLIMPSES[second](g, shape_of(grads_type)[1:3], offsets, **options)

    return rule


def _glimpse_rows(rows: Rows, input: Any, size: Any, offsets: Any, *, uniform_noise: bool, noise: str, **attrs: Any) -> Batched:
    """Images of all rows are one batch, but where noise is spread as the numbers of a batch are."""
    attrs = {**attrs, "uniform_noise": uniform_noise, "noise": noise}
    if uniform_noise or noise != "zero":
        return NotImplemented
    if not rows.has(input, size, offsets):
        return answer_once(rows, input, size, offsets, **attrs)
    return _FOLDED(rows, input, size, offsets, **attrs)


_FOLDED = fold_rows("input", "offsets")


def _define_family(name: str, second: bool) -> tuple[Op, Op]:
    forward = define(
        name,
        "input:float32 size:int32 offsets:float32",
        _glimpse_type,
        _glimpse(second),
        {
            "input": lambda g, input_type, offsets, centered, normalized: back(
                g, shape_of(input_type), offsets, centered=centered, normalized=normalized
            )
        },
        stateful=True,
        effects=False,
        batch=_glimpse_rows,
    )
    back = define(
        f"{name}Grad",
        "grads:float32 shape:int32 offsets:float32",
        lambda grads, shape, offsets, *, centered, normalized: TensorType(dims_in(shape) or (None,) * 4, float32),
        _define_adjoint(second),
        {"grads": _adjoint_rule(second)},
        batch=windows_grad,
    )
    return forward, back


GLIMPSE, GLIMPSE_GRAD = _define_family("ExtractGlimpse", False)
GLIMPSE_V2, GLIMPSE_V2_GRAD = _define_family("ExtractGlimpseV2", True)
_GLIMPSES = (GLIMPSE, GLIMPSE_V2)


@export(v2="image.extract_glimpse")
def extract_glimpse(
    input: TensorLike,
    size: IntLike,
    offsets: NumberLike,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """A window of each image; what lies beyond the image is noise.

    input: [batch, height, width, depth], float32.  size: [2]: height and width of the glimpse.  offsets: [batch, 2], float32: where it
    lies, y and x.  centered: (0, 0) is the middle of the image, else its corner.  normalized: an offset of 1 is the image's side (its
    half where centered), else a pixel; the glimpse is centred on the offset where both are, else starts there.  noise: "uniform",
    "gaussian" or "zero".  The numbers of the noise are not TensorFlow's, which cannot be seeded.  Differentiable by input.  Raises
    InvalidArgumentError for other shapes and words.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.extract_glimpse(image, [2, 2], [[1.0, 1.0]], centered=False, normalized=False).numpy().ravel().tolist()
    [4.0, 5.0, 7.0, 8.0]
    """
    options: dict[str, Any] = {"centered": centered, "normalized": normalized, "uniform_noise": False, "noise": noise}
    return GLIMPSE_V2(input, size, offsets, name=name, **options)
