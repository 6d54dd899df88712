"""Runs a program of this folder in several processes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pullback.cli.launch import find_mpiexec

HERE = Path(__file__).parent
needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or find_mpiexec() is None, reason="needs mpi4py and mpiexec: pip install pullback[mpi]"
)


#: Runs a command, behind a folder's name, where that folder is a file system of 64 kB of its own.
SMALL_FOLDER = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o size=64k none "$0" && exec "$@"')


def needs_small_folder(folder: Path) -> tuple[str, ...]:
    """What to put before a command for which a folder is to have 64 kB; the test is skipped where the system does not allow it."""
    before = (*SMALL_FOLDER, str(folder))
    if shutil.which("unshare") is None or subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs leave to mount a file system of its own: unshare --user --map-root-user --mount")
    return before


def run_replicas(
    replicas: int, program: str, *arguments: str, restarts: int = 0, before: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """What a program did and wrote; replicas is 0 for a process of its own, without MPI.  before: what stands before the command."""
    path = [str(HERE.parents[1] / "src"), str(HERE.parents[1])]
    launcher = ["--mpi", str(replicas), "--restarts", str(restarts)] if replicas else []
    return subprocess.run(
        [*before, sys.executable, "-m", "pullback", "run", "--tf", "2", *launcher, str(HERE / program), *arguments],
        env={"PULLBACK_MPI_OVERLAP": "1", "PULLBACK_MPI_TIMEOUT": "120"} | os.environ | {"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True, text=True, errors="replace", timeout=300, check=False,
    )  # fmt: skip
