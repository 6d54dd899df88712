"""Cases: sound as WAV files."""

from __future__ import annotations

import struct

import numpy as np

from .case import Case, ErrorCase, case, error

SOUND = np.array([[0.0, 0.5], [1.0, -1.0], [2.0, -2.0], [0.1, -0.3], [1e-5, 3e-5], [np.nan, np.inf]], np.float32)
_DATA = struct.pack("<6h", 0, 16384, 32767, -32768, -3, 5)
_FORM = struct.pack("<HHIIHH", 1, 2, 16000, 64000, 4, 16)


def file(form: bytes = _FORM, data: bytes = _DATA, before: bytes = b"", after: bytes = b"", kind: bytes = b"WAVE") -> np.ndarray:
    parts = before + b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data + after
    return np.array(b"RIFF" + struct.pack("<I", len(parts) + 4) + kind + parts, object)


def form(**other: int) -> bytes:
    fields = {"form": 1, "channels": 2, "rate": 16000, "a_second": 64000, "a_moment": 4, "bits": 16} | other
    return struct.pack("<HHIIHH", *fields.values())


CHUNK = b"LIST" + struct.pack("<I", 4) + b"abcd"
PADDING = b"JUNK" + struct.pack("<I", 2) + b"ab"

CASES: list[Case] = [
    case("DecodeWav", "as it is", lambda tf, x: tf.audio.decode_wav(x), file(), smooth=False),
    case("DecodeWav", "one channel", lambda tf, x: tf.audio.decode_wav(x, 1), file(), smooth=False),
    case("DecodeWav", "more channels and samples", lambda tf, x: tf.audio.decode_wav(x, 3, 5), file(), smooth=False),
    case("DecodeWav", "fewer samples", lambda tf, x: tf.audio.decode_wav(x, desired_samples=2), file(), smooth=False),
    case("DecodeWav", "other chunks", lambda tf, x: tf.audio.decode_wav(x), file(before=PADDING, after=CHUNK), smooth=False),
    case("DecodeWav", "a longer form", lambda tf, x: tf.audio.decode_wav(x), file(_FORM + b"\0\0"), smooth=False),
    case("DecodeWav", "no samples", lambda tf, x: tf.audio.decode_wav(x), file(data=b""), smooth=False),
    case("EncodeWav", "two channels", lambda tf, x: tf.audio.encode_wav(x, 16000), SOUND, smooth=False),
    case("EncodeWav", "one channel", lambda tf, x, n: tf.audio.encode_wav(x, n), SOUND[:, :1], np.int32(8000), smooth=False),
    case("EncodeWav", "no samples", lambda tf, x: tf.audio.encode_wav(x, 16000), SOUND[:0], smooth=False),
]

_DAMAGED = {
    "no file": np.array(b"garbage", object),
    "nothing": np.array(b"", object),
    "cut": np.array(file().item()[:50], object),
    "cut form": np.array(file().item()[:30], object),
    "another kind": file(kind=b"WAVX"),
    "another chunk first": file(before=CHUNK),
    "floats": file(form(form=3)),
    "no channel": file(form(channels=0)),
    "bytes of a moment": file(form(channels=1)),
    "bytes of a second": file(form(a_second=1)),
    "8 bits": file(form(bits=8)),
    "a short form": file(_FORM[:-1]),
    "data twice": file(after=b"data" + struct.pack("<I", 4) + b"abcd"),
    "several": np.array([file().item()], object),
}

ERRORS: list[ErrorCase] = [
    *(error(f"DecodeWav: {name}", lambda tf, x: tf.audio.decode_wav(x), content) for name, content in _DAMAGED.items()),
    error("EncodeWav: a vector", lambda tf, x: tf.audio.encode_wav(x, 8000), SOUND[0]),
    error("EncodeWav: no rate", lambda tf, x: tf.audio.encode_wav(x, 0), SOUND),
    error("EncodeWav: a rate below zero", lambda tf, x: tf.audio.encode_wav(x, -5), SOUND),
    error("EncodeWav: rates", lambda tf, x: tf.audio.encode_wav(x, [8000]), SOUND),
    error("EncodeWav: no channel", lambda tf, x: tf.audio.encode_wav(x, 8000), SOUND[:, :0]),
    error("EncodeWav: integers", lambda tf, x: tf.audio.encode_wav(x, 8000), np.array([[1]], np.int32)),
]
