"""What a program answered, as something that can be sent and compared: tensors as arrays, everything else by what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.golden import observe

_ULPS = 64.0
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}|/tmp/\w+|(?<= at )[0-9a-fA-F]{9,}")
_MODULE = re.compile(r"\b(?:tensorflow|pullback|keras)(?:\.\w+)*\.(?=\w)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|\binf\b|\bnan\b)")


def plain(x: Any, depth: int = 0) -> Any:
    """What can be sent of a value."""
    if x is None or (isinstance(x, (bool, int, float, complex, str, bytes)) and type(x).__module__ == "builtins"):
        return x
    if isinstance(x, (np.ndarray, np.generic)):
        return ("array", np.asarray(x)) if np.asarray(x).dtype.names is None else ("text", worded(repr(x)))
    kind = type(x).__name__
    if kind in ("RaggedTensor", "RaggedTensorValue", "SparseTensor", "SparseTensorValue", "IndexedSlices"):
        fields = {"R": ("values", "row_splits"), "S": ("indices", "values", "dense_shape"), "I": ("values", "indices", "dense_shape")}
        return (kind, *(plain(getattr(x, name), depth + 1) for name in fields[kind[0]]))
    if hasattr(x, "numpy") and hasattr(x, "dtype") and hasattr(x, "shape"):
        try:
            return ("tensor", np.asarray(x.numpy()))
        except Exception:  # noqa: BLE001 - symbols, handles, lists: each library has errors of its own for what is no array
            return ("symbol", x.dtype.name, str(x.shape))
    if kind in ("Tensor", "SymbolicTensor"):
        return ("symbol", x.dtype.name, str(x.shape))
    if depth < 6 and isinstance(x, Mapping):
        return ("mapping", [(worded(repr(k)), plain(v, depth + 1)) for k, v in x.items()])
    if depth < 6 and isinstance(x, (list, tuple)) and kind != "TensorShape":
        return (f"sequence {'tuple' if isinstance(x, tuple) else 'list'}", [plain(v, depth + 1) for v in x])
    return ("text", "a function" if callable(x) and not isinstance(x, type) else worded(repr(x)))


def worded(text: str) -> str:
    """Words without what differs between two runs and two libraries: addresses, folders, module names."""
    return _MODULE.sub("", _ADDRESS.sub("0x...", text))


def difference(a: Any, b: Any, ulps: float = _ULPS) -> str:
    """How two plain values differ, in words; "" where they do not."""
    if isinstance(a, tuple) and isinstance(b, tuple) and a and b:
        return _parts(a, b, ulps)
    if isinstance(a, float) and isinstance(b, float):
        return "" if _close(np.asarray(a), np.asarray(b), 2.0**29 * ulps) else f"{b!r} for {a!r}"  # often a float32, by `float()`
    if isinstance(a, str) and isinstance(b, str):
        return "" if same_words(a, b) else f"{_short(b)} for {_short(a)}"
    return "" if type(a) is type(b) and a == b else f"{_short(b)} for {_short(a)}"


def _parts(a: tuple[Any, ...], b: tuple[Any, ...], ulps: float) -> str:
    if a[0] != b[0] or len(a) != len(b):
        return f"a {b[0]} {_short(b[1:])} for a {a[0]} {_short(a[1:])}"
    if a[0] in ("array", "tensor"):
        return array_difference(a[1], b[1], ulps)
    for x, y in zip(a[1:], b[1:], strict=True):
        if isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                return f"{len(y)} items for {len(x)}"
            found = next((d for p, q in zip(x, y, strict=True) if (d := difference(p, q, ulps))), "")
        else:
            found = difference(x, y, ulps)
        if found:
            return found
    return ""


def array_difference(a: np.ndarray, b: np.ndarray, ulps: float = _ULPS) -> str:
    """How two arrays differ: dtype, shape, the first element that is too far away."""
    kinds = ["string" if x.dtype.kind in "OSU" else x.dtype.name for x in (a, b)]
    if kinds[0] != kinds[1]:
        return f"dtype {kinds[1]} for {kinds[0]}"
    if a.shape != b.shape:
        return f"shape {list(b.shape)} for {list(a.shape)}"
    if kinds[0] == "string":
        same = [_bytes(x) for x in a.ravel()] == [_bytes(y) for y in b.ravel()]
        return "" if same else f"{_short(b.tolist())} for {_short(a.tolist())}"
    if _close(a, b, ulps):
        return ""
    return f"{kinds[0]} {_short(b.tolist())} for {_short(a.tolist())}"


def _close(a: Any, b: Any, ulps: float) -> bool:
    """Element by element, in units in the last place of the element, and a few of the largest one for what sums leave."""
    if a.dtype.kind not in "fcV" or not hasattr(a, "real"):
        return bool(np.array_equal(a, b))
    if a.dtype.kind == "c":
        return _close(a.real, b.real, ulps) and _close(a.imag, b.imag, ulps)
    try:
        eps = float(np.finfo(a.dtype).eps)
    except ValueError:
        eps = 2.0**-7  # bfloat16 and its kind
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        largest = float(np.max(np.abs(a[np.isfinite(a)]), initial=0.0))
        near = np.abs(a - b) <= ulps * eps * np.abs(a) + 4 * eps * largest
    return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


def same_words(a: str, b: str) -> bool:
    """Whether two texts say the same: spaces aside, and their numbers near each other."""
    if a.split() == b.split():
        return True
    if _NUMBER.sub("#", a).split() != _NUMBER.sub("#", b).split():
        return False
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
    return all(x == y or (any(c in x + y for c in ".eE") and np.isclose(float(x), float(y), rtol=2e-5, atol=1e-7)) for x, y in pairs)


def failure(e: BaseException) -> tuple[str, list[str], str]:
    """An error: its class, the classes it is one of, its message."""
    return type(e).__name__, [c.__name__ for c in type(e).__mro__], observe.lasting(str(e))[:2000]


def _bytes(x: Any) -> bytes:
    return x.encode() if isinstance(x, str) else bytes(x)


def _short(x: Any) -> str:
    text = " ".join(str(x).split())
    return text if len(text) < 160 else f"{text[:80]} ... {text[-60:]}"
