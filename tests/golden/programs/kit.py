"""How a program of checks is written and run, on TensorFlow and on Pullback alike.

A program is a module with `FACE` and public functions of one argument `tf`, each of which returns `{label: answer}`.  With `FACE = "v1"`
`tf` is `compat.v1` and every function runs in a fresh default graph; with `"v2"` `tf` is TensorFlow 2's face, eager.  An answer is a value
(array, tensor, string, number, None, shape, dtype, list, tuple, dictionary) or a function without arguments that gives one: such a function
is called by itself, so that its failure is the failure of one label.  `raises` answers with the error of a call, `ours` marks an answer
where Pullback differs from TensorFlow 2.21 on purpose: TensorFlow is not asked.  `DEVICES` says how many devices TensorFlow's CPU is to be.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.golden import observe

Answers = dict[str, Any]


class Ours:
    """An answer that the program prescribes itself."""

    def __init__(self, expected: Any, call: Callable[[], Any]) -> None:
        self.expected, self.call = expected, call


def ours(expected: Any, call: Callable[[], Any]) -> Ours:
    """Pullback answers `expected`, where TensorFlow 2.21 answers otherwise, on purpose."""
    return Ours(expected, call)


def raised(*classes: str, says: tuple[str, ...] = ()) -> dict[str, Any]:
    """For `ours`: an error of one of these classes whose message has these words."""
    return {"raises": classes[0], "or": list(classes[1:]), "says": list(says)}


def raises(call: Callable[[], Any], *says: str, otherwise: tuple[str, ...] = ()) -> Callable[[], dict[str, Any]]:
    """The call's error.  `says`: words that our message must have (TensorFlow's must, too).  `otherwise`: classes as good as TensorFlow's."""

    def answer() -> dict[str, Any]:
        returned: list[Any] = []
        found = observe.attempt(lambda: returned.append(call()))
        if found is None:
            return {"raises": None, "returned": repr(returned[0])}
        return {"raises": found["class"], "or": list(otherwise), "says": list(says), "bases": found["bases"], "message": found["message"]}

    return answer


def either(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call's value, or its error where TensorFlow refuses it."""

    def answer() -> Any:
        returned: list[Any] = []
        found = observe.attempt(lambda: returned.append(plain(_value(call))))
        return returned[0] if found is None else {"raises": found["class"], "or": [], "says": [], "bases": found["bases"], "message": found["message"]}

    return answer


def run_all(tf: Any, tensors: list[Any], feed: Mapping[Any, Any] | None = None) -> list[Any]:
    """Graph tensors as values, after the initialisers of all variables; None stays None."""
    live = [t for t in tensors if t is not None]
    with tf.Session(graph=tf.get_default_graph()) as session:
        session.run(tf.global_variables_initializer())
        found = iter(session.run(live, feed) if live else [])
    return [None if t is None else next(found) for t in tensors]


def gradients(tf: Any, ys: Any, xs: Any, feed: Mapping[Any, Any] | None = None, **options: Any) -> Callable[[], list[Any]]:
    """An answer: the values of `tf.gradients`."""
    return lambda: run_all(tf, tf.gradients(ys, xs, **options), feed)


@contextmanager
def logs() -> Iterator[list[str]]:
    """The warnings that go to the log inside the block."""
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(f"{record.levelname} {record.getMessage()}")  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in ("tensorflow", "absl", "pullback")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
    try:
        yield seen
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


def devices(name: str) -> int:
    """How many devices the program needs the CPU to be on TensorFlow; 0 where it does not matter."""
    return getattr(importlib.import_module(f"tests.golden.programs.{name}"), "DEVICES", 0)


def names() -> list[str]:
    """The names of all programs."""
    import tests.golden.programs as here

    return sorted(module.name for module in pkgutil.iter_modules(here.__path__) if module.name != "kit")


def run(tf: Any, name: str, *, oracle: bool) -> Answers:
    """Every answer of a program as a plain value, `function/label` to answer.  `oracle`: prescribed answers stand in for asking."""
    program = importlib.import_module(f"tests.golden.programs.{name}")
    found: Answers = {}
    for function in functions(program):
        found |= {f"{function.__name__}/{label}": answer for label, answer in _run_one(tf, program.FACE, function, oracle).items()}
    return found


def functions(program: Any) -> list[Callable[[Any], Answers]]:
    """The checks of a program module, in the order of the file."""
    public = [f for n, f in vars(program).items() if inspect.isfunction(f) and not n.startswith("_") and f.__module__ == program.__name__]
    return [f for f in public if list(inspect.signature(f).parameters) == ["tf"]]


def _run_one(tf: Any, face: str, function: Callable[[Any], Answers], oracle: bool) -> Answers:
    if face == "v2":
        return _answers(tf, function, oracle)
    with tf.compat.v1.Graph().as_default():
        return _answers(tf.compat.v1, function, oracle)


def _answers(tf: Any, function: Callable[[Any], Answers], oracle: bool) -> Answers:
    given, failed = observe.outcome(lambda: function(tf))
    if failed is not None:  # then every label of the function has failed
        return {"*": {"unexpected": failed}}
    return {label: _settle(answer, oracle) for label, answer in given.items()}


def _settle(answer: Any, oracle: bool) -> Any:
    if isinstance(answer, Ours):
        if oracle:
            return plain(answer.expected)
        answer = answer.call
    found, failed = observe.outcome(lambda: plain(_value(answer)))
    return found if failed is None else {"unexpected": failed}


def _value(answer: Any) -> Any:
    while inspect.isfunction(answer) or inspect.ismethod(answer):
        answer = answer()
    return answer


def plain(x: Any) -> Any:
    """What a golden file can hold: tensors as arrays, shapes and dtypes as text, IndexedSlices made dense."""
    if x is None or isinstance(x, (bool, int, float, complex, str, bytes, np.ndarray, np.generic)):
        return x
    if observe.is_slices(x):
        return {"sparse": observe.densified(x)}
    if isinstance(x, Mapping):
        return {str(k): plain(v) for k, v in x.items()}
    if type(x).__name__ == "TensorShape":
        return f"shape {x}"
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if type(x).__name__ == "DType":
        return f"dtype {x.name}"
    if hasattr(x, "numpy"):
        found = x.numpy()
        return np.asarray(found) if not isinstance(found, bytes) else found
    return repr(x)
