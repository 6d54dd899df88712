"""What happens when a process does not come to the first meeting.

MPI starts when all processes start it, and until then no thread of a waiting process runs Python.  So another process looks at the clock.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_WATCH = """
import os, select, sys
seconds, process, text = sys.argv[1:]
if not select.select([0], [], [], float(seconds))[0]:
    print(text, file=sys.stderr, flush=True)
    os.kill(int(process), %d)
"""


@contextmanager
def end_if_late(seconds: float, who: str) -> Iterator[None]:
    """End this process, with a sentence that says why, if the block takes longer; its launcher then ends the others."""
    if os.name != "posix":
        yield
        return
    text = (
        f"{who} has waited {seconds:g} s for the others to begin, and ends: not every replica has called something of pullback.distribute. "
        "If one is only slow, wait longer: PULLBACK_MPI_TIMEOUT in the environment"
    )
    command = [sys.executable, "-ISc", _WATCH % signal.SIGKILL, str(seconds), str(os.getpid()), text]
    with subprocess.Popen(command, stdin=subprocess.PIPE):  # the end of its input says that all have come
        yield
