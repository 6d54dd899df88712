"""Where a found answer differs from the golden one, in words; an empty list means that they agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import is_float

_TOLERANCE = {"float64": 1e-10, "complex128": 1e-10, "float32": 2e-5, "complex64": 2e-5, "float16": 5e-3, "bfloat16": 2e-2}
# A smaller number is held to the room of one of this size: what numbers of about one leave where they cancel.
_SMALL = {"float16": 0.4, "bfloat16": 0.4}
_SMALL_ELSE = 0.05


def differences(expected: Any, found: Any, where: str = "", rtol: float | None = None, atol: float | None = None) -> list[str]:
    """Compare two answers of any kind; `where` names the part in the words that come back.

    Each number may be off by twice `rtol` of itself, or with `atol` by that and `rtol` of itself: a large neighbour excuses nothing.
    """
    if isinstance(expected, (np.ndarray, np.generic)) or isinstance(found, (np.ndarray, np.generic)):
        return _arrays(expected, found, where, rtol, atol)
    if isinstance(expected, dict) and "raises" in expected:
        return _errors(expected, found, where)
    if isinstance(expected, dict):
        return _mappings(expected, found, where, rtol, atol)
    if isinstance(expected, list):
        if not isinstance(found, list) or len(expected) != len(found):
            return [f"{where}: expected {expected}, got {found}"]
        parts = (differences(e, f, f"{where}[{i}]", rtol, atol) for i, (e, f) in enumerate(zip(expected, found, strict=True)))
        return [d for part in parts for d in part]
    if type(expected) is float and type(found) is float:
        return _arrays(np.float32(expected), np.float32(found), where, rtol, atol)
    return [] if type(expected) is type(found) and expected == found else [f"{where}: expected {expected!r}, got {found!r}"]


def _arrays(expected: Any, found: Any, where: str, *near: float | None) -> list[str]:
    if not (isinstance(expected, (np.ndarray, np.generic)) and isinstance(found, (np.ndarray, np.generic))):
        return [f"{where}: expected {_show(expected)}, got {_show(found)}"]
    a, b = np.asarray(expected), np.asarray(found)
    kinds = ["string" if x.dtype.kind in "OSU" else x.dtype.name for x in (a, b)]
    if kinds[0] != kinds[1]:
        return [f"{where}: expected dtype {kinds[0]}, got {kinds[1]}"]
    if a.shape != b.shape:
        return [f"{where}: expected shape {a.shape}, got {b.shape}"]
    if kinds[0] == "string":
        same = [_bytes(x) for x in a.ravel()] == [_bytes(y) for y in b.ravel()]
        return [] if same else [f"{where}: expected {a.tolist()}, got {b.tolist()}"]
    return [] if _close(a, b, *near) else [f"{where}: expected {_show(a)}, got {_show(b)}"]


def _close(a: Any, b: Any, rtol: float | None, atol: float | None) -> bool:
    if not is_float(a.dtype):
        return bool(np.array_equal(a, b))
    tolerance = rtol or _TOLERANCE[a.dtype.name]
    small = _SMALL.get(a.dtype.name, _SMALL_ELSE)
    a, b = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
    sizes = np.where(np.isfinite(a), np.abs(a), 0.0)
    room = tolerance * np.maximum(sizes, max(min(small, np.max(sizes, initial=0.0)), _SMALL_ELSE)) if atol is None else atol
    return bool(np.allclose(b, a, rtol=tolerance, atol=room, equal_nan=True))


def _errors(expected: dict[str, Any], found: Any, where: str) -> list[str]:
    """Our class must be TensorFlow's, one derived from it, or one that the program names as good as it; `says` must be said."""
    if not isinstance(found, dict) or "raises" not in found:
        return [f"{where}: expected {expected['raises']} ({expected.get('message', '')[:200]}), got {_show(found)}"]
    if found["raises"] is None:
        return [f"{where}: expected {expected['raises']} ({expected.get('message', '')[:200]}), but it returned {found['returned'][:200]}"]
    wrong = []
    if not {expected["raises"], *expected["or"]} & {found["raises"], *found["bases"]}:
        wanted = f"{expected['raises']} ({expected.get('message', '')[:200]})"
        wrong.append(f"{where}: expected {wanted}, got {found['raises']}: {found['message'][:300]}")
    if missing := [w for w in expected["says"] if w.lower() not in found["message"].lower()]:
        wrong.append(f"{where}: the message lacks {missing}: {found['message'][:300]}")
    return wrong


def _mappings(expected: dict[str, Any], found: Any, where: str, *near: float | None) -> list[str]:
    if not isinstance(found, dict) or expected.keys() != found.keys():
        return [f"{where}: expected {_show(expected)}, got {_show(found)}"]
    parts = (differences(expected[k], found[k], f"{where}[{k!r}]", *near) for k in expected)
    return [d for part in parts for d in part]


def shapes(expected: Any, found: Any, where: str) -> list[str]:
    """A static shape must say at least what TensorFlow's says."""
    if expected in (None, "-"):
        return []
    if not isinstance(found, list) or len(found) != len(expected):
        return [f"{where}: expected static shape {expected}, got {found}"]
    agrees = all(e is None or e == f for e, f in zip(expected, found, strict=True))
    return [] if agrees else [f"{where}: expected static shape {expected}, got {found}"]


def _bytes(x: Any) -> bytes:
    return x.encode() if isinstance(x, str) else bytes(x)


def _show(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return f"{x.dtype.name}{list(x.shape)} {np.array2string(x, threshold=24, precision=7, separator=', ')}"
    return repr(x)[:500]
