"""What a case answers, observed alike on TensorFlow and on Pullback: values, dtypes, shapes, None or not, sparse or not, errors.

The maker runs these functions on TensorFlow and stores what they return; the replaying tests run them on Pullback and compare.
Everything here asks only for names that both libraries have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, cotangent, is_float

Record = dict[str, Any]


def eager(tf: Any, case: Case) -> Record:
    """Values of a case run at once, and a tape's gradients of its floating outputs, each with the fixed cotangent."""
    face = tf if case.face == "v2" else tf.compat.v1
    inputs = [constant(tf, x) for x in case.inputs]
    sources = [x for x, given in zip(inputs, case.inputs, strict=True) if is_float(given.dtype)]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        outputs = list(leaves(case.f(face, *inputs)))
    record: Record = {"outputs": [value(y) for y in outputs]}
    targets = [y for y in outputs if differentiable(y)]
    if not sources:
        return record
    if not targets:
        return record | {"gradients": [None] * len(sources)}
    seeds = [constant(tf, cotangent(tuple(y.shape.as_list()), y.dtype.as_numpy_dtype)) for y in targets]
    try:
        gradients = tape.gradient(targets, sources, output_gradients=seeds)
    except LookupError as e:
        return record | {"gradient error": failure(e)}
    return record | {"gradients": [value(g) for g in gradients]}


def graph(tf: Any, case: Case, *, known: bool, check: Callable[[Any], None] | None = None) -> Record:
    """The same through placeholders, `compat.v1.gradients` and a Session; static shapes too.

    `known=False`: every dimension is None.  `check` is called with the whole graph at the end.
    """
    face = tf if case.face == "v2" else tf.compat.v1
    v1 = tf.compat.v1
    with v1.Graph().as_default() as built:
        inputs = [placeholder(v1, x, known=known) for x in case.inputs]
        outputs = list(leaves(case.f(face, *inputs)))
        targets = [y for y in outputs if differentiable(y)]
        sources = [x for x, given in zip(inputs, case.inputs, strict=True) if is_float(given.dtype)]
        feed = dict(zip(inputs, case.inputs, strict=True))
        record: Record = {"static": [static_shape(y) for y in outputs]}
        with v1.Session() as session:
            found = fetch(session, outputs, feed)
            record["outputs"] = [value(y) for y in found]
        if sources and targets:
            seeds = [cotangent(y.shape, y.dtype) for y, t in zip(found, outputs, strict=True) if differentiable(t)]
            grad_ys = [constant(tf, seed) for seed in seeds]
            gradients = v1.gradients(targets, sources, grad_ys=grad_ys)
            with v1.Session() as session:  # a new one, in which random operations begin again
                record["gradients"] = [value(g) for g in fetch(session, gradients, feed)]
        if check is not None:
            check(built)
    return record


def refusal(tf: Any, case: ErrorCase) -> Record | None:
    """How a call fails: the error and when ("build" or "run"); None when it does not."""
    face = tf if case.face == "v2" else tf.compat.v1
    if case.mode == "eager":
        return attempt(lambda: case.f(face, *(constant(tf, x) for x in case.inputs)))
    with tf.compat.v1.Graph().as_default():
        inputs = [placeholder(tf.compat.v1, x, known=True) for x in case.inputs]
        outputs: list[Any] = []
        refused = attempt(lambda: outputs.extend(leaves(case.f(face, *inputs))))
        if refused is not None:
            return refused | {"when": "build"}
        with tf.compat.v1.Session() as session:
            refused = attempt(lambda: fetch(session, outputs, dict(zip(inputs, case.inputs, strict=True))))
    return None if refused is None else refused | {"when": "run"}


def outcome(call: Callable[[], Any]) -> tuple[Any, Record | None]:
    """What a call returns, or else its failure as a record."""
    try:
        return call(), None
    except Exception as e:  # the class of whatever is raised is the very thing observed
        return None, failure(e)


def attempt(call: Callable[[], Any]) -> Record | None:
    """The failure of a call as a record, or None when it returns."""
    return outcome(call)[1]


