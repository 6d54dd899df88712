"""Random programs: does the compiled program give what the NumPy executor and eager execution give, on any number of threads?

A program is a list of lines, each one call on values made before it, so it prints as the Python that it is.  Its lines are drawn one
after another and run eagerly at once: what cannot run is drawn again, and shapes are known.  Then the same text runs in a graph, by
the executor and as a native program (three in four with tiny blocks) on 1, 2 and 3 threads (the same bits), with the gradients of a tape.

How far two answers may be apart is measured: the text runs eagerly a few times with the inputs and each line's result shaken by about
one rounding.  Where whole numbers or truth values change by that, they hang on a rounding and are not compared.

A program that fails is made smaller: values become inputs, outputs go, lines that nobody reads go.

    python -m tests.random_programs --hours 2          (or --seed 1234, or --programs 500 --first 1000)
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any

import numpy as np

import pullback as tf
from pullback.engine.background import wait_for_compiles
from pullback.engine.emission import blas_calls, segment
from pullback.engine.jit_policy import Settings, native_program
from pullback.engine.lowering import convolution, factors, scans
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import TensorType
from pullback.kernels import parallel
from pullback.kernels.backend import ENGINE
from tests.random_helpers import Helpers
from tests.random_lines import Draw, Line

Array = np.ndarray[Any, Any]
THREADS = (1, 2, 3)
_IN_BLOCKS: tuple[Any, ...] = (segment, blas_calls, convolution, factors, scans)
_SHAKES = 3
_NAMED = {"bfloat16": tf.bfloat16.as_numpy_dtype}  # which NumPy does not know by name
_ROOM = 64.0
REFUSED = (TypeError, ValueError, LookupError, ZeroDivisionError, OverflowError, tf.errors.OpError)


class Program:
    """Inputs (arrays, by name), lines, and the names of the results; gradients of the floating results by the floating inputs."""

    def __init__(self, seed: int, inputs: dict[str, Array], lines: list[Line], results: list[str]) -> None:
        self.seed, self.inputs, self.lines, self.results = seed, inputs, lines, results

    def __str__(self) -> str:
        arrays = [f"{name} = {_shown(x)}" for name, x in self.inputs.items()]
        head = [
            "import numpy as np",
            "import pullback as tf",
            "nan, inf = np.nan, np.inf",
            *(["from tests.random_helpers import Helpers", "h = Helpers(tf)"] if any("h." in line.text for line in self.lines) else []),
            *arrays,
            "",
            f"def program({', '.join(self.inputs)}):",
        ]
        body = [f"    {line}" for line in self.lines]
        return "\n".join([f"# seed {self.seed}", *head, *body, f"    return [{', '.join(self.results)}]"])

    def run(self, given: Sequence[Any], shake: Callable[[Any], Any] | None = None, tf: Any = tf, order: int = 1) -> list[Any]:
        """The results, the gradients of those that have some, and for `order` 2 the gradients of these; `tf` may be TensorFlow."""
        return [y for stage in self.stages(given, shake, tf, order) for y in stage]

    def stages(self, given: Sequence[Any], shake: Callable[[Any], Any] | None = None, tf: Any = tf, order: int = 1) -> Iterator[list[Any]]:
        """What `run` gives, one order after another: where one has no gradients those before it are not computed twice."""
        scope = scope_of(tf if shake is None else Shaken(tf, shake))
        sources = [x for x in given if differentiable(x)]
        with tf.GradientTape() if order > 1 else nullcontext() as outer:
            if order > 1:
                outer.watch(sources)
            with tf.GradientTape() as tape:
                tape.watch(sources)
                scope.update(zip(self.inputs, given if shake is None else map(shake, given), strict=True))
                for line in self.lines:
                    scope[line.name] = eval(line.text, scope)
                    if shake is not None and line.rounds:
                        scope[line.name] = shake(scope[line.name])
                results = [scope[name] for name in self.results]
                targets = [y for y in results if differentiable(y)]
            yield results
            if not sources or not targets or not order:
                return
            # None or zeros: eagerly a branch not taken is no way
            weights = [_cotangent(tf, y) for y in targets]
            slopes = tape.gradient(targets, sources, output_gradients=weights, unconnected_gradients="zero")
            found = [tf.convert_to_tensor(g) for g in slopes]
        yield found
        if order == 1:
            return
        again = outer.gradient(found, sources, output_gradients=[_weights(tf, x) for x in sources], unconnected_gradients="zero")
        yield [tf.convert_to_tensor(g) for g in again]


def scope_of(tf: Any) -> dict[str, Any]:
    """What the lines of a program may name."""
    return {"tf": tf, "np": np, "nan": np.nan, "inf": np.inf, "h": Helpers(tf)}


class Shaken:
    """A library, or a namespace of it, of which every function's result is shaken."""

    def __init__(self, space: Any, shake: Callable[[Any], Any]) -> None:
        self._space, self._shake = space, shake

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._space, name)
        if isinstance(found, ModuleType):
            return Shaken(found, self._shake)
        if isinstance(found, type) or not callable(found):
            return found
        slope = _SATURATING.get(name)

        def call(*given: Any, **named: Any) -> Any:
            if slope is None or named or not given or not isinstance(given[0], tf.Tensor):
                return self._moved(found(*given, **named))
            return _shaken_slope(found, slope, self._shake, *given)

        return call

    def _moved(self, result: Any) -> Any:
        if type(result) in (list, tuple):
            return type(result)(map(self._moved, result))
        return self._shake(result) if isinstance(result, tf.Tensor) else result


