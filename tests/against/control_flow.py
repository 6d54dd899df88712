"""Random programs of loops and branches, nested: what they compute, which of their gradients are None, and the gradients of those.

A program is a few lines, each an expression over a vector, a scalar, a count and two variables.  It runs in a graph, in a graph with
TensorFlow 1's control flow and reference variables, and in a `tf.function` under two tapes.  All numbers are float64, so that roundings
are no differences.
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.against.report import Difference, Part, Progress, unexplained
from tests.against.sides import OURS, THEIRS, SteadySide
from tests.against.values import failure

_HERE = "tests.against.control_flow"
_SECONDS = 60.0
_BATCH = 20
_WAYS = ("graph", "version 1", "function")
_DEPTH = 3
_FED: dict[str, Any] = {"x": [0.5, -1.1, 0.9], "y": 0.6, "n": 2}
_VARIABLES: dict[str, Any] = {"v": [0.3, -0.2, 0.7], "w": 0.8}
_FAILED = "second gradients"  # where they are an error
_NEAR = {"rtol": 1e-7, "atol": 1e-10}
Names = dict[str, list[str]]


def run(programs: int, seed: int) -> Part:
    """Hold so many programs against each other, each in three ways."""
    asked = [(k, way) for k in range(seed, seed + programs) for way in _WAYS]
    part, counts = Part("control flow"), Counter[str]()
    progress = Progress(part.title, len(asked))
    sides = SteadySide(THEIRS), SteadySide(OURS)
    for first in range(0, len(asked), _BATCH):
        batch = asked[first : first + _BATCH]
        progress.step("", len(batch))
        answers = [_outcomes(side, batch) for side in sides]
        for (k, way), theirs, ours in zip(batch, *answers, strict=True):
            counts["taken there" if theirs[0] == "returned" else "refused there"] += 1
            for kind, words in _compare(theirs, ours):
                part.add(Difference(f"seed {k}, {way}", kind, f"{words}: `{'; '.join(draw(k))}`"))
    progress.end()
    for side in sides:
        side.close()
    part.figures = {
        "programs": programs,
        "runs": len(asked),
        "taken by TensorFlow": counts["taken there"],
        "refused by TensorFlow": counts["refused there"],
        "differences": len(part.differences),
        "of those, for no known reason": unexplained(part),
    }
    part.goals = {"the same, or different for a known reason": (len(asked) - unexplained(part), len(asked), 1.0)}
    return part


def _outcomes(side: SteadySide, asked: list[tuple[int, str]]) -> list[Any]:
    """What `attempts` yields of each run; after one that ended the process the rest is asked of a new one."""
    found: list[Any] = []
    while len(found) < len(asked):
        answer = side.ask(f"{_HERE}.attempts", asked[len(found) :], seconds=_SECONDS)
        found += answer.items
        if len(found) < len(asked):
            found.append(("ended", answer.ended))
    return found


def _compare(theirs: Any, ours: Any) -> Iterator[tuple[str, str]]:
    """The kind of each difference, and in words what it is."""
    if "ended" in (theirs[0], ours[0]):
        if theirs[0] != ours[0]:
            yield "ends", f"{'TensorFlow' if theirs[0] == 'ended' else 'Pullback'}: {(theirs if theirs[0] == 'ended' else ours)[1]}"
    elif theirs[0] == "raised":
        error = f"{theirs[1][0]} there: {' '.join(theirs[1][2].split())[:200]}"
        if ours[0] != "raised":
            yield "takes", error
        elif theirs[1][0] not in ours[1][1]:
            yield "class", f"{ours[1][0]} for {error}"
    elif ours[0] == "raised":
        yield "refuses", f"{ours[1][0]}: {' '.join(ours[1][2].split())[:200]}"
    else:
        failed = [found.get(_FAILED) for found in (theirs[1], ours[1])]
        if (failed[0] is None) != (failed[1] is None):
            yield "order 2", f"{failed[1] or 'an answer'} for {failed[0] or 'an answer'}"
        for name in [name for name in theirs[1] if name in ours[1] and name != _FAILED]:
            there, here = theirs[1][name], ours[1][name]
            if (there is None) != (here is None) or (there is not None and not _is_near(there, here)):
                yield "differs", f"{name}: {_short(here)} for {_short(there)}"


def _is_near(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    return a.shape == b.shape and bool(np.allclose(b, a, equal_nan=True, **_NEAR))


def _short(x: Any) -> str:
    return " ".join(str(x).split())[:150]


# ---- drawing


def draw(seed: int) -> list[str]:
    """The lines of a program; the last one makes its result, `out`."""
    writer = _Writer(random.Random(seed))
    names: Names = {"vector": ["x", "v"], "scalar": ["y", "w"], "count": ["n"]}
    lines = []
    for k in range(writer.random.randint(1, 3)):
        kind = writer.random.choice(["vector", "scalar"])
        lines.append(f"r{k} = {writer.write(names, kind)}")
        names = {**names, kind: [*names[kind], f"r{k}"]}
    return [*lines, f"out = {names['vector'][-1]} * {names['scalar'][-1]} + {writer.write(names, 'vector')}"]


class _Writer:
    """Writes expressions; every bound name is a new one."""

    def __init__(self, drawing: random.Random) -> None:
        self.random, self._bound = drawing, 0

    def write(self, names: Names, kind: str, depth: int = 0) -> str:
        """An expression for a "vector" or a "scalar"."""
        forms = [self._plain] * 4
        if depth < _DEPTH:
            forms += [self._loop, self._branch] * 2
        if depth < _DEPTH - 1:
            forms += [self._map, self._scan, self._slope, self._array, self._case]
        return self.random.choice(forms)(names, kind, depth)

    def _part(self, names: Names, kind: str, depth: int) -> str:
        deeper = depth < _DEPTH and self.random.random() < 0.45
        return self.write(names, kind, depth + 1) if deeper else self.random.choice(names[kind])

    def _bind(self, names: Names, *kinds: str) -> tuple[list[str], Names]:
        new = []
        for kind in kinds:
            self._bound += 1
            new.append(f"{kind[0]}{self._bound}")
            names = {**names, kind: [*names[kind], new[-1]]}
        return new, names

    def _condition(self, names: Names) -> str:
        vector, scalar, count = (self.random.choice(names[kind]) for kind in ("vector", "scalar", "count"))
        return self.random.choice([
            f"{scalar} > {self.random.choice(names['scalar'])}", f"tf.reduce_sum({vector}) > 0.5", f"tf.equal({count} % 2, 0)",
            f"tf.logical_and({scalar} > 0.0, {count} > 1)", f"{count} > {self.random.randrange(3)}",
        ])  # fmt: skip

    def _loop(self, names: Names, kind: str, depth: int) -> str:
        (turn, vector, scalar), inner = self._bind(names, "count", "vector", "scalar")
        condition = f"{turn} < {self.random.choice(['n', '2', '3'])}"
        if self.random.random() < 0.3:
            condition = f"tf.logical_and({condition}, tf.reduce_sum({vector}) < 20.0)"
        body = f"({turn} + 1, {self.write(inner, 'vector', depth + 1)}, {self.write(inner, 'scalar', depth + 1)})"
        start = f"[tf.constant(0), {self._part(names, 'vector', depth)}, {self._part(names, 'scalar', depth)}]"
        arguments = f"{turn}, {vector}, {scalar}"
        return f"tf1.while_loop(lambda {arguments}: {condition}, lambda {arguments}: {body}, {start})[{1 if kind == 'vector' else 2}]"

    def _branch(self, names: Names, kind: str, depth: int) -> str:
        first, second = (self._part(names, kind, depth) for _ in range(2))
        return f"tf1.cond({self._condition(names)}, lambda: {first}, lambda: {second})"

    def _case(self, names: Names, kind: str, depth: int) -> str:
        pairs = ", ".join(f"({self._condition(names)}, lambda: {self._part(names, kind, depth)})" for _ in range(2))
        return f"tf1.case([{pairs}], default=lambda: {self._part(names, kind, depth)})"

    def _map(self, names: Names, kind: str, depth: int) -> str:
        (element,), inner = self._bind(names, "scalar")
        found = f"tf.map_fn(lambda {element}: {self.write(inner, 'scalar', depth + 1)}, {self._part(names, 'vector', depth)})"
        return found if kind == "vector" else f"tf.reduce_sum({found})"

    def _scan(self, names: Names, kind: str, depth: int) -> str:
        (before, element), inner = self._bind(names, "scalar", "scalar")
        step = f"0.5 * {before} + {self.write(inner, 'scalar', depth + 1)}"
        found = f"tf.scan(lambda {before}, {element}: {step}, {self._part(names, 'vector', depth)})"
        return found if kind == "vector" else f"{found}[2]"

    def _slope(self, names: Names, kind: str, depth: int) -> str:
        (at,), inner = self._bind(names, kind)
        return f"slope(lambda {at}: {self.write(inner, kind, depth + 1)} * {at}, {self._part(names, kind, depth)})"

    def _array(self, names: Names, kind: str, depth: int) -> str:
        (turn,), inner = self._bind(names, "count")
        found = f"fill_array(lambda {turn}: {self.write(inner, 'scalar', depth + 1)})"
        return found if kind == "vector" else f"{found}[1]"

    def _plain(self, names: Names, kind: str, depth: int) -> str:
        a, b, vector, scalar = (self._part(names, k, depth) for k in (kind, kind, "vector", "scalar"))
        count = self.random.choice(names["count"])
        both = [f"({a} + {b})", f"({a} * {b})", f"tf.tanh({a})", f"tf.stop_gradient({a})"]
        vectors = [
            f"tf.sin({a}) * {scalar}", f"tf1.where({a} > {b}, {a}, {b} * 0.5)", f"tf.cumsum({a})", f"tf.linalg.matvec(matrix, {a})",
            f"tf.stack([{scalar}, {scalar}, y])", f"tf.concat([{a}[1:], {b}[:1]], 0)", f"clip({a})", f"tf.gather({a}, [2, 0, 1])",
            f"v * {a}", f"function({a}, {scalar})", "tf.identity(v)",
        ]  # fmt: skip
        scalars = [
            f"tf.reduce_sum({vector})", f"{vector}[{self.random.randrange(3)}]", f"tf.reduce_max({vector})", f"tf.exp(-tf.square({a}))",
            f"tf.cast({count}, tf.float64) * {a}", f"tf.tensordot({vector}, {vector}, 1)", f"w * {a}", f"tf.norm({vector} + 2.0)",
            f"{vector}[tf.cast({count}, tf.int32) % 3]", f"function({vector}, {a})[0]",
        ]  # fmt: skip
        return self.random.choice(both + (vectors if kind == "vector" else scalars))


# ---- in the processes of the sides


def attempts(tf: Any, asked: list[tuple[int, str]]) -> Iterator[Any]:
    """Run programs: ("returned", what each result is by name) or ("raised", error)."""
    warnings.simplefilter("ignore")
    tf1 = tf.compat.v1
    tf1.logging.set_verbosity(tf1.logging.ERROR)
    for seed, way in asked:
        try:
            yield "returned", _in_function(tf, seed) if way == "function" else _in_graph(tf, seed, way == "version 1")
        except Exception as e:  # noqa: BLE001 - the class of whatever is raised is the very thing observed
            yield "raised", failure(e)
        finally:
            tf1.enable_control_flow_v2()


def _in_graph(tf: Any, seed: int, version_1: bool) -> dict[str, Any]:
    """What a session gives; TensorFlow 1's loops have no second derivatives."""
    tf1 = tf.compat.v1
    (tf1.disable_control_flow_v2 if version_1 else tf1.enable_control_flow_v2)()
    with tf.Graph().as_default(), tf1.Session() as session:
        fed = {
            name: tf1.placeholder(tf.int32 if name == "n" else tf.float64, np.shape(at) if seed % 2 else None) for name, at in _FED.items()
        }
        kept = {
            name: tf1.get_variable(name, initializer=tf.constant(at, tf.float64), use_resource=not version_1)
            for name, at in _VARIABLES.items()
        }
        session.run(tf1.global_variables_initializer())
        sources = [fed["x"], fed["y"], *kept.values()]
        out = _run_lines(tf, seed, fed | kept)["out"]
        slopes = tf1.gradients(out, sources)
        feeds = {fed[name]: at for name, at in _FED.items()}

        def fetch(tensors: list[Any]) -> list[Any]:
            values = iter(session.run([t for t in tensors if t is not None], feeds))
            return [None if t is None else np.array(next(values)) for t in tensors]

        # All is built before anything runs: TensorFlow cannot run a loop again that a gradient has added results to.
        again = _attempted(lambda: _dense(tf, tf1.gradients(_curved(tf, slopes), sources))) if not version_1 else {}
        value, *found = fetch([out, *_dense(tf, slopes)])
        if again and _FAILED not in again:
            tensors = [*again.values()]
            again = _attempted(lambda: fetch(tensors))
        return {"value": value, **_named("gradient", found), **again}


