"""Keras's initializer of kernels for short-time Fourier transforms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def values(tf: Any) -> Answers:
    """Both sides, windows, scalings and dtypes."""
    stft = tf.keras.initializers.STFT
    windows = {"hann": np.hanning(8), "hamming": list(np.hamming(8)), "none": None}
    found: Answers = {
        f"{side} {name} {scaling}": (lambda side=side, window=window, scaling=scaling: stft(side, window, scaling)([8, 1, 5]))
        for side, (name, window), scaling in itertools.product(("real", "imag"), windows.items(), ("density", "spectrum", None))
    }
    ramp = np.linspace(-0.5, 1.0, 6)
    return found | {
        "short frame": lambda: stft("real", ramp)([6, 1, 9]),
        "long frame": lambda: stft("imag", None)([400, 1, 3]),
        "float64": lambda: stft("real", ramp)([6, 1, 4], dtype="float64"),
        "config": lambda: sorted(stft("imag", None, None, True).get_config().items(), key=lambda item: item[0]),
        "side": raises(lambda: stft("both", None), "side"),
        "scaling": raises(lambda: stft(window=None, scaling="none"), "Scaling"),
        "length": raises(lambda: stft(window=ramp)([5, 1, 4]), "window"),
    }
