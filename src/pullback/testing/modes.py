"""The marks of `tensorflow.python.framework.test_util`: tests that run in graphs, eagerly, in both, or not here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from ..api.default import get_default_graph
from ..api.variable import Defaults
from ..ir.context import enter_graph
from ..ir.graph import Graph

T = TypeVar("T", bound=Callable[..., Any])


def _mark_tests(mark: Callable[..., Any]) -> Callable[..., Any]:
    """A mark of functions that marks a class too: its tests."""

    @functools.wraps(mark)
    def decorate(target: Any) -> Any:
        if not isinstance(target, type):
            return mark(target)
        for name, value in list(vars(target).items()):
            if callable(value) and name.startswith("test") and name != "test_session":
                setattr(target, name, mark(value))
        return target

    return decorate


@_mark_tests
def deprecated_graph_mode_only(test: Callable[..., Any]) -> Callable[..., Any]:
    """The mark of a test, or of a class of tests, that builds the default graph."""

    @functools.wraps(test)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        with enter_graph(get_default_graph()):
            return test(self, *args, **kwargs)

    return run


def run_in_graph_and_eager_modes(func: Any = None, config: Any = None, use_gpu: bool = True) -> Callable[..., Any]:
    """The mark of a test that runs in a graph with a session, and then eagerly, each after `setUp`."""

    def mark(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> None:
            with Graph().as_default(), self.session():
                test(self, *args, **kwargs)
            self.tearDown()
            self.setUp()
            with enter_graph(None):
                test(self, *args, **kwargs)

        return run

    return mark if func is None else mark(func)


run_all_in_graph_and_eager_modes = _mark_tests(run_in_graph_and_eager_modes)


def _mark_skipped(applies: Callable[[], bool], reason: str) -> Callable[..., Any]:
    """A mark of tests that are skipped where `applies()` says so."""

    @_mark_tests
    def mark(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            if applies():
                self.skipTest(reason)
            return test(self, *args, **kwargs)

        return run

    return mark


def run_v1_only(reason: Any = None, func: Any = None) -> Callable[..., Any]:
    """The mark of a test that is skipped where TensorFlow 2's behaviour is on."""
    if callable(reason):
        reason, func = None, reason
    mark = _mark_skipped(lambda: Defaults.use_resource, reason or "Test is only compatible with v1")
    return mark if func is None else mark(func)


def run_v2_only(func: Any = None, reason: str | None = None) -> Callable[..., Any]:
    """The mark of a test that is skipped where TensorFlow 1's behaviour is on."""
    mark = _mark_skipped(lambda: not Defaults.use_resource, reason or "Test is only compatible with v2")
    return mark if func is None else mark(func)


run_gpu_only = _mark_skipped(lambda: True, "Test requires GPU")


def skip_if(condition: Callable[[], bool] | bool) -> Callable[..., Any]:
    """The mark of a test that is skipped where `condition` holds."""
    return _mark_skipped(condition if callable(condition) else lambda: condition, "Skipping")


def leave_described(description: str) -> Callable[[T], T]:
    """A mark with a reason, of what there is one way of here: tests stay as they are."""
    return lambda target: target
