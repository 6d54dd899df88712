"""Right calls whose arguments are of another kind: a size as a tensor, a list as an array, a tensor that a graph does not know yet.

A recorded call is made eagerly with one argument in another kind, and in a graph with tensors of which all, some or no dimensions are
known, there with its gradients.  Both sides must take it or refuse it alike, with the same values, and static shapes that say as much.
"""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.against import recorded
from tests.against.bad_calls import _LEFT_OUT, _NO_KERNEL, _NOT_INSTALLED, _RANDOM, constant, made, resolved
from tests.against.recorded import Call, Given, shown
from tests.against.report import Difference, Part, Progress, unexplained
from tests.against.sides import OURS, THEIRS, Side
from tests.against.values import difference, failure, plain

_HERE = "tests.against.other_kinds"
_SECONDS = 20.0
_BATCH = 200
_Static = tuple[str, list[int | None] | None]  # a dtype's name, and what is known of a shape
_SHAPES = {"known": lambda shape: shape, "open": lambda shape: [None] * len(shape), "unknown": lambda shape: None}


@dataclass(frozen=True, eq=False)
class Kind(Given):
    """An argument of another kind: an "array", a "tensor", a "variable", or what is fed to a graph that knows so much of its shape."""

    how: str

    def __str__(self) -> str:
        return f"{self.how} {self.array.tolist() if self.array.size < 7 else shown(self.array)}"


@dataclass(frozen=True)
class Asked:
    """A call, what is special about it, and whether it is made in a graph."""

    call: Call
    what: str
    graph: bool


def run(sides: dict[str, Side], only: str = "", each: int = 2) -> Part:
    """Hold the recorded calls of functions with some words in their names against each other, so many of each function."""
    only = only.removeprefix("tf.")
    known = {name: found for name, found in recorded.calls().items() if only in name and not any(w in name for w in _LEFT_OUT)}
    asked = [one for name in sorted(known) for call in known[name][:each] for one in variants(call)]
    part, counts = Part("other kinds of arguments"), Counter[str]()
    progress = Progress(part.title, len(asked))
    for first in range(0, len(asked), _BATCH):
        batch = asked[first : first + _BATCH]
        progress.step(batch[0].call.name, len(batch))
        answers = [sides[name].outcomes(f"{_HERE}.attempts", batch, _SECONDS) for name in (THEIRS, OURS)]
        for one, a, b in zip(batch, *answers, strict=True):
            _hold(one, a, b, part, counts)
    progress.end()
    part.figures = {
        "functions": len(known),
        "calls": len(asked),
        "TensorFlow's process ends, or it has no kernel on a CPU": counts["no answer there"],
        "taken by TensorFlow": counts["taken there"],
        "of those, refused here": counts["refuses"],
        "of those, with another value or static shape": counts["differs"] + counts["shape"],
        "refused by TensorFlow": counts["refused there"],
        "of those, taken here": counts["takes"],
        "of those, another class": counts["class"],
        "of all, for no known reason": unexplained(part),
    }
    part.goals = {"the same, or different for a known reason": (len(asked) - unexplained(part), len(asked), 0.99)}
    return part


def variants(call: Call) -> Iterator[Asked]:
    """A call with one argument of another kind, and in graphs."""
    places: list[Any] = [*range(len(call.given)), *call.named]
    base = {place: _entered(call.given[place] if isinstance(place, int) else call.named[place]) for place in places}
    for place in places:
        for kind in _kinds(base[place]):
            yield Asked(_call(call, base | {place: kind}), f"{place}: {kind}", False)
    for how in _SHAPES:
        fed = {place: Kind(x.array, how) if isinstance(x, Given) else x for place, x in base.items()}
        yield Asked(_call(call, fed), f"tensors {how}", True)
        for place in places:
            if (array := _whole(base[place])) is not None:
                yield Asked(_call(call, fed | {place: Kind(array, how)}), f"tensors {how}, {place} {how}", True)


def _call(call: Call, arguments: dict[Any, Any]) -> Call:
    given = [x for place, x in arguments.items() if isinstance(place, int)]
    return Call(call.name, given, {place: x for place, x in arguments.items() if not isinstance(place, int)})


def _entered(x: Any) -> Any:
    """Arrays of numbers enter as tensors."""
    if isinstance(x, np.ndarray) and x.dtype != object:
        return Given(x)
    return type(x)(map(_entered, x)) if isinstance(x, (list, tuple)) else x


def _whole(x: Any) -> np.ndarray[Any, Any] | None:
    """Integers, and lists of them, as an array."""
    rows = x if isinstance(x, (list, tuple)) else [x]
    if not rows or len({len(row) if isinstance(row, (list, tuple)) else -1 for row in rows}) != 1:
        return None
    items = list(itertools.chain.from_iterable(row if isinstance(row, (list, tuple)) else [row] for row in rows))
    return np.array(x, np.int32) if items and all(type(i) is int and abs(i) < 2**31 for i in items) else None


def _kinds(x: Any) -> Iterator[Any]:
    array = _whole(x)
    if array is not None:
        yield Kind(array.astype(np.int64), "array")
        yield Kind(array, "tensor")
        yield Kind(array.astype(np.int64), "tensor")
        yield Kind(array, "variable")
        if array.ndim == 1:
            yield tuple(x) if isinstance(x, list) else list(x)
            yield [Kind(array[0], "tensor"), *x[1:]]
    elif type(x) is float:
        yield Kind(np.array(x), "array")
        yield Kind(np.array(x, np.float32), "tensor")
        yield Kind(np.array(x), "tensor")
    elif type(x) is bool:
        yield Kind(np.array(x), "array")
        yield Kind(np.array(x), "tensor")
    elif isinstance(x, Given) and x.array.size < 200:
        yield Kind(x.array, "array")
        yield Kind(x.array, "variable")
        if x.array.dtype.kind in "fib":
            yield x.array.tolist()