# The slope of functions that saturate, from their results y: there 1 - y is a rounding, which no moved input shows.
_SATURATING: dict[str, Callable[..., Any]] = {
    "tanh": lambda g, y: g * (1 - y * y),
    "sigmoid": lambda g, y: g * y * (1 - y),
    "elu": lambda g, y: tf.where(y < 0, g * (y + 1), g),
    "softmax": lambda g, y, axis=-1: (g - tf.reduce_sum(g * y, axis, True)) * y,
    "log_softmax": lambda g, y, axis=-1: g - tf.exp(y) * tf.reduce_sum(g, axis, True),
}


def _shaken_slope(f: Callable[..., Any], slope: Callable[..., Any], shake: Callable[[Any], Any], x: Any, *given: Any) -> Any:
    """f(x) shaken, with a gradient computed from shaken results; not in functions, whose gradients read no tensor of the forward one."""
    if not x.dtype.is_floating or (x.shape.rank == 0 and given) or not tf.executing_eagerly():
        return shake(f(x, *given))

    @tf.custom_gradient
    def call(x: Any) -> Any:
        return shake(f(x, *given)), lambda g: slope(g, _shaken_slope(f, slope, shake, x, *given), *given)

    return call(x)


def differentiable(x: Any) -> bool:
    """Whether a tensor's numbers have gradients."""
    return bool(x.dtype.is_floating or x.dtype.is_complex)


def _cotangent(tf: Any, y: Any) -> Any:
    """The cotangent of a result, which depends on it, so that linear functions have second gradients too."""
    return _weights(tf, y) * (1 + 0.25 * tf.sin(y)) if y.dtype.is_floating else _weights(tf, y)


def _weights(tf: Any, x: Any) -> Any:
    """Cotangents of which no two are alike."""
    if not x.shape.is_fully_defined():
        weights = tf.reshape(tf.cast(tf.cos(0.5 + tf.range(tf.cast(tf.size(x), tf.float64))), x.dtype), tf.shape(x))
        return weights * (1 - 0.5j) if x.dtype.is_complex else weights
    weights = np.cos(0.5 + np.arange(x.shape.num_elements())).reshape(x.shape)
    return tf.constant((weights * (1 - 0.5j) if x.dtype.is_complex else weights).astype(x.dtype.as_numpy_dtype))


def _shown(x: Array) -> str:
    if x.dtype.name == "bfloat16":
        return f"{_shown(x.astype(np.float32))}.astype(tf.bfloat16.as_numpy_dtype)"
    if x.size and (x == 1).all():
        return f"np.ones({x.shape}, np.{x.dtype.name})"
    return f"np.array({x.tolist()!r}, np.{x.dtype.name}).reshape({x.shape})"