def failure(e: BaseException) -> Record:
    """An error's class, its bases that users can name, its message, and the op type its message names."""
    bases = [c.__name__ for c in type(e).__mro__[1:] if c is not object and not c.__name__.startswith("_")]
    message = lasting(str(e))
    return {"class": type(e).__name__, "bases": bases, "message": message, "op": _op_named(message)}


def lasting(message: str) -> str:
    """A message without what differs from run to run and from machine to machine: addresses, folders, the stack it was made on."""
    message = _FRAME.sub("", message)
    message = _PYTHON_FILE.sub(lambda m: m[1], message)
    return _CHANGING.sub(lambda m: "0x..." if m[0].startswith("0x") else "/tmp/...", message)


_FRAME = re.compile(r'\n *File "[^"]*", line \d+, in [^\n]*')
_PYTHON_FILE = re.compile(r"(?:/[\w.+-]+)+/([\w.-]+\.py)\b")
_CHANGING = re.compile(r"0x[0-9a-f]{6,}|/tmp/\w+|goo\.gle/\w+ *")
_OP_PATTERNS = (r"\[Op:(\w+)\]", r"\{\{node [^}]*\}\} = (\w+)\[", r"of '(\w+)' Op", r"\(op: '(\w+)'\)")


def _op_named(message: str) -> str | None:
    for pattern in _OP_PATTERNS:
        if found := re.search(pattern, message):
            return found.group(1)
    return None


def leaves(result: Any) -> Iterator[Any]:
    """The tensors of a nest, dictionaries by sorted key; None and IndexedSlices are leaves."""
    if is_slices(result):
        yield result
    elif isinstance(result, Mapping):
        for key in sorted(result):
            yield from leaves(result[key])
    elif isinstance(result, (list, tuple)) and not hasattr(result, "dims"):
        for part in result:
            yield from leaves(part)
    else:
        yield result


def is_slices(x: Any) -> bool:
    return hasattr(x, "indices") and hasattr(x, "values") and hasattr(x, "dense_shape")


def differentiable(y: Any) -> bool:
    return hasattr(y, "dtype") and hasattr(y, "shape") and (y.dtype.is_floating or y.dtype.is_complex) and not is_slices(y)


def static_shape(y: Any) -> Any:
    """`[2, None]`, None for an unknown rank, "-" for what has no shape."""
    if not hasattr(y, "shape") or not hasattr(y.shape, "rank"):
        return "-"
    return None if y.shape.rank is None else y.shape.as_list()


def value(y: Any) -> Any:
    """None, or an array, or `{"sparse": array}` for IndexedSlices made dense."""
    if y is None or isinstance(y, np.ndarray):
        return y
    if is_slices(y):
        return {"sparse": densified(y)}
    return np.asarray(y.numpy() if hasattr(y, "numpy") else y)


def densified(slices: Any) -> np.ndarray[Any, Any]:
    """IndexedSlices, or the value a Session returns for them, as one array."""
    values, indices, shape = (np.asarray(part) for part in (slices.values, slices.indices, slices.dense_shape))
    dense = np.zeros(tuple(shape), values.dtype)
    np.add.at(dense, indices, values)
    return dense


def constant(tf: Any, x: np.ndarray[Any, Any]) -> Any:
    return tf.constant(x.tolist() if x.dtype == object else x)


def placeholder(v1: Any, x: np.ndarray[Any, Any], *, known: bool) -> Any:
    dtype = v1.string if x.dtype == object else v1.as_dtype(x.dtype)
    return v1.placeholder(dtype, list(x.shape) if known else [None] * x.ndim)


def fetch(session: Any, tensors: list[Any], feed: Mapping[Any, Any]) -> list[Any]:
    """Run the tensors of a list; None and plain values stand for themselves."""
    live = [t for t in tensors if hasattr(t, "op") or is_slices(t)]
    found = iter(session.run(live, feed) if live else [])
    return [next(found) if hasattr(t, "op") or is_slices(t) else t for t in tensors]
