"""`pullback run --mpi n`: one program in n processes, on this machine, by the `mpiexec` that is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

#: Open MPI refuses the superuser, more processes than processors, and gives each process one processor, unless told.
_OPEN_MPI = {
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
_SUPERUSER = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM")
_MISSING = 2


def launch(command: Sequence[str], replicas: int, restarts: int = 0) -> int:
    """Run a command in `replicas` processes; again, up to `restarts` times, where it fails.

    The processes find how often they were restarted as PULLBACK_RESTART in their environment.

    Returns:
        The exit status of the last run; 2 where mpi4py or mpiexec is missing.
    """
    mpiexec = find_mpiexec()
    missing = "mpiexec" if mpiexec is None else "mpi4py" if importlib.util.find_spec("mpi4py") is None else ""
    if mpiexec is None or missing:
        print(f"pullback: --mpi needs {missing}, which was not found. Install it: pip install pullback[mpi]", file=sys.stderr)
        return _MISSING
    status = 0
    for restart in range(restarts + 1):
        variables = environment(os.environ, replicas) | {"PULLBACK_RESTART": str(restart)}
        status = subprocess.run([mpiexec, "-n", str(replicas), *command], env=variables, check=False).returncode
        if status == 0:
            break
        left = f"restart {restart + 1} of {restarts}" if restart < restarts else "no restart is left"
        what = left if restarts else "what failed is told above"
        print(f"pullback: the program ended with status {status}; {what}", file=sys.stderr)
    return status


def find_mpiexec() -> str | None:
    """The mpiexec of this Python's environment, or else the first on the path; None where there is none."""
    return shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which("mpiexec")


def environment(given: Mapping[str, str], replicas: int) -> dict[str, str]:
    """An environment for the processes: the processors are shared out among them, unless it says how many threads each has."""
    found = _OPEN_MPI | dict(given)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found |= dict.fromkeys(_SUPERUSER, "1")
    if not any(name in given for name in ("PULLBACK_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "OMP_NUM_THREADS")):
        found["PULLBACK_NUM_THREADS"] = str(max(1, _processors() // replicas))
    return found


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
