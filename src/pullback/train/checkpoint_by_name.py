"""Restoring objects from what a `tf.compat.v1.train.Saver` wrote: variables by their names, wherever the objects hold them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..api.session import Session, get_default_session
from ..api.variable import Variable
from ..base.dtypes import as_dtype, find_dtype
from ..base.errors import InvalidArgumentError
from .trackable import KEY, Pending, objects, walk


class NameBasedSaverStatus:
    """What such a restore has done so far; it goes on while objects make their variables."""

    def __init__(self, root: Any, arrays: dict[str, np.ndarray]) -> None:
        self._root, self._arrays = root, arrays
        self._restored: set[int] = set()
        self._found: set[str] = set()
        self._optional: set[int] = set()
        self._in_graph: list[tuple[Variable, np.ndarray]] = []
        self._bind(root)

    def _bind(self, thing: Any) -> None:
        held = [found for _, found in objects(thing)]
        named = [v for v in held if isinstance(v, Variable) and v._shared_name in self._arrays]
        for v in named:
            check_fits(v._shared_name, v, self._arrays[v._shared_name])
        for v in named:
            self._restored.add(id(v))
            self._found.add(v._shared_name)
            if v._graph is None:
                v.assign(self._arrays[v._shared_name])
            else:
                self._in_graph.append((v, self._arrays[v._shared_name]))
        for found in held:
            pending = getattr(found, "_pending", None)
            if isinstance(pending, Pending):
                pending.wait(self, 0)

    def go_on(self, node: int, name: str, thing: object) -> None:
        """An object holds `thing` now: restore the variables in it that the file has."""
        self._bind(thing)

    def is_done_with(self, node: int) -> bool:
        """Whether no object can bring a further variable."""
        return self._found.issuperset(self._arrays)

    def add_to_optionally_restored(self, variable: Variable) -> None:
        """Do not ask for a variable that such files need not have."""
        self._optional.add(id(variable))

    def assert_existing_objects_matched(self) -> NameBasedSaverStatus:
        """Raises AssertionError unless all variables there are now were restored."""
        left = [v for _, v in walk(self._root) if id(v) not in self._restored | self._optional]
        if left:
            raise AssertionError(f"Some objects had attributes which were not restored: {left[:10]}")
        return self

    def assert_consumed(self) -> NameBasedSaverStatus:
        """As `assert_existing_objects_matched`: what else the file holds does not matter."""
        return self.assert_existing_objects_matched()

    def assert_nontrivial_match(self) -> NameBasedSaverStatus:
        """Raises AssertionError unless a variable was restored."""
        if not self._restored:
            raise AssertionError(f"No variable has a name that is in the checkpoint: {sorted(self._arrays)}")
        return self

    def expect_partial(self) -> NameBasedSaverStatus:
        """Nothing warns of what is left here."""
        return self

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Run the restores of variables in graphs, and initialise those that the file has not; eagerly nothing is left to do."""
        fresh = [v.initializer for _, v in walk(self._root) if id(v) not in self._restored and v._graph is not None]
        if fresh:
            session_of(session).run(fresh)
        self.run_restore_ops(session)

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Run the restores of variables in graphs; eagerly they are done."""
        for variable, array in self._in_graph:
            variable.load(array, session_of(session))


def session_of(given: object) -> Any:
    """The session given, or the default one; ValueError where there is none."""
    session = get_default_session() if given is None else given
    if session is None:
        raise ValueError("the variables are in a graph: give the session, or make one the default")
    return session


def check_fits(path: str, v: Any, array: np.ndarray) -> None:
    """Refuse an array of another dtype or shape than the variable that it is for."""
    dtype, expected = find_dtype(array), as_dtype(v.dtype).base_dtype
    if dtype is not expected:
        name = {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)
        raise InvalidArgumentError(
            None, None, f"tensor_name = {path}{KEY}; expected dtype {expected.name} does not equal original dtype {name}"
        )
    if not v.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Received incompatible tensor with shape {array.shape} when attempting to restore variable with shape {v.shape} and name "
            f"{v.name}."
        )
