"""Older versions of neural-network operations, with attributes where the newer ones have inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int32
from ..aliases.define import REQUIRED, version
from ..search.sort import IN_TOP_K, TOP_K
from .bias import BIAS_ADD


def _count(k: Any) -> Any:
    return np.int32(k)


def _as_targets(k: Any, targets: Any) -> Any:
    return np.asarray(k, getattr(targets.dtype, "numpy_dtype", targets.dtype))


BIAS_ADD_V1 = version("BiasAddV1", "value bias", BIAS_ADD, fixed={"data_format": "NHWC"})
TOP_K_V1 = version("TopK", "input", TOP_K, fixed={"k": _count, "index_type": int32}, attributes={"k": REQUIRED})
IN_TOP_K_V1 = version("InTopK", "predictions:float32 targets:T=int32", IN_TOP_K, fixed={"k": _as_targets}, attributes={"k": REQUIRED})