# ---- drawing


def drawn(seed: int, least: int = 2, most: int = 12, draws: type[Draw] = Draw) -> Program:
    """The program of a seed, of so many lines."""
    draw = draws(np.random.default_rng(seed))
    inputs = {f"a{i}": draw.array() for i in range(int(draw.rng.integers(1, 4)))}
    values = {name: tf.constant(x) for name, x in inputs.items()}
    lines: list[Line] = []
    scope = {**scope_of(tf), **values}
    wanted = int(draw.rng.integers(least, most + 1))
    for _ in range(8 * wanted):
        if len(lines) == wanted:
            break
        line = draw.line(f"v{len(lines)}", values)
        scope |= {name: tf.constant(x) for name, x in line.arrays.items()}
        try:
            value = eval(line.text, scope)
        except REFUSED:
            continue
        if not _fits(value):
            continue
        values[line.name] = scope[line.name] = value
        line.kinds.add(value.dtype.name)
        inputs |= line.arrays
        lines.append(line)
    read = {name for line in lines for name in line.reads}
    results = [line.name for line in lines if line.name not in read] or list(inputs)[:1]
    results += [line.name for line in lines if line.name in read and draw.rng.random() < 0.15]
    return Program(seed, inputs, lines, results)


def _fits(value: Any) -> bool:
    """Whether a value is a tensor that is not large, of numbers that leave room."""
    if not isinstance(value, tf.Tensor) or value.shape.num_elements() > 3000 or value.shape.rank > 5:
        return False
    if not differentiable(value) or not value.shape.num_elements():
        return differentiable(value) or value.dtype.is_integer or value.dtype.is_bool
    array = numbers(value.numpy())
    return bool(np.nanmax(np.where(np.isinf(array), 0, np.abs(array)), initial=0) < 1e4)


# ---- the ways to run one


@contextmanager
def natively(tiny: bool, baseline: bool = False) -> Iterator[None]:
    """Compile bodies at once, cut everything in blocks if they are to be `tiny`, and put all back afterwards.

    baseline: whether they begin with baseline code.
    """
    works = [module._BLOCK_WORK for module in _IN_BLOCKS]
    before = parallel.threads(), blas_calls._LEAST_SIDE, Settings.jit, Settings.baseline
    Settings.jit, Settings.baseline = True, baseline
    if tiny:
        blas_calls._LEAST_SIDE = 1
        for module in _IN_BLOCKS:
            module._BLOCK_WORK = 64
    try:
        yield
    finally:
        threads, blas_calls._LEAST_SIDE, Settings.jit, Settings.baseline = before
        for module, work in zip(_IN_BLOCKS, works, strict=True):
            module._BLOCK_WORK = work
        parallel.set_threads(threads)


@contextmanager
def executor() -> Iterator[None]:
    """Run plans on NumPy's kernels alone."""
    run_plan, ENGINE.run_plan = ENGINE.run_plan, Plan.run_on_kernels
    try:
        yield
    finally:
        ENGINE.run_plan = run_plan


def eagerly(program: Program, shake: Callable[[Any], Any] | None = None, order: int = 1) -> list[Array]:
    """The answers of eager execution."""
    with executor():
        return [np.array(y.numpy()) for y in program.run([tf.constant(x) for x in program.inputs.values()], shake, order=order)]


def shaken(program: Program, order: int = 1) -> Iterator[list[Array]]:
    """The answers with roundings moved, a few times."""
    return (eagerly(program, _shaker(np.random.default_rng(k), way), order) for k in range(_SHAKES) for way in (1.0, -1.0))


def rooms(program: Program, plain: Sequence[Array], moved: Sequence[Sequence[Array]], eps: Sequence[float] | None = None) -> list[Array]:
    """How far from each answer another one may be, element by element; `eps` are the roundings of the answers, if not of their dtypes."""
    eps = [0.0] * len(plain) if eps is None else eps
    return [_room(y, [s[i] for s in moved], len(program.lines), e) for i, (y, e) in enumerate(zip(plain, eps, strict=True))]