def _in_function(tf: Any, seed: int) -> dict[str, Any]:
    """What a function gives under two tapes."""
    kept = {name: tf.Variable(at, dtype=tf.float64) for name, at in _VARIABLES.items()}
    fed = {name: tf.constant(at, tf.int32 if name == "n" else tf.float64) for name, at in _FED.items()}
    sources = [fed["x"], fed["y"], *kept.values()]
    with tf.GradientTape() as outer:
        outer.watch(sources[:2])
        with tf.GradientTape() as inner:
            inner.watch(sources[:2])
            out = tf.function(lambda x, y, n: _run_lines(tf, seed, {"x": x, "y": y, "n": n, **kept})["out"])(**fed)
        slopes = inner.gradient(out, sources)
        ends = _curved(tf, slopes)

    def arrays(tensors: list[Any]) -> list[Any]:
        return [None if t is None else np.array(tf.convert_to_tensor(t)) for t in tensors]

    return {"value": np.array(out), **_named("gradient", arrays(slopes))} | _attempted(lambda: arrays(outer.gradient(ends, sources)))


def _run_lines(tf: Any, seed: int, given: dict[str, Any]) -> dict[str, Any]:
    scope = {"tf": tf, "tf1": tf.compat.v1, **_helpers(tf), **given}
    exec("\n".join(draw(seed)), scope)
    return scope


