"""What an exported function is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Exported:
    """A program in files: their contents by name, a Path for one that is copied, and what it takes and gives."""

    files: Mapping[str, bytes | Path]
    signature: Mapping[str, Any]
