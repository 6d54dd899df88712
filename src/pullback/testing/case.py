"""`tf.test.TestCase`: unittest's cases with checks of tensors, because libraries built on TensorFlow test themselves with it.

Values are compared after `evaluate`, eagerly and in graphs.  What is not about tensors comes from absl's test case, as TensorFlow's does.
"""

from __future__ import annotations

import os
import random
import re
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NoReturn

import numpy as np
from absl.testing import absltest

from ..api.default import reset_default_graph
from ..api.session import Session, get_default_session
from ..base.errors import InvalidArgumentError, OpError
from ..base.export import export
from ..ir.context import executing_eagerly
from ..ir.tensor import TensorCounterpart
from ..tensorflow.legacy.random import set_random_seed
from .evaluation import as_array, evaluate_eagerly, evaluate_tensors, is_ragged, nested_lists

_SEED = 87654321
#: The tolerances of `assertAllCloseAccordingToType` for floats of fewer digits than float64.
_BROADER = ("float", ("float32", "complex64")), ("half", ("float16",)), ("bfloat16", ("bfloat16",))


@export("test.TestCase")
class TestCase(absltest.TestCase):
    """A unittest case that compares tensors, arrays, and structures of them.

    Each test begins with an empty default graph and the same seeds.

    >>> class Tests(tf.test.TestCase):
    ...     def test_square(self):
    ...         self.assertAllClose(tf.square([1.0, 2.0]), [1.0, 4.0])
    >>> Tests("test_square").debug()
    """

    _session: Session | None = None

    def setUp(self) -> None:
        """Seeds are set and the default graph is cleared before each test."""
        super().setUp()
        self._forget_session()
        random.seed(_SEED)
        np.random.seed(_SEED)
        reset_default_graph()
        set_random_seed(_SEED)
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self) -> None:
        """Close what the test left open."""
        self._forget_session()
        super().tearDown()

    def _forget_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    # ---------------------------------------------------------------------------------------------------- sessions and values
    def evaluate(self, tensors: object) -> Any:
        """The values of a structure of tensors: as they are eagerly, by the default or the cached session in a graph."""
        if executing_eagerly():
            return evaluate_eagerly(tensors)
        if (session := get_default_session()) is not None:
            return session.run(tensors)
        with self.cached_session() as session:
            return session.run(tensors)

    def evaluate_if_both_tensors(self, a: object, b: object) -> tuple[Any, Any]:
        """The values of both in one run, where both are tensors; else the two as they are."""
        both = isinstance(a, TensorCounterpart) and isinstance(b, TensorCounterpart)
        return self.evaluate((a, b)) if both else (a, b)

    @contextmanager
    def session(self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False) -> Iterator[Any]:
        """A session of its own that is the default within the block, whose graph is too; eagerly nothing that could be run."""
        if executing_eagerly():
            yield _NoSession()
        else:
            with Session(graph=graph, config=config) as session, session.graph.as_default():
                yield session

    @contextmanager
    def cached_session(self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False) -> Iterator[Any]:
        """The one session of this test, which keeps its variables between blocks; eagerly nothing that could be run."""
        if executing_eagerly():
            yield _EagerSession(self)
            return
        if self._session is None:
            self._session = Session(graph=graph, config=config)
        elif graph is not None and graph is not self._session.graph:
            raise ValueError("The graph used to get the cached session is different than the one that was used to create the session.")
        with self._session.graph.as_default(), self._session.as_default():
            yield self._session

    @contextmanager
    def test_session(self, graph: object = None, config: object = None, use_gpu: bool = True, force_gpu: bool = False) -> Iterator[Any]:
        """The older name of both: `cached_session`, or `session` where a graph is given."""
        made = self.cached_session(graph, config) if graph is None else self.session(graph, config)
        with made as session:
            yield session

    def get_temp_dir(self) -> str:
        """A folder that is this test's own and goes with it."""
        return str(self.create_tempdir().full_path)

    def checkedThread(self, target: Callable[..., Any], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None) -> _Thread:
        """A thread whose error fails the test that joins it."""
        return _Thread(self, target, args or (), kwargs or {})

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[_Written]:
        """What a block writes to a file descriptor's stream."""
        stream.flush()
        with tempfile.TemporaryFile() as file:
            kept = os.dup(stream.fileno())
            try:
                os.dup2(file.fileno(), stream.fileno())
                written = _Written(file)
                yield written
                stream.flush()
            finally:
                os.dup2(kept, stream.fileno())
                os.close(kept)
            written.read()

    # ---------------------------------------------------------------------------------------------------- nearly the same
    def assertAllClose(self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """Two structures of the same form hold numbers that differ by at most `atol + rtol * |b|`; NaNs count as equal."""
        self._compare_structures(a, b, rtol, atol, "", msg)

    def _compare_structures(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None) -> None:
        if is_ragged(a) or is_ragged(b):
            self._compare_ragged(a, b, msg, rtol, atol)
        elif (of_a := _is_mapping(a)) != _is_mapping(b):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg or ''}")
        elif of_a:
            a, b = _as_mapping(a), _as_mapping(b)
            self.assertCountEqual(a, b, f"mismatched keys: a{path} has keys {list(a)}, but b{path} has keys {list(b)}. {msg or ''}")
            for key in a:
                self._compare_structures(a[key], b[key], rtol, atol, f"{path}[{key}]", msg)
        elif isinstance(a, (list, tuple)):
            self._compare_sequences(a, b, rtol, atol, path, msg)
        else:
            self._compare_arrays(a, b, rtol, atol, path, msg)

    def _compare_sequences(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None) -> None:
        a, b = self._with_values(a), self._with_values(b)
        try:
            first, second = as_array(a), as_array(b)
        except (ValueError, TypeError):
            first = second = np.empty((), object)
        if object not in (first.dtype, second.dtype):
            self._compare_arrays(first, second, rtol, atol, path, msg)
            return
        self.assertEqual(len(a), len(b), f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items. {msg or ''}")
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            self._compare_structures(x, y, rtol, atol, f"{path}[{at}]", msg)

    def _with_values(self, structure: Any) -> Any:
        return evaluate_tensors(structure, self.evaluate)

    def _GetNdArray(self, value: Any) -> np.ndarray:
        return as_array(self._with_values(value))

    def _compare_arrays(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None) -> None:
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {b.shape}, got {a.shape}. {msg or ''}")
        reason = f"Mismatched value: a{path} is different from b{path}. {msg or ''}"
        if np.ndim(rtol) or np.ndim(atol):  # NumPy compares so, but cannot word it: its message has one number for each tolerance
            self.assertTrue(np.allclose(a, b, rtol, atol, equal_nan=True), f"{reason}\na: {a}\nb: {b}\nrtol={rtol}, atol={atol}")
        else:
            np.testing.assert_allclose(a, b, rtol, atol, equal_nan=True, err_msg=reason)

    def assertAllCloseAccordingToType(
        self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, float_rtol: float = 1e-6, float_atol: float = 1e-6,
        half_rtol: float = 1e-3, half_atol: float = 1e-3, bfloat16_rtol: float = 1e-2, bfloat16_atol: float = 1e-2, msg: str | None = None,
    ) -> None:  # fmt: skip
        """`assertAllClose` with broader tolerances where one of the two has fewer digits."""
        a, b = self.evaluate_if_both_tensors(a, b)
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        tolerances = {"float": (float_rtol, float_atol), "half": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol)}
        for kind, names in _BROADER:
            if a.dtype.name in names or b.dtype.name in names:
                rtol, atol = max(rtol, tolerances[kind][0]), max(atol, tolerances[kind][1])
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """`assertAllClose` would fail."""
        try:
            self.assertAllClose(a, b, rtol, atol, msg)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """Two numbers differ by at most `err`."""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, f"{f1!r} != {f2!r} +/- {err!r}{f' ({msg})' if msg is not None else ''}")

    def assertArrayNear(self, farray1: Sequence[float], farray2: Sequence[float], err: float, msg: str | None = None) -> None:
        """Two sequences of one length have elements that differ by at most `err` each."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, other in zip(farray1, farray2, strict=True):
            self.assertNear(float(one), float(other), err, msg)

    def assertNDArrayNear(self, ndarray1: object, ndarray2: object, err: float, msg: str | None = None) -> None:
        """The Euclidean norm of the difference of two arrays is below `err`."""
        distance = np.linalg.norm(np.asarray(ndarray1) - np.asarray(ndarray2))
        self.assertTrue(distance < err, msg or f"the arrays are {distance} apart, more than {err}")

    # ---------------------------------------------------------------------------------------------------- the same
    def assertAllEqual(self, a: object, b: object, msg: str | None = None) -> None:
        """Two tensors have one shape and the same elements; NaNs count as equal."""
        if is_ragged(a) or is_ragged(b):
            self._compare_ragged(a, b, msg)
            return
        a, b = self.evaluate_if_both_tensors(a, b)
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {b.shape}, got {a.shape}. {msg or ''}")
        differs = ~_are_same(a, b)
        if differs.any():
            where = np.argwhere(differs)[:10].tolist()
            self.fail(f"not equal where = {where}, lhs = {a[differs][:10]}, rhs = {b[differs][:10]}. {msg or ''}")

    def assertNotAllEqual(self, a: object, b: object, msg: str | None = None) -> None:
        """`assertAllEqual` would fail."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def _compare_ragged(self, a: Any, b: Any, msg: str | None, rtol: float | None = None, atol: float = 0.0) -> None:
        one, other = nested_lists(self._with_values(a)), nested_lists(self._with_values(b))
        if rtol is None:
            self.assertEqual(one, other, msg)
        else:
            self._compare_lists(one, other, rtol, atol, msg)

    def _compare_lists(self, a: Any, b: Any, rtol: float, atol: float, msg: str | None) -> None:
        self.assertEqual(isinstance(a, list), isinstance(b, list), msg)
        if not isinstance(a, list):
            self._compare_arrays(a, b, rtol, atol, "", msg)
            return
        self.assertEqual(len(a), len(b), msg)
        for one, other in zip(a, b, strict=True):
            self._compare_lists(one, other, rtol, atol, msg)

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Two tensors or arrays have one shape."""
        self.assertTupleEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """A tensor's or array's elements have a dtype."""
        expected = getattr(expected_dtype, "as_numpy_dtype", expected_dtype)
        self.assertEqual(self._GetNdArray(target).dtype, np.dtype(expected))

    def assertProtoEquals(
        self, expected_message_maybe_ascii: object, validate_message: object, msg: str | None = None,
        relative_tolerance: float | None = None
    ) -> None:  # fmt: skip
        """A protocol buffer is equal to another, or to one that is written as text."""
        from google.protobuf import text_format

        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = text_format.Parse(expected, type(validate_message)())
        if relative_tolerance is not None:
            raise NotImplementedError("assertProtoEquals compares exactly: it takes no relative_tolerance yet")
        self.assertEqual(text_format.MessageToString(expected), text_format.MessageToString(validate_message), msg)

    # ---------------------------------------------------------------------------------------------------- orders and ranges
    def _hold_for_all(self, a: Any, holds: Callable[[np.ndarray], Any], what: str) -> None:
        array = self._GetNdArray(a)
        broken = ~np.asarray(holds(array), bool)
        if broken.any():
            self.fail(f"not {what} where = {np.argwhere(broken)[:10].tolist()}, value = {array[broken][:10]}")

    def assertAllGreater(self, a: object, comparison_target: object) -> None:
        """Every element is greater than a number."""
        self._hold_for_all(a, lambda x: x > comparison_target, f"> {comparison_target}")

    def assertAllLess(self, a: object, comparison_target: object) -> None:
        """Every element is less than a number."""
        self._hold_for_all(a, lambda x: x < comparison_target, f"< {comparison_target}")

    def assertAllGreaterEqual(self, a: object, comparison_target: object) -> None:
        """No element is less than a number."""
        self._hold_for_all(a, lambda x: x >= comparison_target, f">= {comparison_target}")

    def assertAllLessEqual(self, a: object, comparison_target: object) -> None:
        """No element is greater than a number."""
        self._hold_for_all(a, lambda x: x <= comparison_target, f"<= {comparison_target}")

    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: bool = False, open_upper_bound: bool = False
    ) -> None:  # fmt: skip
        """Every element is between two bounds, which belong to the range unless it is open there."""
        array = self._GetNdArray(target)
        if array.dtype.kind not in "fiu" and array.dtype.name != "bfloat16":
            raise AssertionError(f"The value of the tensor does not have a numeric type: {array.dtype}")
        above = np.greater if open_lower_bound else np.greater_equal
        below = np.less if open_upper_bound else np.less_equal
        bounds = f"{'(['[not open_lower_bound]}{lower_bound}, {upper_bound}{')]'[not open_upper_bound]}"
        self._hold_for_all(array, lambda x: above(x, lower_bound) & below(x, upper_bound), f"in {bounds}")

    def assertAllInSet(self, target: object, expected_set: Collection[Any]) -> None:
        """Every element is one of a set."""
        unexpected = set(np.unique(self._GetNdArray(target)).tolist()) - set(expected_set)
        self.assertFalse(unexpected, f"{sorted(unexpected)} are not among {expected_set}")

    # ---------------------------------------------------------------------------------------------------- errors
    def assertRaisesOpError(self, expected_err_re_or_predicate: object) -> AbstractContextManager[None]:
        """A block raises an `OpError` whose message matches."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(self, exception_type: type[Exception] = InvalidArgumentError) -> AbstractContextManager[None]:
        """A block raises what an operation on shapes that do not fit raises."""
        words = "Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        return self.assertRaisesWithPredicateMatch(exception_type, words)

    @contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected_err_re_or_predicate: Any) -> Iterator[None]:  # type: ignore[override]
        """A block raises an error whose message has a match of an expression, or for which a function is true."""
        expected = expected_err_re_or_predicate
        try:
            yield
        except Exception as error:  # whatever else is raised fails the test
            text = f"{error.message} {error.op}" if isinstance(error, OpError) else str(error)
            is_meant = isinstance(error, exception_type)
            if not (is_meant and (expected(error) if callable(expected) else re.search(expected, text))):
                raise AssertionError(f"Exception of type {type(error)}: {text}") from error
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")


