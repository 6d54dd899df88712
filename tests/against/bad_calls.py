"""Wrong calls of public functions: is the error of the same class, and is what TensorFlow refuses refused?

A right call from the case tables is made wrong in one thing.  Both sides make the call eagerly, in a function that is given its tensors, or
in a graph whose session is fed them, where no dimension is known.  Where TensorFlow ends its process there is nothing to compare.
"""

from __future__ import annotations

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.against import recorded
from tests.against.recorded import Call, Given, Named
from tests.against.report import Difference, Part, Progress, unexplained
from tests.against.sides import OURS, THEIRS, Side
from tests.against.values import difference, failure, plain
from tests.against.wrong import Spoiler

_HERE = "tests.against.bad_calls"
_SECONDS = 20.0
_BATCH = 250
_RANDOM = (
    "random", "shuffle", "dropout", "sampl", "multinomial", "noise", "initializer", "fractional", "crop", "py_function", "empty",
    "truncated_normal", "nondeterministic", "timestamp",
)  # fmt: skip
#: What TensorFlow says where it has the operation, but not on a CPU for such dtypes: the call is not what is wrong.
_NO_KERNEL = ("Could not find device for node", "No OpKernel was registered", "has constraint on attr", "is not available in GraphDef")
#: What Pullback says where a call needs a library that the environment of the run lacks.
_NOT_INSTALLED = "which is not installed"
_LEFT_OUT = (
    "gfile",
    "test.",
    "config.",
    "debugging.enable",
    "debugging.disable",
    "print",
    "experimental.numpy.random",
    "summary",
    "io.write",
    "random_seed",
    "set_seed",
)


def run(sides: dict[str, Side], calls: int, seed: int, only: str = "", way: str = "eagerly") -> Part:
    """Hold so many wrong calls against each other; only those of functions with some words in their names.

    way: "eagerly", "in functions" or "in graphs".
    """
    only = only.removeprefix("tf.")
    known = {name: found for name, found in recorded.calls().items() if only in name and not any(w in name for w in _LEFT_OUT)}
    sides[THEIRS].ask(f"{_HERE}.parameters", sorted(known), seconds=120.0)
    signatures: dict[str, list[str]] = sides[THEIRS].answer().items[0]
    rng = np.random.default_rng(seed)
    spoiler, names = Spoiler(rng), sorted(signatures)
    drawn = [spoiler.spoiled(spoiler.pick(known[name]), signatures[name]) for name in (spoiler.pick(names) for _ in range(calls))]
    part, counts = Part("bad calls" if way == "eagerly" else f"bad calls {way}", known_as="bad_calls"), Counter[str]()
    progress = Progress(part.title, len(drawn))
    for first in range(0, len(drawn), _BATCH):
        batch = drawn[first : first + _BATCH]
        progress.step(batch[0][1].name, len(batch))
        asked = [(call, way) for _, call in batch]
        theirs, ours = (sides[name].outcomes(f"{_HERE}.attempts", asked, _SECONDS) for name in (THEIRS, OURS))
        for (wrong, call), a, b in zip(batch, theirs, ours, strict=True):
            _hold(call, wrong, a, b, part, counts)
    progress.end()
    refused, taken = counts["refused there"], counts["taken there"]
    unlisted = unexplained(part, "takes")
    part.figures = {
        "functions": len(names),
        "wrong calls": len(drawn),
        "TensorFlow's process ends": counts["ends there"],
        "TensorFlow has no kernel for it on a CPU": counts["no kernel there"],
        "needs what is not installed": counts["not installed here"],
        "refused by TensorFlow": refused,
        "of those, the same class": f"{counts['same class']} ({100 * counts['same class'] / max(refused, 1):.2f} %)",
        "of those, taken here": counts["taken here"],
        "of those, for no known reason": unlisted,
        "taken by TensorFlow": taken,
        "of those, refused here": counts["refused here"],
        "of those, with another value": counts["differs"],
    }
    part.goals = {
        "the same class": (counts["same class"], refused, 0.97),
        "refused here too, or a reason": (refused - unlisted, refused, 1.0),
    }
    return part