def coarsest(program: Program, plain: Sequence[Array], order: int) -> list[float]:
    """For each answer the rounding of the coarsest dtype that it is computed in."""
    kinds = {name: {x.dtype.name} for name, x in program.inputs.items()}
    below = {name: {x.dtype.name} for name, x in program.inputs.items()}
    for line in program.lines:
        kinds[line.name] = set(line.kinds).union(*(kinds[name] for name in line.reads))
    for line in program.lines[::-1]:
        for name in line.reads:
            below.setdefault(line.name, set()).update(line.kinds)
            below.setdefault(name, set()).update(below[line.name])
    sources = [name for name, x in program.inputs.items() if _of_numbers(x.dtype)]
    found = [kinds[name] for name in program.results]
    # A second gradient goes through all that lies below any source.
    together = set().union(*(below[name] for name in sources))
    found += [below[name] for name in sources] + [together] * (len(plain) - len(found) - len(sources))
    named = [[_eps(np.dtype(_NAMED.get(k, k))) for k in some if k.startswith(("float", "bfloat", "complex"))] for some in found]
    return [max(some, default=0.0) for some in named][: len(plain)]


def planned(program: Program, order: int = 1) -> Plan:
    """The plan of the program's answers, in a graph of its own."""
    with tf.Graph().as_default():
        given = [tf.compat.v1.placeholder(x.dtype, x.shape, name=name) for name, x in program.inputs.items()]
        return Plan([tf.convert_to_tensor(y) for y in program.run(given, order=order)], given)


def in_session(program: Program, order: int) -> list[Array]:
    """The answers of a session of TensorFlow 1, with `tf.gradients`."""
    tf1 = tf.compat.v1
    with tf.Graph().as_default(), tf1.Session() as session, executor():
        given = [tf1.placeholder(x.dtype, x.shape, name=name) for name, x in program.inputs.items()]
        scope = scope_of(tf) | dict(zip(program.inputs, given, strict=True))
        for line in program.lines:
            scope[line.name] = eval(line.text, scope)
        answers = [scope[name] for name in program.results]
        sources, targets = [x for x in given if differentiable(x)], [y for y in answers if differentiable(y)]
        for k in range(order if sources and targets else 0):
            weights = [_cotangent(tf, y) if k == 0 else _weights(tf, y) for y in targets]
            found = tf1.gradients(targets, sources, weights, unconnected_gradients="zero")
            targets = [tf.convert_to_tensor(g) for g in found]
            answers += targets
        return [np.array(y) for y in session.run(answers, dict(zip(given, program.inputs.values(), strict=True)))]


def compiled(plan: Plan, values: Sequence[Array]) -> Any:
    """The native program of a plan; None where nothing in it has native code."""
    return native_program(plan, [TensorType(x.shape, t.dtype) for x, t in zip(values, plan.fed, strict=True)])[0]


# ---- comparing


def faults(program: Program) -> list[str]:
    """What is wrong with a program: nothing, as it should be."""
    with np.errstate(all="ignore"):
        plain = eagerly(program)
        room = rooms(program, plain, list(shaken(program)))
        plan, values = planned(program), list(program.inputs.values())
        with executor():
            walked = [np.array(y) for y in plan.run(values, Run({}, {}))]
        wrong = apart("executor", plain, walked, [beside_branches(program, y, r) for y, r in zip(walked, room, strict=True)])
        with natively(tiny=program.seed % 4 != 0, baseline=True):
            native = compiled(plan, values)
            if native is None:
                return wrong
            answers = {}
            for code in ("baseline", "optimised"):
                for threads in THREADS:
                    parallel.set_threads(threads)
                    found = native.run(values, Run({}, {}))
                    if found is None:
                        return [*wrong, f"the {code} program reports a fault"]
                    answers[code, threads] = [np.array(y) for y in found]
                wait_for_compiles()
    first = next(iter(answers.values()))
    wrong += apart("native", walked, first, room)
    for (code, threads), others in answers.items():
        alike = _same if code == "baseline" else _same_but_nan
        wrong += [
            f"answer {i}: other bits on {threads} threads, {code}"
            for i, (a, b) in enumerate(zip(first, others, strict=True))
            if not alike(a, b)
        ]
    return wrong