def _hold(one: Asked, theirs: Any, ours: Any, part: Part, counts: Counter[str]) -> None:
    call = one.call
    words = f"{'in a graph, ' * one.graph}`{call.name}({_arguments(call)})` ({one.what})"
    if theirs[0] == "ended" or (theirs[0] == "raised" and any(w in theirs[1][2] for w in _NO_KERNEL)):
        counts["no answer there"] += 1
        return
    if ours[0] == "raised" and _NOT_INSTALLED in ours[1][2]:
        return
    counts["taken there" if theirs[0] == "returned" else "refused there"] += 1
    found = _compared(one, theirs, ours)
    if found:
        counts[found[0]] += 1
        part.add(Difference(call.name, found[0], f"{words}: {found[1]}"))


def _compared(one: Asked, theirs: Any, ours: Any) -> tuple[str, str] | None:
    """The kind of a difference, and in words what it is."""
    if ours[0] == "ended":
        return "ends", ours[1]
    if theirs[0] == "raised":
        if ours[0] != "raised":
            return "takes", f"{theirs[1][0]} there: {' '.join(theirs[1][2].split())[:150]}"
        return (
            None
            if theirs[1][0] in ours[1][1]
            else ("class", f"{ours[1][0]} for {theirs[1][0]}: {ours[1][2][:100]}; there: {theirs[1][2][:100]}")
        )
    if ours[0] == "raised":
        return "refuses", f"{ours[1][0]}: {' '.join(ours[1][2].split())[:150]}"
    if less := _less_known(theirs[2], ours[2]):
        return "shape", less
    if any(w in one.call.name.lower() for w in _RANDOM):
        return None
    apart = difference(theirs[1], ours[1], 2000.0)
    return ("differs", apart) if apart else None


def _less_known(theirs: list[_Static], ours: list[_Static]) -> str:
    """Where a static type says less than TensorFlow's, or something else: more is as good."""
    if len(theirs) != len(ours):
        return f"{len(ours)} tensors for {len(theirs)}"
    for (kind, wanted), (other, dims) in zip(theirs, ours, strict=True):
        fits = wanted is None or (
            dims is not None and len(dims) == len(wanted) and all(n in (None, m) for n, m in zip(wanted, dims, strict=True))
        )
        if kind != other or not fits:
            return f"{other}{dims} for {kind}{wanted}"
    return ""


def _arguments(call: Call) -> str:
    def word(x: Any) -> str:
        return f"[{', '.join(map(word, x))}]" if isinstance(x, (list, tuple)) else str(x) if isinstance(x, Kind) else shown(x)

    return ", ".join([*map(word, call.given), *(f"{k}={word(x)}" for k, x in call.named.items())])


# ---- in the processes of the sides


def attempts(tf: Any, asked: list[Asked]) -> Iterator[Any]:
    """Make calls: ("returned", value, static types) or ("raised", error)."""
    warnings.simplefilter("ignore")
    for one in asked:
        try:
            yield ("returned", *(_in_graph(tf, one.call) if one.graph else (plain(_called(tf, one.call, {})), [])))
        except Exception as e:  # noqa: BLE001 - the class of whatever is raised is the very thing observed
            yield "raised", failure(e)


def _in_graph(tf: Any, call: Call) -> tuple[Any, list[_Static]]:
    """The values and the static types of a call in a graph."""
    tf1 = tf.compat.v1
    with tf.Graph().as_default(), tf1.Session() as session:
        feeds: dict[Any, Any] = {}
        flat = tf.nest.flatten(_called(tf, call, feeds), expand_composites=True)
        tensors = [x for x in flat if isinstance(x, tf.Tensor)]
        types = [(x.dtype.name, None if x.shape.rank is None else x.shape.as_list()) for x in tensors]
        others = [plain(x) for x in flat if not isinstance(x, (tf.Tensor, tf.Operation))]
        slopes = _slopes(tf, tensors, list(feeds))
        values = session.run(tensors + [x for x in slopes if not isinstance(x, str)], feeds)
        return ("sequence list", [plain(v) for v in values] + others + [x for x in slopes if isinstance(x, str)]), types


def _slopes(tf: Any, tensors: list[Any], fed: list[Any]) -> list[Any]:
    """The gradients of a curved function of what a call gives by what was fed; words where there is none."""
    ys, xs = ([x for x in some if x.dtype.is_floating] for some in (tensors, fed))
    if not ys or not xs:
        return []
    try:
        found = tf.gradients([y * tf.sin(y) for y in ys], xs)
    except LookupError:
        return ["no gradient"] * len(xs)
    return ["no gradient" if g is None else tf.convert_to_tensor(g) for g in found]


def _called(tf: Any, call: Call, feeds: dict[Any, Any]) -> Any:
    def tensor(x: Given) -> Any:
        return _of_kind(tf, x, feeds) if isinstance(x, Kind) else constant(tf, x)

    return resolved(tf, call.name)(*made(tf, call.given, tensor), **{k: made(tf, x, tensor) for k, x in call.named.items()})


def _of_kind(tf: Any, x: Kind, feeds: dict[Any, Any]) -> Any:
    if x.how == "array":
        return x.array
    if x.how == "tensor":
        return tf.constant(x.array)
    if x.how == "variable":
        return tf.Variable(x.array)
    fed = tf.compat.v1.placeholder(x.array.dtype, _SHAPES[x.how](list(x.array.shape)))
    feeds[fed] = x.array
    return fed
