"""Runs a program of this folder in several processes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pullback.cli.launch import find_mpiexec

HERE = Path(__file__).parent
needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or find_mpiexec() is None, reason="needs mpi4py and mpiexec: pip install pullback[mpi]"
)


def run_replicas(replicas: int, program: str, *arguments: str, restarts: int = 0) -> subprocess.CompletedProcess[str]:
    """What a program did and wrote; replicas is 0 for a process of its own, without MPI."""
    path = [str(HERE.parents[1] / "src"), str(HERE.parents[1])]
    launcher = ["--mpi", str(replicas), "--restarts", str(restarts)] if replicas else []
    return subprocess.run(
        [sys.executable, "-m", "pullback", "run", "--tf", "2", *launcher, str(HERE / program), *arguments],
        env={"PULLBACK_MPI_OVERLAP": "1"} | os.environ | {"PYTHONPATH": os.pathsep.join(path), "PULLBACK_MPI_TIMEOUT": "120"},
        capture_output=True, text=True, errors="replace", timeout=300, check=False,
    )  # fmt: skip