def _same(a: Array, b: Array) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def _same_but_nan(a: Array, b: Array) -> bool:
    """The same bits, but for the sign of what is not a number: the processor's 0/0 has another one than the compiler's."""
    if a.dtype != b.dtype or not _of_numbers(a.dtype):
        return _same(a, b)
    return _same(np.where(np.isnan(a), 0, a), np.where(np.isnan(b), 0, b))


def _shaker(rng: np.random.Generator, way: float) -> Callable[[Any], Any]:
    """What moves every number up or down by about a rounding; `way` -1.0: each one the other way."""

    def shake(y: Any) -> Any:
        if not differentiable(y):
            return y
        dtype = y.dtype.as_numpy_dtype
        if not y.shape.is_fully_defined():
            return y
        signs = rng.choice([-1.0, 1.0], size=y.shape.as_list())
        return y * tf.constant((1.0 + way * signs * 2.0 * _eps(np.dtype(dtype))).astype(dtype))

    return shake


def _eps(dtype: Any) -> float:
    return 2.0**-7 if dtype.name == "bfloat16" else float(np.finfo(dtype).eps)


def _tiny(dtype: Any) -> float:
    return float(np.finfo(np.float32 if dtype.name == "bfloat16" else dtype).tiny)


def _of_numbers(dtype: Any) -> bool:
    return dtype.kind in "fc" or dtype.name == "bfloat16"


def numbers(x: Array) -> Array:
    """Floats as float64; complex numbers as pairs of them."""
    if x.dtype.kind == "c":
        return np.stack([x.real, x.imag], -1).astype(np.float64)
    return x.astype(np.float64)


def _room(plain: Array, shaken: Sequence[Array], lines: int, eps: float = 0.0) -> Array:
    """How far from `plain` an answer may be, element by element; infinite where it hangs on a rounding."""
    if any(s.shape != plain.shape for s in shaken):  # its size hangs on a rounding
        return np.full(numbers(plain).shape if _of_numbers(plain.dtype) else plain.shape, np.inf)
    if not _of_numbers(plain.dtype):
        return np.where(np.any([s != plain for s in shaken], axis=0), np.inf, 0.0)
    exact, others = numbers(plain), [numbers(s) for s in shaken]
    moved = np.max([np.where(s == exact, 0.0, np.abs(s - exact)) for s in others], axis=0)
    odd = np.isnan(moved) & ~np.isnan(exact) | ~np.isfinite(exact) & np.any([~_alike(s, exact) for s in others], axis=0)
    spread = np.max(np.where(np.isfinite(moved), moved, 0.0), initial=0.0)
    return np.where(odd, np.inf, _ROOM * spread + least_room(plain, lines, eps))


def least_room(plain: Array, lines: int, eps: float = 0.0) -> Array:
    """How far from `plain` an answer may be at least, whatever moved roundings show."""
    if not _of_numbers(plain.dtype):
        return np.zeros(plain.shape)
    exact, eps = numbers(plain), max(eps, _eps(plain.dtype))
    size = np.where(np.isfinite(exact), np.abs(exact), 0.0)
    return _ROOM * eps * size + _ROOM * eps * np.max(size, initial=0.0) * (1 + lines) / 16 + _tiny(plain.dtype)


def beside_branches(program: Program, found: Array, room: Array) -> Array:
    """The room for a graph's answers where eagerly there is no gradient: a graph's loops and branches multiply by 0, and 0 * inf is NaN."""
    flows = any("lambda" in line.text for line in program.lines)
    return np.where(np.isnan(numbers(found)), np.inf, room) if flows and _of_numbers(found.dtype) else room


def _alike(a: Array, b: Array) -> Array:
    return (a == b) | (np.isnan(a) & np.isnan(b))