class _NoSession:
    """What `session()` gives when executing eagerly."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Trying to access properties or call methods of a session, {name}, when executing eagerly: use self.evaluate")


class _EagerSession:
    """What `cached_session()` gives when executing eagerly: it evaluates, and nothing can be fed."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """The values of a structure of tensors.  RuntimeError where something is fed."""
        if feed_dict:
            raise RuntimeError("feed_dict is not supported when eager execution is enabled: a placeholder belongs to a graph")
        return self._case.evaluate(fetches)


class _Thread:
    """A thread that keeps its error for the test that joins it."""

    def __init__(self, case: TestCase, target: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self._case = case
        self._call: Callable[[], Any] = partial(target, *args, **kwargs)
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._call()
        except BaseException as error:  # noqa: BLE001  # join says it
            self._error = error

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait for its end, and fail the test where it ended in an error."""
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error!r}")

    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._thread.is_alive()


class _Written:
    """What was written to a stream."""

    def __init__(self, file: Any) -> None:
        self._file, self._text = file, ""

    def read(self) -> None:
        self._file.seek(0)
        self._text = self._file.read().decode()

    def contents(self) -> str:
        """The text."""
        return self._text


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping) or hasattr(value, "_asdict") or hasattr(type(value), "__attrs_attrs__")


def _as_mapping(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    return value._asdict() if hasattr(value, "_asdict") else {a.name: getattr(value, a.name) for a in type(value).__attrs_attrs__}


def _are_same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    same = np.asarray(a == b)
    if all(x.dtype.kind in "fc" or x.dtype.name == "bfloat16" for x in (a, b)):
        same = same | (np.isnan(a) & np.isnan(b))
    return same


@export("test.main")
def main(argv: list[str] | None = None) -> None:
    """Run the tests of the main program's module, and end the process with their status.

    argv: the command line; the process's own when None.

    >>> tf.test.main.__name__
    'main'
    """
    absltest.main(argv=argv)
