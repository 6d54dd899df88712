"""JPEG files, written and read with every option: the bytes and the pixels are TensorFlow's."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"

#: 8 by 16 pixels of four inks, as Adobe's programs write them: upside down, and with a segment that says so.
_INKS = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/8AAFAgA"
    "CAAQBEMRAE0RAFkRAEsRAP/EABgAAQADAQAAAAAAAAAAAAAAAAYABAUH/8QAHRAAAQIHAAAAAAAAAAAAAAAAAAQFFiExQUJjof/aAA4EQwBNAFkASwAAPwBI95Fu"
    "LtnTdcV9Zg1FY5895Ei7Z0LOK+sxAisf/9k="
)
_INKS_UPRIGHT = _INKS[:2] + _INKS[18:]


def _picture(height: int, width: int) -> np.ndarray[Any, Any]:
    """Waves in three colours, with edges."""
    y, x = np.mgrid[:height, :width]
    waves = [127 + 120 * np.sin(x / 3 + y / 5), 255 * (x > y), 127 + 120 * np.cos(x * y / 9)]
    return np.stack(waves, -1).astype(np.uint8)


def read(tf: Any) -> Answers:
    found: Answers = {}
    for size in ((16, 16), (17, 31), (5, 3)):
        picture = _picture(*size)
        files = {
            "colours": tf.io.encode_jpeg(picture),
            "coarse": tf.io.encode_jpeg(picture, quality=30, progressive=True),
            "whole": tf.io.encode_jpeg(picture, chroma_downsampling=False, optimize_size=True),
            "grey": tf.io.encode_jpeg(picture[:, :, :1], quality=60),
        }
        for kind, file in files.items():
            name = f"{kind} {size}"
            found[f"{name}, bytes"] = file.numpy().hex()
            for channels in (0, 1, 3):
                found[f"{name}, {channels} channels"] = lambda f=file, c=channels: tf.io.decode_jpeg(f, channels=c)
            for ratio in (2, 4, 8):
                found[f"{name}, {ratio} times smaller"] = lambda f=file, r=ratio: tf.io.decode_jpeg(f, ratio=r)
            found |= {
                f"{name}, exactly": lambda f=file: tf.io.decode_jpeg(f, dct_method="INTEGER_ACCURATE"),
                f"{name}, quickly": lambda f=file: tf.io.decode_jpeg(f, dct_method="INTEGER_FAST"),
                f"{name}, colours repeated": lambda f=file: tf.io.decode_jpeg(f, fancy_upscaling=False),
                f"{name}, any image": lambda f=file: tf.io.decode_image(f),
                f"{name}, as PNG": lambda f=file: tf.io.decode_png(f),
                f"{name}, a window": lambda f=file: tf.io.decode_and_crop_jpeg(f, [1, 1, 3, 2]),
            }
    return found


def inks(tf: Any) -> Answers:
    found: Answers = {}
    for name, file in {"Adobe's": _INKS, "upright": _INKS_UPRIGHT}.items():
        found |= {
            name: lambda f=file: tf.io.decode_jpeg(f),
            f"{name}, 3 channels": lambda f=file: tf.io.decode_jpeg(f, channels=3),
            f"{name}, smaller": lambda f=file: tf.io.decode_jpeg(f, ratio=2),
            f"{name}, grey": raises(lambda f=file: tf.io.decode_jpeg(f, channels=1)),
        }
    return found


def refused(tf: Any) -> Answers:
    file = tf.io.encode_jpeg(_picture(17, 31)).numpy()
    damaged = {"cut": file[: len(file) // 2], "without its end": file[:-2], "a header": file[:60], "a mark": file[:3], "empty": b""}
    found = {
        f"{name}, {reader}": raises(lambda f=f, r=reader: getattr(tf.io, r)(f))
        for name, f in damaged.items()
        for reader in ("decode_jpeg", "decode_image")
    }
    return found | {
        "a method that is none": raises(lambda: tf.io.decode_jpeg(file, dct_method="FLOAT"), "dct_method"),
        "as BMP": raises(lambda: tf.io.decode_bmp(file)),
        "four channels of an image": raises(lambda: tf.io.decode_image(file, channels=4)),
        "four channels": raises(lambda: tf.io.decode_jpeg(file, channels=4)),
        "bytes behind it": lambda: tf.io.decode_jpeg(file + b"xxxx"),
    }


def qualities(tf: Any) -> Answers:
    picture = _picture(9, 14)
    return {
        f"{quality} {method}": lambda q=quality, m=method: tf.image.adjust_jpeg_quality(picture, q, dct_method=m)
        for quality in (5, 50, 95)
        for method in ("", "INTEGER_ACCURATE")
    }