def apart(who: str, expected: Sequence[Array], found: Sequence[Array], room: Sequence[Array]) -> list[str]:
    if len(expected) != len(found):
        return [f"{who}: {len(found)} answers instead of {len(expected)}"]
    wrong = []
    for i, (a, b, near_by) in enumerate(zip(expected, found, room, strict=True)):
        if a.dtype != b.dtype or a.shape != b.shape:
            wrong.append(f"{who}: answer {i} is {b.dtype}{b.shape} instead of {a.dtype}{a.shape}")
            continue
        if _of_numbers(a.dtype):
            x, y = numbers(a), numbers(b)
            with np.errstate(invalid="ignore"):
                close = _alike(x, y) | np.isinf(near_by) | (np.abs(x - y) <= near_by) & np.isfinite(x) & np.isfinite(y)
        else:
            close = (a == b) | np.isinf(near_by)
        if not close.all():
            place = tuple(int(k) for k in np.argwhere(~close)[0])
            at = place[: a.ndim]
            wrong.append(f"{who}: answer {i} {a.dtype}{a.shape} at {at}: {b[at]!r} instead of {a[at]!r}, room {near_by[place]:.2g}")
    return wrong


# ---- making a failing program smaller


def shrunk(program: Program, fails: Callable[[Program], bool], seconds: float = 30.0) -> Program:
    """A smaller program that fails too."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for other in smaller(program):
            if time.monotonic() > until:
                return program
            if fails(other):
                program = other
                break
        else:
            break
    return program


def smaller(program: Program) -> Iterator[Program]:
    for name in program.results:
        if len(program.results) > 1:
            yield pruned(program, [r for r in program.results if r != name], {})
    with executor():
        scope = values_of(program)
    for line in reversed(program.lines):
        if line.name not in program.results:
            yield pruned(program, program.results, {line.name: np.array(scope[line.name].numpy())})
    for line in program.lines:
        if line.name in program.results:
            results = [r for r in program.results if r != line.name] + [
                n for n in line.reads if n not in program.results and n not in program.inputs
            ]
            if results:
                yield pruned(program, results, {})
    for name, x in program.inputs.items():
        if x.size and np.any(x != 1):
            yield Program(program.seed, {**program.inputs, name: np.ones_like(x)}, program.lines, program.results)


def values_of(program: Program) -> dict[str, Any]:
    """The value of every input and line, by name, among what its lines may name."""
    scope = scope_of(tf) | {name: tf.constant(x) for name, x in program.inputs.items()}
    for line in program.lines:
        scope[line.name] = eval(line.text, scope)
    return scope


def pruned(program: Program, results: list[str], known: dict[str, Array]) -> Program:
    """The program of some results, with some values given, and without what nobody reads then."""
    read, lines = set(results), []
    for line in reversed(program.lines):
        if line.name in read and line.name not in known:
            lines.append(line)
            read.update(line.reads)
    inputs = {name: x for name, x in {**program.inputs, **known}.items() if name in read}
    return Program(program.seed, inputs, lines[::-1], results)


def fails(program: Program) -> bool:
    """Whether a program fails, for `shrunk`: one that cannot be run at all does not count."""
    try:
        return bool(faults(program))
    except REFUSED:
        return False


def report(seed: int) -> str:
    """What is wrong with the program of a seed, with the smallest one that fails; "" where nothing is."""
    program = drawn(seed)
    wrong = faults(program)
    if not wrong:
        return ""
    small = shrunk(program, fails)
    return "\n".join([*wrong[:5], "", str(small), "", *[f"# {line}" for line in faults(small)[:5]]])


def main() -> int:
    """Run programs for some hours, or some number of them, and print those that fail."""
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=main.__doc__)
    parser.add_argument("--hours", type=float, default=0.0, help="for how long")
    parser.add_argument("--programs", type=int, default=0, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="show and try the program of one seed")
    given = parser.parse_args()
    if given.seed is not None:
        print(drawn(given.seed))
        print(report(given.seed) or "# no difference")
        return 0
    start, failed, count = time.monotonic(), 0, 0
    for seed in itertools.count(given.first):
        done = count >= given.programs if given.programs else time.monotonic() - start > given.hours * 3600
        if done:
            break
        count += 1
        said = report(seed)
        if said:
            failed += 1
            print(f"==== seed {seed}\n{said}\n", flush=True)
    print(f"{count} programs, {failed} of them differ, {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
