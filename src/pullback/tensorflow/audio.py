"""`tf.audio`: sound as WAV files of 16 bits, decoded to numbers between -1 and 1 and encoded again.  No gradient goes through them."""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any

import numpy as np

from ..base.dtypes import float32, int32, string
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.attributes import as_whole
from ..ir.op import define
from ..ir.tensor import Tensor, TensorLike, TensorType
from ..ops.array.type_rules import Array, invalid_argument, require_rank

DecodeWav = namedtuple("DecodeWav", ["audio", "sample_rate"])  # as the results of other operations
#: Chunks that may come before the format.
_BEFORE = frozenset({b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml"})
_STEPS = 1 << 15


class _Reader:
    """A file that is read from its beginning."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def read(self, count: int) -> bytes:
        """So many bytes; InvalidArgumentError where there are not as many."""
        found = self.content[self.at : self.at + count]
        if len(found) < count:
            raise InvalidArgumentError(None, None, "Data too short when trying to read string")
        self.at += count
        return found

    def number(self) -> int:
        """The next four bytes as a number."""
        return int.from_bytes(self.read(4), "little")

    def expect(self, word: bytes) -> None:
        """The next four bytes, which are a certain word."""
        found = self.read(4)
        _require(found == word, f"Header mismatch: Expected {word.decode()} but found {found.decode(errors='replace')}")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise InvalidArgumentError(None, None, otherwise)


def _samples(content: bytes) -> tuple[Array, int]:
    """The samples of a WAV file, a row for each moment, and how many there are in a second."""
    file = _Reader(content)
    file.expect(b"RIFF")
    file.read(4)
    file.expect(b"WAVE")
    while (name := file.read(4)) != b"fmt ":
        _require(name in _BEFORE, f"Unexpected field {name.decode(errors='replace')}")
        file.read(file.number())
    size = file.number()
    _require(size in (16, 18), f"Bad format chunk size for WAV: Expected 16 or 18, but got{size}")
    form, channels, rate, a_second, a_moment, bits = struct.unpack("<HHIIHH", file.read(16))
    _require(form == 1, f"Bad audio format for WAV: Expected 1 (PCM), but got{form}")
    _require(channels > 0, "Bad number of channels for WAV: Expected at least 1, but got 0")
    _require(bits == 16, f"Can only read 16-bit WAV files, but received {bits}")
    _require(a_moment == 2 * channels, f"Bad bytes per sample in WAV header: Expected {2 * channels} but got {a_moment}")
    _require(a_second == rate * a_moment, f"Bad bytes per second in WAV header: Expected {rate * a_moment} but got {a_second}")
    file.read(size - 16)
    found = None
    while file.at < len(content):
        name, size = file.read(4), file.number()
        if name == b"data":
            _require(found is None, "More than one data chunk found in WAV")
            found = file.read(size // a_moment * a_moment)
        else:
            file.read(size)
    if found is None:
        raise InvalidArgumentError(None, None, "No data chunk found in WAV")
    return np.frombuffer(found, "<i2").reshape(-1, channels).astype(np.float32) / np.float32(_STEPS), rate


def _decode_type(contents: Any, *, desired_channels: int = -1, desired_samples: int = -1) -> tuple[TensorType, TensorType]:
    require_rank(contents, 0, "contents must be scalar")
    dims = tuple(None if n == -1 else n for n in (desired_samples, desired_channels))
    return TensorType(dims, float32), TensorType((), int32)


def _decode(contents: Array, *, desired_channels: int = -1, desired_samples: int = -1) -> tuple[Array, Array]:
    if contents.ndim:
        raise InvalidArgumentError(None, None, f"contents must be scalar, got shape {list(contents.shape)}")
    samples, rate = _samples(contents.item())
    if desired_channels != -1:
        samples = samples[:, np.minimum(np.arange(desired_channels), samples.shape[1] - 1)]
    for name, count in (("desired_channels", desired_channels), ("desired_samples", desired_samples)):
        if count < -1:
            raise invalid_argument(f"{name} must be >= -1, got {count}")
    if desired_samples != -1:
        samples = np.pad(samples[:desired_samples], ((0, max(0, desired_samples - len(samples))), (0, 0)))
    return samples, np.array(rate, np.uint32).astype(np.int32)


def _encode_type(audio: Any, sample_rate: Any) -> TensorType:
    require_rank(audio, 2, "audio must be 2-dimensional")
    require_rank(sample_rate, 0, "Input sample_rate should be a scalar tensor")
    return TensorType((), string)


def _encode(audio: Array, sample_rate: Array) -> Array:
    if audio.ndim != 2 or sample_rate.ndim:
        raise InvalidArgumentError(None, None, f"audio must be 2-dimensional{list(audio.shape)}, sample_rate a scalar")
    found: Array = np.empty((), object)
    found[()] = wav_file(audio, int(sample_rate))
    return found


def wav_file(audio: Array, rate: int) -> bytes:
    """A file of samples [moments, channels]; an InvalidArgumentError where there is no channel or no rate."""
    _require(rate > 0, f"sample_rate must be in (0, 2^32), got: {rate % 2**64}")
    channels = audio.shape[1]
    _require(channels > 0, "audio is null")
    scaled = audio.astype(np.float64) * _STEPS
    rounded = np.copysign(np.floor(np.abs(scaled) + 0.5), scaled)
    steps = np.nan_to_num(np.clip(rounded, -_STEPS, _STEPS - 1)).astype("<i2").tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(steps), b"WAVE", b"fmt ", 16, 1, channels, rate, 2 * channels * rate,
                       2 * channels, 16, b"data", len(steps))  # fmt: skip
    return head + steps


DECODE_WAV = define(
    "DecodeWav", "contents:string", _decode_type, _decode, {}, outputs="audio sample_rate", batch="one file at a time",
)  # fmt: skip
ENCODE_WAV = define("EncodeWav", "audio:float32 sample_rate:int32", _encode_type, _encode, {}, batch="one file at a time")


@export("audio.decode_wav")
def decode_wav(
    contents: TensorLike, desired_channels: int | None = -1, desired_samples: int | None = -1, name: str | None = None
) -> DecodeWav:
    """The samples of a WAV file of 16 bits as numbers from -1 to 1, and how many there are in a second.

    Args:
        contents: the file, a scalar of dtype string.
        desired_channels, desired_samples: so many of each, the last channel repeated, the samples followed by zeros; -1 or None as in the
            file.

    Raises:
        InvalidArgumentError: no such file.

    >>> file = tf.audio.encode_wav([[0.5], [-1.0]], sample_rate=8000)
    >>> audio, sample_rate = tf.audio.decode_wav(file, desired_samples=3)
    >>> audio.numpy().ravel().tolist(), sample_rate.numpy().item()
    ([0.5, -1.0, 0.0], 8000)
    """
    wanted = {"desired_channels": desired_channels, "desired_samples": desired_samples}
    counts = {key: -1 if value is None else as_whole(key, value, "DecodeWav") for key, value in wanted.items()}
    return DecodeWav(*DECODE_WAV(contents, **counts, name=name))


@export("audio.encode_wav")
def encode_wav(audio: TensorLike, sample_rate: TensorLike, name: str | None = None) -> Tensor:
    """A WAV file of 16 bits, a scalar of dtype string.

    Args:
        audio: samples from -1 to 1, a row for each moment and a column for each channel; what lies beyond is cut off.
        sample_rate: how many moments there are in a second.

    Raises:
        InvalidArgumentError: other shapes, no channel, no positive rate.

    >>> tf.audio.encode_wav([[0.5]], 8000).numpy()[-6:]
    b'\\x02\\x00\\x00\\x00\\x00@'
    """
    return ENCODE_WAV(audio, sample_rate, name=name)
