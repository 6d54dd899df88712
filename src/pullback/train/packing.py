"""Arrays of any dtype as the content of a `.safetensors` file, and back.

safetensors has no complex numbers, no bfloat16 in NumPy and no strings: these are stored as numbers it has, and a note in its metadata says
as what.  A second note lists the objects that held the arrays, a third the arrays by the names of their variables, a fourth is a checksum
of names, dtypes, shapes, contents and notes.  A file may come from anywhere: whatever its notes say is checked before it is used.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

Nodes = list[dict[str, int]]
"""Of each object, by number, the names under which it holds others, and their numbers; the root is 0."""

_DTYPES, _OBJECTS, _NAMES, _CHECKSUM = "pullback.dtypes", "pullback.objects", "pullback.names", "pullback.checksum"
_PARTS = {"complex64": np.float32, "complex128": np.float64}


def pack(arrays: Mapping[str, np.ndarray], nodes: Nodes | None = None, names: Mapping[str, str] | None = None) -> bytes:
    """The content of a file with these arrays, with the objects that held them, and with their keys by the names of variables."""
    from safetensors.numpy import save

    packed: dict[str, np.ndarray] = {}
    kinds: dict[str, Any] = {}
    for name, array in arrays.items():
        packed[name], kind = _pack_array(np.asarray(array))
        if kind is not None:
            kinds[name] = kind
    notes = {_DTYPES: json.dumps(kinds)} | ({} if nodes is None else {_OBJECTS: json.dumps(nodes)})
    if names:
        notes[_NAMES] = json.dumps(dict(names))
    return bytes(save(packed, notes | {_CHECKSUM: _checksum(packed, notes)}))


def unpack(data: bytes) -> tuple[dict[str, np.ndarray], Nodes | None]:
    """The arrays of a file by name, and the objects that held them if it says so.

    Raises:
        ValueError: the file is damaged.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        packed = load(data)
        notes = _notes_of(data)
    except (SafetensorError, KeyError, TypeError) as why:  # KeyError: a dtype that NumPy has not
        raise ValueError(f"{type(why).__name__}: {why}") from why
    own = {key: text for key, text in notes.items() if key.startswith("pullback.")}
    if own and own.pop(_CHECKSUM, None) != _checksum(packed, own):
        raise ValueError("its checksum is not that of its content")
    kinds = _parse_json(own.get(_DTYPES, "{}"))
    if not isinstance(kinds, dict) or not kinds.keys() <= packed.keys():
        raise ValueError("the note on dtypes does not fit the arrays")
    nodes = None if _OBJECTS not in own else _check_nodes(_parse_json(own[_OBJECTS]))
    return {name: _unpack_array(name, array, kinds.get(name)) for name, array in packed.items()}, nodes


def unpack_by_name(data: bytes) -> dict[str, np.ndarray]:
    """Those arrays of a file of which it says the names of their variables, by them.  Raises ValueError where it is damaged."""
    arrays, _ = unpack(data)
    names = _parse_json(_notes_of(data).get(_NAMES, "{}"))
    if not isinstance(names, dict) or not all(isinstance(key, str) and key in arrays for key in names.values()):
        raise ValueError("the note on names of variables does not fit the arrays")
    return {name: arrays[key] for name, key in names.items()}


def _notes_of(data: bytes) -> dict[str, str]:
    size = int.from_bytes(data[:8], "little")
    notes: dict[str, str] = _parse_json(data[8 : 8 + size].decode()).get("__metadata__", {})
    return notes


def _checksum(packed: Mapping[str, np.ndarray], notes: Mapping[str, str]) -> str:
    total = zlib.crc32(json.dumps(dict(notes), sort_keys=True).encode())
    for name, array in sorted(packed.items()):
        total = zlib.crc32(json.dumps([name, array.dtype.str, array.shape]).encode(), total)
        total = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, total)
    return f"crc32:{total:08x}"


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("a note is nested too deeply") from None


def _pack_array(array: np.ndarray) -> tuple[np.ndarray, Any]:
    """An array that safetensors takes, and a note on how to undo it."""
    if array.dtype == ml_dtypes.bfloat16:
        return array.view(np.uint16).copy(order="C"), "bfloat16"
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag], -1), array.dtype.name
    if array.dtype.kind in "OSU":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
        return np.frombuffer(b"".join(items), np.uint8), {"shape": list(array.shape), "lengths": [len(item) for item in items]}
    return array.copy(order="C"), None


def _unpack_array(name: str, array: np.ndarray, note: Any) -> np.ndarray:
    if note is None:
        return array
    if note == "bfloat16" and array.dtype == np.uint16:
        return array.view(ml_dtypes.bfloat16)
    if isinstance(note, str) and array.dtype == _PARTS.get(note) and array.shape[-1:] == (2,):
        return np.ascontiguousarray(array).view(note)[..., 0]
    if isinstance(note, dict) and array.dtype == np.uint8 and array.ndim == 1:
        return _unpack_strings(name, array, note)
    raise ValueError(f"the note on the dtype of {name!r} does not fit its array, {array.dtype}{list(array.shape)}")


def _unpack_strings(name: str, array: np.ndarray, note: Mapping[str, Any]) -> np.ndarray:
    shape, lengths = (_counts(name, note.get(key)) for key in ("shape", "lengths"))
    if math.prod(shape) != len(lengths) or sum(lengths) != array.size:
        raise ValueError(f"the strings of {name!r} do not fill its shape {shape}")
    text, end = array.tobytes(), 0
    strings = np.empty(len(lengths), object)
    for i, length in enumerate(lengths):
        strings[i] = text[end : end + length]
        end += length
    return strings.reshape(shape)


def _counts(name: str, given: Any) -> list[int]:
    if not isinstance(given, list) or not all(type(n) is int and 0 <= n < 2**62 for n in given):
        raise ValueError(f"the note on the strings of {name!r} has no list of sizes where one should be")
    return given


def _check_nodes(given: Any) -> Nodes:
    if not isinstance(given, list) or not given or not all(isinstance(node, dict) for node in given):
        raise ValueError("the note on objects is no list of them")
    if not all(type(i) is int and 0 <= i < len(given) for node in given for i in node.values()):
        raise ValueError("the note on objects names one that is not there")
    return given
