"""Golden files: JSON that a person can read, one check a line, arrays as dtype, shape and flat data.

Floats are written with the fewest digits that read back to the same number; `nan` and infinities as strings, complex numbers as pairs.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from tests.cases.case import dtype_of

DATA = Path(__file__).parent / "data"


def write(name: str, made_with: str, sections: dict[str, dict[str, Any]]) -> None:
    """Write `data/<name>.json`."""
    lines = ["{", f'"made with": {json.dumps(made_with)}']
    for section, records in sections.items():
        body = ",\n".join(f"  {json.dumps(key)}: {json.dumps(encode(record), ensure_ascii=False)}" for key, record in records.items())
        lines[-1] += ","
        lines.append(f"{json.dumps(section)}: {{\n{body}\n}}")
    DATA.mkdir(exist_ok=True)
    (DATA / f"{name}.json").write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")


def read(name: str) -> dict[str, dict[str, Any]]:
    """Read `data/<name>.json`, arrays restored; empty when there is no such file yet."""
    path = DATA / f"{name}.json"
    if not path.exists():
        return {}
    raw = json.loads(path.read_text(encoding="utf-8"))
    sections = {section: records for section, records in raw.items() if isinstance(records, dict)}
    return {section: {key: decode(record) for key, record in records.items()} for section, records in sections.items()}


def encode(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        a = np.asarray(x)
        dtype = "string" if a.dtype.kind in "OSU" else a.dtype.name
        return {"dtype": dtype, "shape": list(a.shape), "data": [_scalar(v) for v in a.ravel()]}
    if isinstance(x, dict):
        return {str(k): encode(v[:300] if k == "message" else v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [encode(v) for v in x]
    if isinstance(x, bytes):
        return {"bytes": x.decode("latin-1")}
    if isinstance(x, float) and not math.isfinite(x):
        return {"float": str(x)}
    if isinstance(x, complex):
        return {"complex": [str(x.real), str(x.imag)]}
    if x is None or isinstance(x, (bool, int, float, str)):
        return x
    raise TypeError(f"a golden file cannot hold {x!r} of type {type(x).__name__}")


def decode(x: Any) -> Any:
    if isinstance(x, list):
        return [decode(v) for v in x]
    if not isinstance(x, dict):
        return x
    if x.keys() == {"dtype", "shape", "data"}:
        return _array(x)
    if x.keys() == {"bytes"}:
        return x["bytes"].encode("latin-1")
    if x.keys() == {"float"}:
        return float(x["float"])
    if x.keys() == {"complex"}:
        return complex(*map(float, x["complex"]))
    return {k: decode(v) for k, v in x.items()}


def _scalar(v: Any) -> Any:
    if isinstance(v, (bytes, str)):
        return v.decode("latin-1") if isinstance(v, bytes) else v
    if isinstance(v, np.complexfloating):
        return [_scalar(v.real), _scalar(v.imag)]
    if isinstance(v, (np.bool_, bool, np.integer)):
        return int(v) if isinstance(v, np.integer) else bool(v)
    number = float(str(v)) if isinstance(v, np.floating) else float(v)
    return number if math.isfinite(number) else str(number)


def _array(x: dict[str, Any]) -> np.ndarray[Any, Any]:
    shape, data = tuple(x["shape"]), x["data"]
    if x["dtype"] == "string":
        out = np.empty(len(data), dtype=object)
        out[:] = [v.encode("latin-1") for v in data]
        return out.reshape(shape)
    dtype = dtype_of(x["dtype"])
    if dtype.kind == "c":
        flat = np.array([complex(float(re), float(im)) for re, im in data], dtype)
    elif dtype.kind in "biu":
        flat = np.array(data, dtype)
    else:
        flat = np.array([float(v) for v in data], np.float64).astype(dtype)
    return flat.reshape(shape)