def _hold(call: Call, wrong: str, theirs: Any, ours: Any, part: Part, counts: Counter[str]) -> None:
    words = f"`{call}` ({wrong})"
    if theirs[0] == "ended":
        counts["ends there"] += 1
        if ours[0] == "ended":
            part.add(Difference(call.name, "ends", f"{words}: {ours[1]}, as TensorFlow's process does"))
    elif ours[0] == "ended":
        counts["refused there" if theirs[0] == "raised" else "taken there"] += 1
        part.add(Difference(call.name, "ends", f"{words}: {ours[1]}"))
    elif theirs[0] == "raised" and any(w in theirs[1][2] for w in _NO_KERNEL):
        counts["no kernel there"] += 1
    elif ours[0] == "raised" and _NOT_INSTALLED in ours[1][2]:
        counts["not installed here"] += 1
    elif theirs[0] == "raised":
        counts["refused there"] += 1
        if ours[0] != "raised":
            counts["taken here"] += 1
            part.add(Difference(call.name, "takes", f"{words}: {theirs[1][0]} there: {_first(theirs[1][2])}"))
        elif theirs[1][0] in ours[1][1]:
            counts["same class"] += 1
        else:
            said = f"{_first(ours[1][2])}; there: {_first(theirs[1][2])}"
            part.add(Difference(call.name, "class", f"{ours[1][0]} for {theirs[1][0]}: {words}: {said}"))
    else:
        counts["taken there"] += 1
        if ours[0] == "raised":
            counts["refused here"] += 1
            part.add(Difference(call.name, "refuses", f"{words}: {ours[1][0]}: {_first(ours[1][2])}"))
        elif not any(w in call.name.lower() for w in _RANDOM) and (apart := difference(theirs[1], ours[1], 2000.0)):
            counts["differs"] += 1
            part.add(Difference(call.name, "differs", f"{words}: {apart}"))


def _first(message: str) -> str:
    return " ".join(message.split())[:120]


# ---- in the processes of the sides


def parameters(tf: Any, names: list[str]) -> Iterator[dict[str, list[str]]]:
    """The parameters of those functions that there are."""
    found = {}
    for name in names:
        function = resolved(tf, name)
        if callable(function):
            try:
                found[name] = [p for p in inspect.signature(function).parameters if p not in ("args", "kwargs")]
            except ValueError:
                found[name] = []
    yield found


def attempts(tf: Any, asked: list[tuple[Call, str]]) -> Iterator[Any]:
    """Make calls, each in its way: ("returned", value) or ("raised", error)."""
    warnings.simplefilter("ignore")
    for call, way in asked:
        try:
            yield "returned", plain(_WAYS[way](tf, call))
        except Exception as e:  # noqa: BLE001 - the class of whatever is raised is the very thing observed
            yield "raised", failure(e)


def _call_eagerly(tf: Any, call: Call) -> Any:
    return _called(tf, call, lambda given: constant(tf, given))


def _call_in_function(tf: Any, call: Call) -> Any:
    arrays = list(_arrays([*call.given, *call.named.values()]))

    def body(*tensors: Any) -> Any:
        return _called(tf, call, dict(zip(arrays, tensors, strict=True)).__getitem__)

    return tf.function(body, autograph=False)(*[constant(tf, x) for x in arrays])


def _arrays(x: Any) -> Iterator[Given]:
    if isinstance(x, Given):
        yield x
    elif isinstance(x, (list, tuple)):
        for part in x:
            yield from _arrays(part)


def _call_in_graph(tf: Any, call: Call) -> Any:
    feeds: dict[Any, Any] = {}

    def placeholder(given: Given) -> Any:
        dtype = tf.string if given.array.dtype == object else given.array.dtype
        fed = tf.compat.v1.placeholder(dtype, [None] * given.array.ndim)
        feeds[fed] = given.array
        return fed

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        flat = tf.nest.flatten(_called(tf, call, placeholder), expand_composites=True)
        fetches = [x for x in flat if isinstance(x, (tf.Tensor, tf.Operation))]
        if not fetches:  # as of an initializer: TensorFlow's sessions run no empty graph
            return []
        # TensorFlow's sessions give no variants: what makes one is run
        return session.run([x.op if isinstance(x, tf.Tensor) and x.dtype == tf.variant else x for x in fetches], feeds)


def _called(tf: Any, call: Call, tensor: Callable[[Given], Any]) -> Any:
    return resolved(tf, call.name)(*made(tf, call.given, tensor), **{k: made(tf, x, tensor) for k, x in call.named.items()})


def resolved(tf: Any, name: str) -> Any:
    """What a name stands for; None where there is nothing."""
    found = tf
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def made(tf: Any, x: Any, tensor: Callable[[Given], Any]) -> Any:
    """An argument, whose arrays become tensors."""
    if isinstance(x, Given):
        return tensor(x)
    if isinstance(x, (list, tuple)):
        return type(x)(made(tf, part, tensor) for part in x)
    return resolved(tf, x.path) if isinstance(x, Named) else x


def constant(tf: Any, given: Given) -> Any:
    """An array as a tensor; objects are strings."""
    return tf.constant(given.array.tolist(), tf.string) if given.array.dtype == object else tf.constant(given.array)


_WAYS = {"eagerly": _call_eagerly, "in functions": _call_in_function, "in graphs": _call_in_graph}
