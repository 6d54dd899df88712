"""What the namespace says of itself: devices, dtypes, capabilities."""

from __future__ import annotations

from typing import Any

from ..base.dtypes import complex64, float32, int32, int64
from ._dtypes import _KINDS, isdtype

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_DEVICES = (None, "cpu", "CPU:0", "/CPU:0", DEVICE)


def check_device(device: str | None) -> None:
    """Refuse a device that is not this processor."""
    if device not in _DEVICES:
        raise ValueError(f"there is one device, the CPU ({DEVICE!r} or 'cpu'), and not {device!r}")


class Info:
    """What `__array_namespace_info__` gives."""

    def capabilities(self) -> dict[str, Any]:
        """What the standard leaves open: masks and shapes that depend on values are there."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of new arrays."""
        return DEVICE

    def default_dtypes(self, *, device: str | None = None) -> dict[str, Any]:
        """The dtypes of Python numbers."""
        check_device(device)
        return {"real floating": float32, "complex floating": complex64, "integral": int32, "indexing": int64}

    def devices(self) -> list[str]:
        """All devices."""
        return [DEVICE]

    def dtypes(self, *, device: str | None = None, kind: object = None) -> dict[str, Any]:
        """The standard's dtypes by name, those of a kind or of all."""
        check_device(device)
        whole = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
        names = ["bool", *whole, "float32", "float64", "complex64", "complex128"]
        known = {dtype.name: dtype for kinds in _KINDS.values() for dtype in kinds}
        return {name: known[name] for name in names if kind is None or isdtype(known[name], kind)}


def __array_namespace_info__() -> Info:
    """Devices, dtypes and capabilities.

    >>> xp.__array_namespace_info__().default_dtypes()["integral"]
    tf.int32
    """
    return Info()