def _helpers(tf: Any) -> dict[str, Any]:
    tf1 = tf.compat.v1

    @tf.custom_gradient
    def clip(z: Any) -> Any:
        return tf.identity(z), lambda g: tf.clip_by_value(g, -0.5, 0.5)

    def slope(f: Callable[[Any], Any], at: Any) -> Any:
        at = tf.identity(at)
        found = tf.gradients(f(at), at)[0]
        return at * 0.0 if found is None else tf.convert_to_tensor(found)

    def fill_array(f: Callable[[Any], Any]) -> Any:
        array = tf.TensorArray(tf.float64, 3)
        return tf1.while_loop(lambda k, a: k < 3, lambda k, a: (k + 1, a.write(k, f(k))), [tf.constant(0), array])[1].stack()

    matrix = tf.constant([[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.1, 0.6, 0.4]], tf.float64)
    return {"clip": clip, "slope": slope, "fill_array": fill_array, "function": tf.function(lambda p, q: tf.tanh(p) * q), "matrix": matrix}


def _curved(tf: Any, slopes: list[Any]) -> list[Any]:
    return [tf.reduce_sum(tf.sin(tf.convert_to_tensor(g))) for g in slopes if g is not None]


def _named(what: str, slopes: list[Any]) -> dict[str, Any]:
    return {f"{what} of {name}": g for name, g in zip(["x", "y", *_VARIABLES], slopes, strict=True)}


def _dense(tf: Any, slopes: list[Any]) -> list[Any]:
    return [None if g is None else tf.convert_to_tensor(g) for g in slopes]


def _attempted(slopes: Callable[[], list[Any]]) -> dict[str, Any]:
    """Second derivatives, or for each the error."""
    try:
        return _named("second gradient", slopes())
    except Exception as e:  # noqa: BLE001 - as above
        return {_FAILED: f"{type(e).__name__}: {e}"[:200]}
