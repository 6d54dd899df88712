"""`tf.train.SessionManager`: sessions whose variables have values, from the last checkpoint or from initial values."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from ...api.default import get_default_graph
from ...api.session import Session
from ...base.errors import DeadlineExceededError, FailedPreconditionError
from ...base.export import export
from ...ir.graph import Graph
from ...ir.node import Node
from ...train.checkpoint_state import get_checkpoint_state
from ..meta_graphs.saver import Saver

_log = logging.getLogger("tensorflow")


@export(v1="train.SessionManager")
class SessionManager:
    """Makes sessions that are ready to run.

    Args:
        local_init_op, local_init_feed_dict, local_init_run_options: what every session runs, with what it is fed.
        ready_op: gives the names of variables that have no value, a string vector; None asks nothing.
        ready_for_local_init_op: likewise, asked before `local_init_op` is run.
        graph: what is run; the default graph when None. recovery_wait_secs: how long to wait before looking again.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.Variable(2.0)
    ...     manager = tf1.train.SessionManager(ready_op=tf1.report_uninitialized_variables())
    ...     with manager.prepare_session("", init_op=v.initializer) as session:
    ...         print(session.run(v))
    2.0
    """

    def __init__(
        self, local_init_op: Node | None = None, ready_op: Any = None, ready_for_local_init_op: Any = None, graph: Graph | None = None,
        recovery_wait_secs: float = 30, local_init_run_options: Any = None, local_init_feed_dict: Mapping[Any, Any] | None = None,
    ) -> None:  # fmt: skip
        self._local_init_op, self._local_feeds, self._options = local_init_op, local_init_feed_dict, local_init_run_options
        self._ready_op, self._ready_for_local_init_op = ready_op, ready_for_local_init_op
        self._graph, self._wait = graph or get_default_graph(), recovery_wait_secs

    def prepare_session(
        self, master: str, init_op: Node | None = None, saver: Saver | None = None, checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None, wait_for_checkpoint: bool = False, max_wait_secs: float = 7200,
        config: Any = None, init_feed_dict: Mapping[Any, Any] | None = None, init_fn: Callable[[Session], Any] | None = None,
    ) -> Session:  # fmt: skip
        """A session that was restored, or else initialised by `init_op` and then `init_fn(session)`.

        Args:
            saver: what restores; None restores nothing. checkpoint_dir, checkpoint_filename_with_path: a folder, whose last checkpoint is
                taken, or a file. wait_for_checkpoint, max_wait_secs: whether, and how long, to wait for one in the folder.

        Raises:
            RuntimeError: something has no value then, or there is nothing to initialise it by. ValueError: a folder and a file.
        """
        session, restored = self._restore(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not restored:
            if init_op is None and init_fn is None and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                session.run(init_op, init_feed_dict)
            if init_fn is not None:
                init_fn(session)
        missing = self._initialize_locally(session)
        if missing is None:
            missing = _missing_names(session, self._ready_op)
        if missing is not None:
            raise RuntimeError(
                f"Init operations did not make model ready. {missing}. Scaffold(init_op=..., local_init_op=...) says what initialises them"
            )
        return session

    def recover_session(
        self, master: str, saver: Saver | None = None, checkpoint_dir: str | None = None, checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False, max_wait_secs: float = 7200, config: Any = None,
    ) -> tuple[Session, bool]:  # fmt: skip
        """A session, and whether it was restored and is ready; arguments as those of `prepare_session`."""
        session, restored = self._restore(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        missing = self._initialize_locally(session)
        return session, restored and missing is None and _missing_names(session, self._ready_op) is None

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = None) -> Session:
        """A session whose variables have values although it initialises none.

        Raises:
            DeadlineExceededError: they have none. Nobody else could give them any: a session has variables of its own.
        """
        session = Session(master, graph=self._graph, config=config)
        missing = self._initialize_locally(session)
        if missing is None:
            missing = _missing_names(session, self._ready_op)
        if missing is not None:
            session.close()
            raise DeadlineExceededError(
                None, None, f"Session was not ready. {missing}. In Pullback no other process or session gives them values: be the chief"
            )
        return session

    def _restore(
        self, master: str, saver: Saver | None, folder: str | None, file: str | None, waits: bool, longest: float, config: Any
    ) -> tuple[Session, bool]:
        """A session, and whether `saver` restored it."""
        if folder and file:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        session = Session(master, graph=self._graph, config=config)
        if saver is not None and file:
            saver.restore(session, file)
            return session, True
        if saver is None or not folder:
            return session, False
        deadline = time.monotonic() + longest
        while (state := get_checkpoint_state(folder)) is None and waits and time.monotonic() < deadline:
            _log.info("Waiting for checkpoint to be available.")
            time.sleep(min(self._wait, max(0.0, deadline - time.monotonic())))
        if state is None:
            return session, False
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    def _initialize_locally(self, session: Session) -> str | None:
        """Run `local_init_op`; what stands in its way, None if nothing does."""
        if self._local_init_op is None:
            return None
        missing = _missing_names(session, self._ready_for_local_init_op)
        if missing is None:
            session.run(self._local_init_op, self._local_feeds, options=self._options)
        return missing


def _missing_names(session: Session, op: Any) -> str | None:
    """What `op` says that has no value; None where everything has one."""
    if op is None:
        return None
    try:
        found = session.run(op)
    except FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            raise
        return str(error)
    if found is None or found.dtype == "int32" or found.size == 0:
        return None
    return f"Variables not initialized: {', '.join(name.decode() for name in found.ravel())}"
