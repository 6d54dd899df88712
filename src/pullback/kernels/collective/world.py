"""The processes of this run: how many, which this is, and the line to the others.

A process that no MPI launcher started is alone, and never loads mpi4py.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ...base.errors import UnavailableError
from .channel import DEFAULT_TIMEOUT, Channel
from .meeting import end_if_late
from .memory import share_memory

#: What launchers tell their processes: Open MPI; MPICH, Intel MPI and others of Hydra; MVAPICH.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK")
_LOCAL_RANKS = ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK")
#: How long the others have to hear of a failure before all are ended.
_GRACE = 1.0


class World:
    """The processes of a run.

    channel: the line to the others, None for a process that is alone.  overlaps: whether sums go on while the program computes.
    """

    def __init__(self, channel: Channel | None, local_rank: int = 0, overlaps: bool = False) -> None:
        self.channel = channel
        self.rank = 0 if channel is None else channel.rank
        self.size = 1 if channel is None else channel.size
        self.local_rank = local_rank
        self.overlaps = overlaps

    def name(self) -> str:
        """Who this process is, in words."""
        return "replica 0 of 1" if self.channel is None else self.channel.name(self.rank)


_found: list[World] = []


def world() -> World:
    """The processes of this run, which meet at the first call.

    Raises ModuleNotFoundError where a launcher started several and mpi4py is missing.
    """
    if not _found:
        _found.append(World(None) if _launched_size() == 1 else _connect(None))
    return _found[0]


def use_communicator(communicator: object) -> World:
    """Make the processes of an mpi4py communicator those of this run; RuntimeError where others were asked before."""
    if _found and _found[0].channel is not None:
        raise RuntimeError("the processes of this run have met already: call pullback.distribute.init(comm) before anything distributed")
    _found[:] = [_connect(communicator)]
    return _found[0]


def _launched_size() -> int:
    return int(_number(_SIZES, "1"))


def _number(names: Sequence[str], otherwise: str) -> str:
    """The first of some variables of the environment that is a number."""
    return next((os.environ[name] for name in names if os.environ.get(name, "").isdigit()), otherwise)


def _connect(communicator: Any) -> World:
    timeout = float(os.environ.get("PULLBACK_MPI_TIMEOUT", DEFAULT_TIMEOUT))
    own = f"process {os.getpid()} on {os.uname().nodename if hasattr(os, 'uname') else 'this machine'}"
    with end_if_late(timeout, f"replica {_number(_RANKS, '?')} of {_launched_size()} ({own})"):
        communicator = (_world_of_launcher() if communicator is None else communicator).Dup()  # not mixed with the program's own messages
        if communicator.Get_size() == 1:
            return World(None)
        names = communicator.allgather(own)
        memory = share_memory(communicator)
    channel = Channel(communicator, names, timeout, memory)
    local = int(_number(_LOCAL_RANKS, str(channel.rank)))
    atexit.register(channel.end)
    _end_all_on_failure(channel)
    return World(channel, local, _agree_on_overlap(communicator))


def _world_of_launcher() -> Any:
    """The communicator of all that the launcher started, who each wait here for the others."""
    launched = _launched_size()
    try:
        from mpi4py import MPI
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"this is one of {launched} processes of an MPI program, and mpi4py, which they meet by, is not installed. "
            "Install it: pip install pullback[mpi]",
            name="mpi4py",
        ) from None
    found = MPI.COMM_WORLD.Get_size()
    if found != launched:
        library = MPI.Get_library_version().split(",", 1)[0]
        raise RuntimeError(
            f"the launcher started {launched} processes, and mpi4py's library ({library}) knows of {found}: they belong to "
            "different MPIs. Start the program with the mpiexec of that library, as `pullback run --mpi` does"
        )
    return MPI.COMM_WORLD


def _agree_on_overlap(communicator: Any) -> bool:
    """Whether sums go on while programs compute: where all wish so, or every machine has a processor that no process needs."""
    host = os.uname().nodename if hasattr(os, "uname") else ""
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    places = communicator.allgather((host, frozenset(processors), os.environ.get("PULLBACK_MPI_OVERLAP", "")))
    wishes = {wish for _, _, wish in places}
    if wishes <= {"0", "1"}:
        return wishes == {"1"}
    on = {host: [owned for other, owned, _ in places if other == host] for host, _, _ in places}
    return all(len(frozenset().union(*owned)) > len(owned) for owned in on.values())


def _end_all_on_failure(channel: Channel) -> None:
    """Let an exception that nobody catches end the other processes too, with the name of this one and the exception."""
    shown = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        shown(kind, error, trace)
        text = f"{kind.__name__}: {error}".splitlines()[0][:200]
        consequence = isinstance(error, UnavailableError)
        if not consequence:
            print(f"{channel.name(channel.rank)} failed with {text}; all replicas end", file=sys.stderr)
        sys.stderr.flush()
        sys.stdout.flush()
        channel.fail(text, _GRACE)

    sys.excepthook = hook
