"""Arrays as a page shows them: type, values, a small histogram of many numbers, a picture of what is one."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .png import encode_png
from .svg import escape_text

Array = np.ndarray[Any, Any]
#: From how many elements on there is a histogram, how many are counted at most, and its bars.
_MANY, _COUNTED, _BARS = 20, 1_000_000, 32
#: The sides of a picture: the least that is one, and the most that is shown.
_SMALLEST, _LARGEST = 8, 256
#: The side that smaller pictures are enlarged to, and how long lines of values are.
_SEEN, _LINE = 96, 110
#: How many pictures of a batch are shown.
_SHOWN = 8
#: What is gone through for what is ours in it, how much of it, and how many items of one are shown.
_STRUCTURES = (list, tuple, dict)
_LOOKED_AT, _ITEMS = 1000, 50
_OURS = ("pullback", "tensorflow")
_STYLE = "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px"


def html_of_array(head: str, value: Array) -> str:
    """A value as HTML, `head` above it."""
    images = images_in(value)
    text = np.array2string(value, threshold=40, edgeitems=3, max_line_width=_LINE)
    parts = [f"<div><b>{escape_text(head)}</b></div>"]
    if images:
        parts.append("".join(map(_html_of_image, images)))
    else:
        parts.append(f'<pre style="margin:2px 0">{escape_text(text)}</pre>')
    return f'<div style="{_STYLE}">{"".join(parts)}{histogram(value)}</div>'


#: What composite values call their parts.
_NAMES = ("indices", "values", "dense_shape", "flat_values", "row_splits")


def html_of_parts(thing: Any, parts: Sequence[Any]) -> str:
    """What is made of several tensors, part by part; in words where they have no values."""
    arrays = [getattr(t, "value", None) for t in parts]
    if not all(isinstance(array, np.ndarray) for array in arrays):
        return f"<pre>{escape_text(repr(thing))}</pre>"
    names = {id(getattr(thing, name, None)): name for name in _NAMES}
    shown = [
        html_of_array(f"{names.get(id(t), f'part {i}')}, shape {array.shape}, {t.dtype.name}", array)
        for i, (t, array) in enumerate(zip(parts, arrays, strict=True))
        if isinstance(array, np.ndarray)
    ]
    shape = f", shape {thing.shape}" if getattr(thing, "shape", None) is not None else ""
    head = f"<div><b>tf.{escape_text(type(thing).__name__ + shape)}</b></div>"
    return f'<div style="{_STYLE}">{head}<div style="margin-left:1em">{"".join(shown)}</div></div>'


def html_of_structure(thing: Any) -> str | None:
    """A list, tuple or dictionary that holds tensors or other things of this library, as HTML; None for any other."""
    if not _holds_ours(thing, [_LOOKED_AT]):
        return None
    pairs = list(thing.items()) if isinstance(thing, Mapping) else list(enumerate(thing))
    rows = "".join(
        f'<div style="margin-left:1em"><b>{escape_text(str(key))}</b>: {_html_of_item(item)}</div>' for key, item in pairs[:_ITEMS]
    )
    more = f"<div>and {len(pairs) - _ITEMS} more</div>" if len(pairs) > _ITEMS else ""
    head = f"{type(thing).__name__} of {len(pairs)}"
    return f'<details open="open" style="{_STYLE}"><summary>{escape_text(head)}</summary>{rows}{more}</details>'


def _html_of_item(item: Any) -> str:
    if _is_ours(item):
        return str(item._repr_html_())
    found = html_of_structure(item) if isinstance(item, _STRUCTURES) else None
    return escape_text(repr(item)) if found is None else found


def _is_ours(thing: Any) -> bool:
    return type(thing).__module__.partition(".")[0] in _OURS and hasattr(thing, "_repr_html_")


def _holds_ours(thing: Any, left: list[int]) -> bool:
    """Whether something of this library is in a structure, among as many of its items as are `left` to be looked at."""
    for item in thing.values() if isinstance(thing, Mapping) else thing:
        left[0] -= 1
        if left[0] < 0:
            return False
        if _is_ours(item) or (isinstance(item, _STRUCTURES) and _holds_ours(item, left)):
            return True
    return False


def histogram(value: Array) -> str:
    """How numbers are spread, where there are many: bars, and the least, mean and largest; how many are not finite."""
    if value.size < _MANY or value.dtype.kind not in "fiucV" or value.dtype.names is not None:
        return ""
    flat = value.reshape(-1)
    step = -(-flat.size // _COUNTED)
    sample = flat[::step]
    numbers = np.abs(sample) if value.dtype.kind == "c" else sample.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    told = ["sizes of complex numbers"] if value.dtype.kind == "c" else []
    told += [f"every {step}th of {flat.size}"] if step > 1 else []
    told += [f"{n} {word}" for word, n in (("NaN", int(np.isnan(numbers).sum())), ("infinite", int(np.isinf(numbers).sum()))) if n]
    if not finite.size:
        return f"<div>{escape_text(', '.join(told))}</div>"
    low, high = float(finite.min()), float(finite.max())
    told = [f"from {low:.4g} to {high:.4g}, mean {float(finite.mean(dtype=np.float64)):.4g}", *told]
    bars = ""
    if low < high and np.isfinite(high - low):
        counts, _ = np.histogram(finite, bins=_BARS, range=(low, high))
        heights = 40 * counts / counts.max()
        drawn = "".join(f'<rect x="{5 * i}" y="{40 - h:.1f}" width="4" height="{h:.1f}"/>' for i, h in enumerate(heights) if h)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{5 * _BARS}" height="40" fill="#0969da" role="img" aria-label="histogram">'
        bars = f"{head}{drawn}</svg><br/>"
    return f"<div>{bars}{escape_text('; '.join(told))}</div>"


def images_in(value: Array) -> list[Array]:
    """The pictures that a value is: bytes, or floats between 0 and 1, of shape [height, width, 1, 3 or 4], or a batch of such."""
    if value.ndim not in (3, 4) or value.shape[-1] not in (1, 3, 4) or min(value.shape[-3:-1]) < _SMALLEST or not value.size:
        return []
    batch = (value if value.ndim == 4 else value[None])[:_SHOWN]
    step = -(-max(value.shape[-3:-1]) // _LARGEST)
    batch = batch[:, ::step, ::step]
    if value.dtype == np.uint8:
        return list(batch)
    if value.dtype.kind not in "fV" or value.dtype.names is not None:
        return []
    batch = batch.astype(np.float32)
    if not (np.isfinite(batch).all() and batch.min() >= 0 and batch.max() <= 1):
        return []
    return list(np.rint(batch * 255).astype(np.uint8))


def _html_of_image(image: Array) -> str:
    """A picture, a small one in large squares."""
    width = image.shape[1] * max(1, _SEEN // max(image.shape[:2]))
    source = base64.b64encode(encode_png(image)).decode()
    return f'<img alt="" src="data:image/png;base64,{source}" style="margin:2px;width:{width}px;image-rendering:pixelated"/>'
